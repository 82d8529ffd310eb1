"""The domain: the kg, its database, search, time and wording. Knows nothing of language models or agent frameworks."""
