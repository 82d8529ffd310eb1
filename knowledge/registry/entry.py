"""One contract, read from its entry in the file."""

import re
from collections.abc import Collection, Mapping
from typing import cast, get_args

from rapidfuzz import process

from knowledge.identity import NAMESPACE_PATTERN
from knowledge.registry.contract import ANY_AGENT, HUMAN_CURATED, PROJECT_AGENT, Contract, Join, SizeLimit, WritePolicy
from knowledge.registry.located import Value, listed
from knowledge.registry.names import skeleton

REQUIRED = ("purpose", "owner", "allowed_types", "size_limit", "write_policy")
OPTIONAL = ("suggested_alternative", "single_valued", "retention_days", "join", "display_name", "project")
NOT_OF_DOMAINS = ("owner", "project")
SIZES = ("episodes", "facts", "bytes")
PRINCIPAL = re.compile(r"[A-Za-z0-9_.@-]{1,64}")
_ROLES = (HUMAN_CURATED, ANY_AGENT, PROJECT_AGENT)
_TYPE = re.compile(r"[^:]{1,64}")
_BREAKS = re.compile(r"[\t\n\u2028\u2029]")
_NOT_OF_IDS = re.compile(r"[^A-Za-z0-9_-]")
_NEAR_KEY = 70


def read_contract(entry: Value, name: str) -> Contract:
    """An entry under `namespaces`."""
    fields = known(entry, REQUIRED, OPTIONAL)
    owner = _owner(fields)
    return _contract(fields, name, owner, _project(fields, entry, owner))


def read_domain(entry: Value, name: str) -> Contract:
    """An entry under `domains`: a contract without owner and project, which the pattern gives."""
    required, optional = (tuple(key for key in keys if key not in NOT_OF_DOMAINS) for keys in (REQUIRED, OPTIONAL))
    return _contract(known(entry, required, optional), name, PROJECT_AGENT, "")


def known(entry: Value, required: Collection[str], optional: Collection[str]) -> dict[str, Value]:
    """The values under known keys; unknown and missing ones are refused."""
    fields = entry.entries(f"keys such as {listed(required)}")
    keys = (*required, *optional)
    for name, value in fields.items():
        if name not in keys:
            near = process.extractOne(name, keys, score_cutoff=_NEAR_KEY)
            value.refuse(f"is no key here; write {near[0] if near else 'one of ' + listed(keys)}")
    missing = [key for key in required if key not in fields]
    if missing and entry.is_mapping:
        entry.refuse(f"lacks {listed(missing)}; add {'it' if len(missing) == 1 else 'them'}")
    return {name: value for name, value in fields.items() if name in keys}


def principal(value: Value, instead: str) -> str:
    """The id of a person or an agent, or a word for several; whether there is one of that id is not known here."""
    text = value.text(instead)
    if text and not PRINCIPAL.fullmatch(text):
        value.refuse(f"{text[:64]!r} is no id of a person or an agent (1 to 64 of A-Z a-z 0-9 _ . @ -); write {instead}")
    return text


def agent(value: Value, instead: str) -> None:
    """Refuses what cannot be the id of one agent; what stands for several can be an owner only."""
    text = principal(value, instead)
    role = _role_like(text)
    if role:
        value.refuse(f"{text!r} stands for {role}, and not for one agent; write {instead}")


def texts(value: Value, instead: str) -> tuple[str, ...]:
    """A list of different texts."""
    found: dict[str, str] = {}
    for item in value.items(instead):
        text = item.text(instead)
        if text.casefold() in found:
            item.refuse(f"names {text[:64]!r} twice; keep one")
        elif _BREAKS.search(text):
            item.refuse(f"{text[:64]!r} has a tab or several lines; write {instead}")
        found.setdefault(text.casefold(), text)
    return tuple(filter(None, found.values()))


