"""A report as JSON for programs and as Markdown for people. Questions of report halves are counted, never shown, so that nobody tunes on them."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from evals.journal import Row
from evals.summary import Share, Summary, summaries

SHOWN = 40
_HEAD = "| set | setting | group | n | errors | Hits@1 | F1 | exact | queries p50/p95 | ms p50/p95 | floor |"
_RULE = "|---|---|---|---|---|---|---|---|---|---|---|"


def write_report(rows: Sequence[Row], path: Path, product: str, now: datetime) -> list[Summary]:
    """Write `path`.json and `path`.md; returns the lines."""
    lines = summaries(rows)
    told = {"made": now.isoformat(timespec="seconds"), "product": product, "summaries": [asdict(line) for line in lines]}
    path.with_suffix(".json").write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(markdown(lines, rows, product, now), encoding="utf-8")
    return lines


def markdown(lines: Sequence[Summary], rows: Sequence[Row], product: str, now: datetime) -> str:
    """The tables, then what went wrong."""
    parts = [
        f"# Evaluation, {now:%Y-%m-%d %H:%M} UTC",
        f"State of the code: `{product}`. Shares are over the questions without error, with 95 % intervals (Hits@1 and exact: Wilson; F1: "
        "bootstrap over topics). *exact* means that the whole answer is right.",
        "\n".join([_HEAD, _RULE, *map(_line, lines)]),
        *_wrong(rows),
    ]
    return "\n\n".join(parts) + "\n"


def _line(line: Summary) -> str:
    group = f"{line.dimension}: {line.group}" if line.dimension else "**all**"
    floor = "" if line.floor is None else f"{line.floor:.3g} {'met' if line.met else '**missed**'}"
    cost = f"{line.queries[0]:.0f} / {line.queries[1]:.0f} | {line.milliseconds[0]:.0f} / {line.milliseconds[1]:.0f}"
    shares = " | ".join(map(_share, (line.hit, line.f1, line.exact)))
    return f"| {line.suite} | {line.setting} | {group} | {line.cases} | {line.errors} | {shares} | {cost} | {floor} |"


def _share(share: Share) -> str:
    return f"{share.value:.3f} [{share.interval[0]:.3f}, {share.interval[1]:.3f}]"


def _wrong(rows: Sequence[Row]) -> list[str]:
    shown = [row for row in rows if row.verdict != "right" and (row.verdict == "error" or not _kept_back(row))]
    hidden = sum(row.verdict == "wrong" and _kept_back(row) for row in rows)
    listed = [f"- `{r.case}` ({r.shape}, profile: {r.profile}, {r.verdict}): {_plain(r.asked)} — {_plain(r.why)}" for r in shown[:SHOWN]]
    more = [f"- and {len(shown) - SHOWN} more, in the journal"] if len(shown) > SHOWN else []
    kept = [f"- {hidden} wrong answers of the report halves are not shown"] if hidden else []
    return ["## What was not right", "\n".join([*listed, *more, *kept])] if listed or kept else []


def _kept_back(row: Row) -> bool:
    return row.suite.endswith("_report") or row.groups.get("split") == "report"


def _plain(text: str) -> str:
    return " ".join(text.replace("|", "/").split())[:200]
