"""State graphs: the only code that builds or subclasses one."""
