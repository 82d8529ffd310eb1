"""What makes two names the same, and the ids derived from names. Folding serves look-up only and never decides identity."""

import hashlib
import re
import unicodedata
import uuid

from knowledge.errors import DataError

NAMESPACE_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_GAVEL = uuid.UUID("6f2c2f5e-2f0f-5d53-9b7b-6761766c0001")
ADOPTED = "uuid:"
_POSSESSIVE = re.compile(r"s['’] ")
_WORD = re.compile(r"\w+")


def check_namespace(name: str) -> str:
    """The namespace id itself, or DataError when it is not 1 to 64 letters, digits, `_` or `-`."""
    if not NAMESPACE_PATTERN.fullmatch(name):
        raise DataError(f"{name!r} is no namespace id; use 1 to 64 of A-Z a-z 0-9 _ -")
    return name


def canonical(name: str) -> str:
    """The exact NFC string: two names are one entity only when these are equal."""
    return unicodedata.normalize("NFC", name)


def words(text: str) -> list[str]:
    """Lower-case words without accents or punctuation; a possessive becomes the word `s`. CJK runs stay whole."""
    spaced = _POSSESSIVE.sub("s 's ", unicodedata.normalize("NFKC", text).casefold() + " ")
    plain = "".join(c for c in unicodedata.normalize("NFKD", spaced) if not unicodedata.combining(c))
    return _WORD.findall(plain)


def fold(name: str) -> str:
    """The look-up form of a name: its words joined by one space, or the trimmed name where it has no word (`$9.99` has, `!!!` has not)."""
    return " ".join(words(name)) or name.strip()


def adopted_key(uuid: str) -> str:
    """The key of an entity that came with a uuid of its own. Nobody else may use such a key: it names the node itself."""
    return ADOPTED + uuid


def entity_uuid(namespace: str, visibility_group: str, key: str) -> str:
    """A stable uuid for an entity, so that loading twice meets the same node. `key` is the caller's key or the canonical name."""
    if key.startswith(ADOPTED):
        return key.removeprefix(ADOPTED)
    return str(uuid.uuid5(_GAVEL, "\x1f".join(("entity", namespace, visibility_group, key))))


def fact_id(namespace: str, visibility_group: str, from_key: str, relation: str, to_key: str, valid_from: str) -> str:
    """A stable id for one fact over all its versions; `valid_from` is the ISO instant that starts it."""
    return str(uuid.uuid5(_GAVEL, "\x1f".join(("fact", namespace, visibility_group, from_key, relation, to_key, valid_from))))


def digest(*parts: str) -> str:
    """A short stable hash for cache keys and evidence ids of graphs without keys."""
    return hashlib.blake2s("\x1f".join(parts).encode(), digest_size=12).hexdigest()
