"""Triples as TSV and CSV: every odd file is read, or refused by name and line."""

import os
from pathlib import Path

import pytest

from knowledge.errors import ConfigError, DataError
from knowledge.loading.files import InputFile
from knowledge.loading.parsed import Parsed
from knowledge.loading.rejects import Rejects
from knowledge.loading.rows import FactRow


def read(path: Path, content: bytes | str) -> list[Parsed]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(InputFile.of(path).rows())


def facts(parsed: list[Parsed]) -> list[tuple[str, str, str]]:
    assert all(isinstance(p.row, FactRow) for p in parsed), [p.error for p in parsed]
    return [(p.row.subject, p.row.relation, p.row.object) for p in parsed if isinstance(p.row, FactRow)]


def errors(parsed: list[Parsed]) -> list[tuple[int, str]]:
    return [(p.origin.line, p.error) for p in parsed if p.row is None]


def test_triples_without_a_header_are_read_by_position(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.tsv", "Ann\tknows\tBob\nAnn\tworks_for\tAcme\t2001\t2005-06\tregister\t0.8\n")
    assert facts(rows) == [("Ann", "knows", "Bob"), ("Ann", "works_for", "Acme")]
    second = rows[1].row
    assert isinstance(second, FactRow)
    assert (second.origin.source, second.confidence) == ("register", 0.8)
    assert (second.period.start.isoformat()[:10], second.period.end.isoformat()[:10]) == ("2001-01-01", "2005-07-01")


def test_a_header_names_the_columns_in_any_order_and_unknown_ones_become_properties(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.csv", "Object,Split,Subject,Predicate,valid_from_year\nBob,train,Ann,knows,1999\n")
    assert facts(rows) == [("Ann", "knows", "Bob")]
    assert isinstance(rows[0].row, FactRow)
    assert rows[0].row.properties == {"split": "train"}
    assert rows[0].row.period.start.year == 1999


def test_the_source_of_a_row_is_its_column_else_the_hash_of_the_file(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.tsv", "subject\trelation\tobject\tsource\nAnn\tknows\tBob\tdiary\nAnn\tknows\tCid\t\n")
    sources = [p.row.origin.source for p in rows if p.row]
    assert sources[0] == "diary"
    assert sources[1].startswith("sha256:")


def test_a_byte_order_mark_and_windows_line_ends_are_no_data(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.tsv", b"\xef\xbb\xbfsubject\trelation\tobject\r\nAnn\tknows\tBob\r\n")
    assert facts(rows) == [("Ann", "knows", "Bob")]


def test_names_keep_every_character_that_is_not_the_separator(tmp_path: Path) -> None:
    names = ['"Quoted', " leading", "trailing ", "O'Neil, \\N", "Müller", "Moller", "🙂", "שלום"]
    rows = read(tmp_path / "a.tsv", "".join(f"{name}\tknows\tBob\n" for name in names))
    assert [f[0] for f in facts(rows)] == names


def test_decomposed_letters_are_the_composed_name(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.tsv", "Mu\u0308ller\tknows\tBob\n")
    assert facts(rows)[0][0] == "Müller"


def test_empty_lines_are_passed_over_and_lines_are_counted_with_them(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.tsv", "\n\nAnn\tknows\tBob\n\nAnn\tknows\n")
    assert errors(rows) == [(5, "2 columns; without a header a row has subject, relation, object and up to 4 more")]


def test_a_header_with_other_names_for_the_triple_is_no_row(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="names no relation, object; give the columns"):
        read(tmp_path / "a.csv", "subject,verb,thing,valid_from\nAnn,knows,Bob,2019\n")


def test_a_row_of_another_width_than_the_header_is_named(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.csv", "subject,relation,object\na,b,c,d\na,b\na,b,c\n")
    assert errors(rows) == [(2, "4 columns where the header names 3"), (3, "2 columns where the header names 3")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"a\x00\tb\tc", "NUL"),
        (b"M\xfcller\tb\tc", "byte 2 of the line is no UTF-8"),
        (b"\tb\tc", "subject is empty"),
        (b"a\t \tc", "relation is empty"),
        (b"a\tb\t", "object is empty"),
        (b"a\tb\t" + b"x" * 2001, "object is 2,001 bytes long; at most 2,000 fit"),
        (b"a\tb\t" + b"x" * 4_000_001, "longer than 4,000,000 bytes"),
        (b"a\tb\tc\t2010\t2009", "valid_from 2010 is later than valid_to 2009"),
        (b"a\tb\tc\tyesterday", "valid_from: 'yesterday' is no date"),
        (b"a\tb\tc\t2019-02-30", "is no date"),
        (b"a\tb\tc\t\t\t\t1.5", "confidence 1.5 is outside 0 to 1"),
        (b"a\tb\tc\t\t\t\tnan", "outside 0 to 1"),
        (b"a\tb\tc\t\t\t\thigh", "confidence 'high' is no number"),
    ],
)
def test_a_bad_row_is_named_by_line_and_the_next_one_is_read(tmp_path: Path, line: bytes, reason: str) -> None:
    rows = read(tmp_path / "a.tsv", b"a\tb\tc\n" + line + b"\nd\te\tf\n")
    [(number, error)] = errors(rows)
    assert number == 2
    assert reason in error
    assert facts([p for p in rows if p.row]) == [("a", "b", "c"), ("d", "e", "f")]


def test_a_bad_first_line_does_not_hide_the_header(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.tsv", b"\xff\xfa\nobject\trelation\tsubject\nBob\tknows\tAnn\n")
    assert errors(rows)[0][0] == 1
    assert facts(rows[1:]) == [("Ann", "knows", "Bob")]


def test_a_quoted_csv_record_may_span_lines_and_is_named_by_its_first(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.csv", 'Ann,says,"two\nlines, ""quoted"""\nAnn,says\n')
    assert facts(rows[:1]) == [("Ann", "says", 'two\nlines, "quoted"')]
    assert errors(rows)[0][0] == 3


def test_an_unclosed_quote_is_named_by_the_line_that_opens_it(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.csv", 'a,b,c\nd,e,"f\ng,h,i\n')
    assert facts(rows[:1]) == [("a", "b", "c")]
    assert errors(rows) == [(2, "unexpected end of data")]


def test_a_header_that_names_a_column_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.csv:1: the header names subject twice"):
        read(tmp_path / "a.csv", "subject,head,relation,object\na,b,c,d\n")


def test_a_file_in_utf16_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the file is UTF-16; save it as UTF-8"):
        read(tmp_path / "a.tsv", "a\tb\tc\n".encode("utf-16"))


def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\.csv \.json \.jsonl"):
        InputFile.of(tmp_path / "facts.xlsx")


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"missing\.tsv cannot be read"):
        InputFile.of(tmp_path / "missing.tsv")


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    assert read(tmp_path / "a.tsv", "") == []
    assert read(tmp_path / "b.csv", "") == []


def test_a_file_that_changes_while_it_is_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("Ann\tknows\tBob\n" * 3)
    rows = InputFile.of(path).rows()
    next(rows)
    path.write_text("Ann\tknows\tCid\n")
    with pytest.raises(DataError, match="changed while it was loaded"):
        list(rows)


def test_what_cannot_be_read_twice_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tsv")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    (tmp_path / "folder.json").mkdir()
    for name in ("pipe.tsv", "zero.csv", "folder.json"):
        with pytest.raises(DataError, match="no regular file"):
            InputFile.of(tmp_path / name)


def test_a_name_beyond_every_number_is_refused(tmp_path: Path) -> None:
    rows = read(tmp_path / "a.jsonl", '{"subject": 1e999, "relation": "is", "object": "B"}\n')
    assert errors(rows) == [(1, "subject is too large for a number; write it as text")]


def test_rejects_are_never_written_over_what_is_loaded(tmp_path: Path) -> None:
    path, link = tmp_path / "team.rejects.jsonl", tmp_path / "link.jsonl"
    path.write_text("{}\n")
    link.symlink_to(path)
    for loaded in (path, link):
        with pytest.raises(ConfigError, match="is loaded and would be overwritten"):
            Rejects("skip", path, [loaded])
    assert path.read_text() == "{}\n"
    Rejects("stop", path, [path])


@pytest.mark.parametrize("place", ["/dev/full", "/proc/nowhere/rejects.jsonl"])
def test_rejects_that_cannot_be_written_are_named(place: str, tmp_path: Path) -> None:
    refused = read(tmp_path / "a.tsv", "only\n")[0]
    with pytest.raises(ConfigError, match="name another one with --rejects"), Rejects("skip", Path(place)) as rejects:
        rejects.add(refused)
