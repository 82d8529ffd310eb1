"""The words of Cypher that a model may and may not use: functions by an allow-list, clauses that are refused with their reason."""

from knowledge.cypher.refusal import Code

AGGREGATES = frozenset(["avg", "collect", "count", "max", "min", "percentileCont", "percentileDisc", "stDev", "stDevP", "sum"])
_LISTS = "coalesce head isEmpty keys last nodes range relationships reverse size tail toBooleanList toFloatList toIntegerList toStringList"
_ELEMENTS = "elementId endNode exists id labels length properties startNode type"
_NUMBERS = "abs acos asin atan atan2 ceil cos cot degrees e exp floor haversin isNaN log log10 pi radians round sign sin sqrt tan"
_TEXTS = "btrim char_length character_length left lower ltrim normalize replace right rtrim split substring toLower toString toStringOrNull toUpper trim upper"
_VALUES = "nullIf toBoolean toBooleanOrNull toFloat toFloatOrNull toInteger toIntegerOrNull valueType"
_TIMES = (
    "date date.truncate datetime datetime.fromEpoch datetime.fromEpochMillis datetime.truncate duration duration.between duration.inDays"
    " duration.inMonths duration.inSeconds localdatetime localdatetime.truncate localtime localtime.truncate time time.truncate"
)
_PLACES = "point point.distance point.withinBBox"
_FUNCTIONS = {
    name.lower(): name for name in [*AGGREGATES, *" ".join((_LISTS, _ELEMENTS, _NUMBERS, _TEXTS, _VALUES, _TIMES, _PLACES)).split()]
}

READING = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"})
_REFUSED: tuple[tuple[Code, str, str, str], ...] = (
    ("write", "CREATE MERGE SET DELETE DETACH NODETACH REMOVE FOREACH INSERT", "changes the graph", "only MATCH … RETURN is run"),
    ("import", "LOAD", "reads files or addresses", "ask about what is in the graph"),
    (
        "administration",
        "SHOW TERMINATE GRANT DENY REVOKE DROP ALTER RENAME START STOP USE ENABLE DRYRUN DEALLOCATE REALLOCATE",
        "administers the server",
        "the schema is given by the schema tool",
    ),
    ("prefix", "EXPLAIN PROFILE CYPHER", "is a prefix", "write the statement alone"),
    ("hint", "USING", "is a hint to the planner", "leave it out"),
    ("syntax", "FINISH LET FILTER NEXT WHEN SEARCH FOR ORDER SKIP LIMIT OFFSET", "cannot begin a clause here", "use MATCH, WITH, UNWIND and RETURN"),
)  # fmt: skip
REFUSED = {word: (code, why, instead) for code, words, why, instead in _REFUSED for word in words.split()}
KEYWORDS = READING | REFUSED.keys() | {"WHERE", "UNION", "BY"}


def function(name: str) -> str | None:
    """The allowed function of that name in the server's spelling, None where it is none."""
    return _FUNCTIONS.get(name.lower())


def functions() -> list[str]:
    """All allowed functions."""
    return sorted(_FUNCTIONS.values())
