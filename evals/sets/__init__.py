"""Question sets that belong to the project."""
