"""Names that are numbers or dates, as numbers that the database can order."""

MAGNITUDES = (
    ("trillion", 1e12), ("billion", 1e9), ("million", 1e6), ("thousand", 1e3), ("bn", 1e9),
    ("万亿", 1e12), ("亿", 1e8), ("万", 1e4), ("年", 1.0),
)  # fmt: skip
_LEFT_OUT = ("$", "€", "£", "¥", "￥", ",", "%", " ")
_NUMBER = r"[-+]?\\d+(\\.\\d+)?"
_DATE = r"\\d{4}-\\d{2}(-\\d{2})?(t.*)?"


def comparable(name: str) -> str:
    """A Cypher expression for the number or date that the expression `name` spells, null where it spells none.

    `1,500`, `$2.5 billion`, `12%`, `3亿` are numbers. A date is a year with a fraction, so that `2009` and `2009-05-07` compare;
    the fraction orders days and is not a duration.
    """
    plain = f"reduce(t = toLower({name}), c IN [{_listed(_LEFT_OUT)}] | replace(t, c, ''))"
    units = ", ".join(f"{{unit: '{unit}', times: {times}}}" for unit, times in MAGNITUDES)
    date = (
        "toFloat(left(t, 4)) + (toFloat(substring(t, 5, 2)) - 1) / 12 + (toFloat(coalesce(nullIf(substring(t, 8, 2), ''), '1')) - 1) / 372"
    )
    scaled = (
        f"head([u IN [{units}] WHERE t ENDS WITH u.unit AND left(t, size(t) - size(u.unit)) =~ '{_NUMBER}'"
        " | toFloat(left(t, size(t) - size(u.unit))) * u.times])"
    )
    return f"head([t IN [{plain}] | CASE WHEN t =~ '{_NUMBER}' THEN toFloat(t) WHEN t =~ '{_DATE}' THEN {date} ELSE {scaled} END])"


def _listed(texts: tuple[str, ...]) -> str:
    return ", ".join(f"'{text}'" for text in texts)
