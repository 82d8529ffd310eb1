"""Fingerprints of what belongs to the benchmarks: relation names of several words, question templates, titles. Code may hold none of it.

Only hashes are committed, so that the check needs no data set and the list teaches nothing.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

FINGERPRINTS = Path(__file__).parent / "benchmark_words.txt"
TEMPLATE_WORDS = 6
LONGEST = 6
_FUNCTION_WORDS = frozenset({"at", "by", "for", "from", "has", "have", "in", "is", "of", "on", "the", "to", "was", "with"})
_IDENTIFIER = re.compile(r"\w+")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_TITLE_WORD = re.compile(r"[\w'’.-]+")
_BRACKETS = re.compile(r"\[[^\]]*\]")


def found(text: str, banned: frozenset[str]) -> list[str]:
    """The runs of words in a text that belong to a benchmark. Titles are matched with their capitals, the rest without.

    A relation name is matched inside an identifier; as separate words only where none of them is a function word ("written by" is English).
    """
    runs = {key for line in text.splitlines() for key in _keys(line)}
    return sorted(key.partition(":")[2] for key in runs if _hash(key) in banned)


def known() -> frozenset[str]:
    """The committed fingerprints."""
    return frozenset(FINGERPRINTS.read_text(encoding="utf-8").split())


def fingerprints(datasets: Path) -> frozenset[str]:
    """Made anew from the benchmarks in a folder."""
    graphs = sorted(datasets.glob("*/kb.tsv")) + sorted(datasets.glob("probes/*/kb.tsv"))
    questions = [*sorted(datasets.glob("*/*_dev*.jsonl")), *sorted(datasets.glob("*/natural_dev.jsonl"))]
    questions += sorted(datasets.glob("probes/*/dev.jsonl"))
    rows = [json.loads(line) for path in questions for line in path.read_text(encoding="utf-8").splitlines()]
    names = [words for path in graphs for words in _relation_names(path)]
    keys = {f"joined:{' '.join(words)}" for words in names}
    keys |= {f"words:{' '.join(words)}" for words in names if not _FUNCTION_WORDS & set(words)}
    keys |= {f"words:{run}" for row in rows for run in _template_runs(row["question"])}
    keys |= {f"title:{title}" for row in rows if len(_TITLE_WORD.findall(title := row["topic"])) > 1}
    return frozenset(map(_hash, keys))


def _keys(line: str) -> Iterator[str]:
    yield from (f"words:{run}" for run in _runs(_words(line)))
    yield from (f"title:{run}" for run in _runs(_TITLE_WORD.findall(line)))
    for identifier in _IDENTIFIER.findall(line):
        yield from (f"joined:{run}" for run in _runs(_words(identifier)))


def _relation_names(path: Path) -> list[list[str]]:
    relations = {line.split("\t")[1] for line in path.read_text(encoding="utf-8").splitlines() if line}
    return [words for relation in sorted(relations) if len(words := _words(relation)) > 1]


def _template_runs(question: str) -> Iterator[str]:
    for part in _BRACKETS.split(question):
        words = _words(part)
        yield from (" ".join(words[i : i + TEMPLATE_WORDS]) for i in range(len(words) - TEMPLATE_WORDS + 1))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _runs(words: list[str]) -> Iterable[str]:
    return (" ".join(words[i : i + n]) for n in range(2, LONGEST + 1) for i in range(len(words) - n + 1))


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:12]


if __name__ == "__main__":
    FINGERPRINTS.write_text("\n".join(sorted(fingerprints(Path(sys.argv[1])))) + "\n", encoding="utf-8")
