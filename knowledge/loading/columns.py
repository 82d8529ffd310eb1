"""The names that files use for the columns of a fact."""

_SYNONYMS = {
    "subject": ("subject", "head", "from", "source_entity", "subj"),
    "relation": ("relation", "predicate", "rel", "relation_type"),
    "object": ("object", "tail", "to", "target_entity", "obj"),
    "valid_from": ("valid_from", "valid_from_year", "valid_from_date", "start", "start_date", "since"),
    "valid_to": ("valid_to", "valid_to_year", "valid_to_date", "end", "end_date", "until"),
    "fact": ("fact", "text", "sentence"),
}
COLUMN = {synonym: column for column, synonyms in _SYNONYMS.items() for synonym in synonyms}
REQUIRED = frozenset({"subject", "relation", "object"})
POSITIONS = ("subject", "relation", "object", "valid_from", "valid_to", "source", "confidence")
