"""Remembering: a proposal is judged, promised in the journal, applied by a worker, and seen to be there."""
