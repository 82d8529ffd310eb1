"""What an id looks like to a reader, and whether it names a subject."""

import re
import unicodedata
from itertools import pairwise

_CAPITALS = str.maketrans("АВЕЅІЈКМНОРСТХУҮԚԜӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTXYYQWIABEZHIKMNOPTYX")
_SMALL = str.maketrans(
    "авеѕіјкмнорстхуүһԁԛԝӏαβεικνορτυχγηωϳıɩɑɡøđłƅ01i|",
    "abesljkmhopctxyyhdqwlabelkvoptuxynwjllagodlbolll",
)
_UNSEEN = {"Mn", "Me", "Cf", "Cc"}
_GAPS = {"Pd", "Pc", "Zs"}
_MANY_GAPS = re.compile("-+")

_PARTS = re.compile(r"[_\-\s]+|(?<=[a-z])(?=[A-Z])")
_NUMBERED = re.compile(r"(\D+?)(\d+)")
_AGENT_WORDS = "agent agents subagent assistant bot claude chatgpt gpt copilot cursor gemini codex windsurf cline aider devin"
_SESSION_WORDS = "session sessions sess conversation conversations chat chats thread threads run runs"
_STORE_WORDS = (
    "memory memories mem note notes desktop code cli app web context history knowledge log logs scratchpad workspace my our data store "
    "storage facts default main opus sonnet haiku mini pro flash"
)
_AGENTS, _SESSIONS = set(_AGENT_WORDS.split()), set(_SESSION_WORDS.split())
_STORES = _SESSIONS | set(_STORE_WORDS.split())
_SERIAL = re.compile(r"\d+|(?=[a-f]*\d)[0-9a-f]{4,}|(?=\D*\d)(?=\d*\D)[0-9a-z]{6,}")
_VERSION = re.compile(r"v?\d+[a-z]?")


def skeleton(name: str) -> str:
    """Equal for two names that a reader may take for each other: case, width, accents, homoglyphs, 0/O, 1/l/I, `_`/`-`, invisible characters.

    Never an identity: `tail` and `tall` share one, as `TAIL` is `tail` and `I` looks like `l`.
    """
    spaced = ("-" if unicodedata.category(c) in _GAPS else c for c in unicodedata.normalize("NFKD", name))
    seen = "".join(c for c in spaced if unicodedata.category(c) not in _UNSEEN)
    return _MANY_GAPS.sub("-", seen.translate(_CAPITALS).casefold().translate(_SMALL))


def agent_named(namespace: str) -> str:
    """Why an id is refused because it names an agent or a session instead of a subject; empty for any other id."""
    words = _words(namespace)
    instead = "name what its memories are about, such as deployment_lessons"
    for session, serial in pairwise(words):
        if session in _SESSIONS and _SERIAL.fullmatch(serial):
            return f"{namespace!r} names one {session}, which nobody looks into once it is over; {instead}"
    agent = next((word for word in words if word in _AGENTS), "")
    if agent and all(word in _AGENTS or word in _STORES or _VERSION.fullmatch(word) for word in words):
        return f"{namespace!r} names who remembers ({agent}), while memories are shared; {instead}"
    return ""


def _words(namespace: str) -> list[str]:
    """`claudeDesktop_session42` is claude, desktop, session, 42."""
    found: list[str] = []
    for part in filter(None, _PARTS.split(unicodedata.normalize("NFKC", namespace))):
        numbered = _NUMBERED.fullmatch(part.casefold())
        known = numbered and numbered[1] in _AGENTS | _SESSIONS
        found.extend(numbered.groups() if numbered and known else [part.casefold()])
    return found
