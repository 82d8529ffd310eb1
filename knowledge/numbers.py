"""Numbers as people write them."""

WHOLE = 1e15


def written(value: float) -> str:
    """Whole numbers without a point or an exponent, others with up to twelve digits: 1234567, 0.25."""
    return str(int(value)) if float(value).is_integer() and abs(value) < WHOLE else f"{value:.12g}"
