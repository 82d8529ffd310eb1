"""Language models inside a run: every call asks the ledger first, is cut to what remains, and fails as a value."""
