"""The namespaces and what each may hold."""
