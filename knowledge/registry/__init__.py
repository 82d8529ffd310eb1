"""The contracts of namespaces: what each is for, who owns it, what may be remembered there, and how much."""
