"""Who has read what: every statement of a reader, told before its rows are handed over."""
