"""Sixty questions by hand over a small harbour world, in English and Chinese: the same for every brain."""
