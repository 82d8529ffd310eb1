"""The guard for Cypher that a model wrote: read, judged, printed anew, and only then run."""