def _contract(fields: Mapping[str, Value], name: str, owner: str, project: str) -> Contract:
    def text(key: str, instead: str) -> str:
        return fields[key].text(instead) if key in fields else ""

    retention = fields.get("retention_days")
    return Contract(
        id=name,
        purpose=text("purpose", "one sentence that says what is remembered here"),
        owner=owner,
        allowed_types=_types(fields),
        size_limit=_size(fields),
        write_policy=cast(WritePolicy, _one_of(fields, "write_policy", get_args(WritePolicy))),
        suggested_alternative=text("suggested_alternative", "the id of another namespace, or leave the key out"),
        single_valued=frozenset(texts(fields["single_valued"], "a list of relations") if "single_valued" in fields else ()),
        retention_days=retention.number(1, "the days that memories are kept, 1 or more, or leave the key out") if retention else None,
        join=cast(Join, _one_of(fields, "join", get_args(Join), default="key")),
        display_name=text("display_name", "a name for people, or leave the key out"),
        project=project,
    )


def _owner(fields: Mapping[str, Value]) -> str:
    if "owner" not in fields:
        return ""
    owner = principal(fields["owner"], f"{listed(_ROLES)}, or the id of a person or an agent")
    meant = _role_like(owner)
    if meant not in ("", owner):
        fields["owner"].refuse(f"{owner!r} can be taken for {meant}; write {meant} exactly, or another id")
    return owner


def _role_like(text: str) -> str:
    """The word for several owners that an id is or can be taken for."""
    look = skeleton(text)
    return next((role for role in _ROLES if PRINCIPAL.fullmatch(text) and skeleton(role) == look), "")


def _project(fields: Mapping[str, Value], entry: Value, owner: str) -> str:
    value = fields.get("project")
    if owner == PROJECT_AGENT and value is None:
        entry.refuse(f"is owned by {PROJECT_AGENT} and lacks project; add the project whose agents own it")
    if value and owner != PROJECT_AGENT:
        value.refuse(f"is read only where owner is {PROJECT_AGENT}; leave it out, or change owner")
    return value.text("a name under projects") if value else ""


def _types(fields: Mapping[str, Value]) -> tuple[str, ...]:
    if "allowed_types" not in fields:
        return ()
    value, instead = fields["allowed_types"], "a list of types such as [Lesson, Pattern]"
    types = texts(value, instead)
    if value.is_empty:
        value.refuse(f"is empty, so nothing could be remembered; write {instead}")
    for name in types:
        if not _TYPE.fullmatch(name):
            value.refuse(f"{name[:64]!r} is no type, since names read `Type: Topic - Aspect`; write 1 to 64 characters without a colon")
    return types


def _size(fields: Mapping[str, Value]) -> SizeLimit:
    if "size_limit" not in fields:
        return SizeLimit()
    value, instead = fields["size_limit"], "the most live items, 0 or more"
    if not value.is_mapping:
        return SizeLimit(episodes=value.number(0, f"{instead}, or a mapping of {listed(SIZES)}"))
    limits = {name: limit.number(0, instead) for name, limit in known(value, (), SIZES).items()}
    if value.is_empty:
        value.refuse(f"limits nothing; write at least one of {listed(SIZES)}")
    return SizeLimit(**limits)


def _one_of(fields: Mapping[str, Value], key: str, choices: tuple[str, ...], default: str = "") -> str:
    if key not in fields:
        return default
    text = fields[key].text(f"one of {listed(choices)}")
    if text and text not in choices:
        fields[key].refuse(f"is {text[:64]!r}; write one of {listed(choices)}")
    return text if text in choices else default


def is_namespace(value: Value, name: str) -> bool:
    """Whether a key can be an id; refused where it cannot."""
    if NAMESPACE_PATTERN.fullmatch(name):
        return True
    wrong = _NOT_OF_IDS.search(name)
    why = f"holds {wrong[0]!a}" if wrong else f"has {len(name)} characters"
    value.refuse(f"is no id, since it {why}; write 1 to 64 of A-Z a-z 0-9 _ -")
    return False
