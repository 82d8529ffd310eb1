"""Governing a memory that Graphiti made: an explicit step that only adds, and that can be taken back."""
