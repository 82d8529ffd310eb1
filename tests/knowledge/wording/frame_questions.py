"""Questions with invented names and how a frame of one is scored: kind, and every operand, claim and measure that the row names.

`split` says when a question was first run: `dev` while the grammar was written, `held` and `fresh` before it was changed for them. What the
first run of each got right is in docs/decisions/0004-question-frames.md; since then all of them guard against regressions.
"""

from dataclasses import dataclass
from pathlib import Path

from knowledge.wording.frame import Frame, frame


@dataclass(frozen=True)
class Row:
    split: str
    kind: str
    question: str
    expected: dict[str, str]


def rows(language: str) -> list[Row]:
    """`split TAB kind TAB question TAB key=value;…`; operands are `role@mention|role@mention`."""
    text = (Path(__file__).parent / f"frames_{language}.tsv").read_text(encoding="utf-8")
    cells = [line.split("\t") for line in text.splitlines() if line]
    return [Row(c[0], c[1], c[2], dict(p.split("=", 1) for p in c[3].split(";") if p)) for c in cells]


def misses(row: Row, found: Frame | None = None) -> list[str]:
    """What the frame of this question gets wrong, in words; empty when all is right."""
    found = found or frame(row.question)
    wrong = [] if found.kind == row.kind else [f"kind {found.kind}"]
    for key, value in row.expected.items():
        seen = _seen(found, key)
        if seen != value:
            wrong.append(f"{key} {seen!r} for {value!r}")
    return wrong


def _seen(found: Frame, key: str) -> str:
    name, part = (key[:-1], int(key[-1]) - 1) if key[-1].isdigit() else (key, None)
    if part is not None:
        if part >= len(found.parts):
            return ""
        found = found.parts[part]
    reads = {
        "ops": lambda: "|".join(f"{o.role}@{o.mention}" for o in found.operands),
        "claim": lambda: found.claim.mention if found.claim else "",
        "m": lambda: found.measure or "",
        "measured": lambda: found.measured,
        "rel": lambda: found.relation,
        "asp": lambda: found.aspect,
        "parts": lambda: ",".join(p.kind for p in found.parts),
    }
    return reads[name]()
