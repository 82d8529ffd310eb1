"""Dates of files as half-open intervals."""

import pytest

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.errors import DataError
from knowledge.loading.period import ALWAYS, period


@pytest.mark.parametrize(
    ("until", "end", "precision"),
    [
        ("1964", "1965-01-01T00:00:00+00:00", "year"),
        ("1964-12", "1965-01-01T00:00:00+00:00", "month"),
        ("1964-02-28", "1964-02-29T00:00:00+00:00", "day"),
        ("1964-02-28T12:00:00Z", "1964-02-28T12:00:00+00:00", "instant"),
        ("1964-02-28T12:00:00+02:00", "1964-02-28T10:00:00+00:00", "instant"),
    ],
)
def test_an_end_of_a_whole_day_month_or_year_is_inclusive_and_an_instant_exclusive(until: str, end: str, precision: str) -> None:
    found = period("", until)
    assert (found.end.isoformat(), found.end_precision) == (end, precision)
    assert found.start == OPEN_START


def test_no_dates_mean_always() -> None:
    assert period("", "") is ALWAYS


def test_the_same_year_at_both_ends_is_that_year() -> None:
    found = period("2010", "2010")
    assert (found.start.year, found.end.year) == (2010, 2011)


def test_a_date_before_the_year_one_is_the_open_start_with_its_text_kept() -> None:
    found = period("-0044-03-15", "-0027")
    assert (found.start, found.end) == (OPEN_START, OPEN_START)
    assert (found.start_text, found.end_text, found.early) == ("-0044-03-15", "-0027", 2)


def test_a_bare_number_below_1000_is_a_year() -> None:
    assert period("360", "").start.isoformat() == "0360-01-01T00:00:00+00:00"


def test_the_last_year_that_can_be_written_ends_open() -> None:
    assert period("", "9999").end == OPEN_END


@pytest.mark.parametrize(
    ("since", "until"),
    [("2010", "2009"), ("2010-05", "2010-04"), ("2010-05-02T01:00:00Z", "2010-05-02T00:00:00Z"), ("-0027", "-0044"), ("2010", "-0044")],
)
def test_a_start_after_the_end_is_refused(since: str, until: str) -> None:
    with pytest.raises(DataError, match="later than"):
        period(since, until)


@pytest.mark.parametrize(
    ("since", "until"), [("2010-05", "2010"), ("2010", "2010-03"), ("-0044", "2010"), ("-0044", "-0027"), ("", "-0044")]
)
def test_dates_of_different_precision_that_overlap_are_kept(since: str, until: str) -> None:
    assert period(since, until).start <= period(since, until).end


@pytest.mark.parametrize("text", ["soon", "2019-13", "20190", "1/2/2003", "10000"])
def test_what_is_no_date_is_refused_with_the_forms_that_are(text: str) -> None:
    with pytest.raises(DataError, match="write 2019, 2019-05"):
        period(text, "")


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59.999999Z"])
def test_an_instant_that_leaves_the_calendar_in_utc_is_refused(text: str) -> None:
    for cells in ((text, ""), ("", text)):
        with pytest.raises(DataError, match="is no date"):
            period(*cells)
