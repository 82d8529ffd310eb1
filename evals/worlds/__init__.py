"""The worlds that questions are asked over, as files and as raw triples."""
