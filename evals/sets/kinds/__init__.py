"""Twelve questions for each kind that the rules brain must handle, with gold computed by brute force over the raw triples."""
