"""`gavel config`: every setting, where it comes from, secrets hidden."""

from gavel.cli.output import Format, FormatOption, note, print_json, table


def config(output: FormatOption = Format.text) -> None:
    """Print every setting and where it comes from."""
    from gavel import settings

    current = settings.load()
    values = current.model_dump(mode="json")
    if output is Format.json:
        print_json({name: {"value": value, "origin": settings.origin(name)} for name, value in values.items()})
    else:
        fields = type(current).model_fields.items()
        rows = [
            [settings.variable(name), str(values[name] or ""), settings.origin(name), field.description or ""] for name, field in fields
        ]
        table(["setting", "value", "from", "meaning"], rows)
    for name in settings.unknown():
        note(f"{name} is set but is no setting of Gavel")
