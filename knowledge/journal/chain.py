"""The hashes that make tampering visible: of a payload, and of an event with all that came before it."""

import hashlib
from collections.abc import Mapping

GENESIS = "0" * 64
_CHAINED = ("seq", "event_id", "at", "kind", "receipt", "namespace", "principal", "about", "payload", "previous")


def chained(row: Mapping[str, object]) -> str:
    """SHA-256 over every field of an event; lengths keep fields apart. `about` is the JSON text as it is stored."""
    whole = hashlib.sha256()
    for name in _CHAINED:
        field = str(row[name]).encode()
        whole.update(len(field).to_bytes(8))
        whole.update(field)
    return whole.hexdigest()


def payload_hash(salt: str, body: str) -> str:
    """SHA-256 over the salt and the JSON text."""
    return hashlib.sha256(f"{salt}\n{body}".encode()).hexdigest()
