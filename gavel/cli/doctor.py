"""`gavel doctor`: what is wrong, and what to do. Exit code 1 when something fails; warnings do not."""

from dataclasses import asdict

import typer

from gavel.cli.output import Format, FormatOption, console, plain, print_json, progress

_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "failure": ("✗", "red")}


def doctor(output: FormatOption = Format.text) -> None:
    """Check settings, Java, database, indexes, embedder, profile, principal and disk."""
    from rich.text import Text

    from gavel import settings
    from gavel.app import App
    from gavel.doctor import examine

    with progress() as bar, App(settings.load(), bar) as app:
        findings = list(examine(app))
    if output is Format.json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            mark, colour = _MARKS[finding.state]
            console().print(Text.assemble((mark, colour), f" {finding.check:<13} {plain(finding.found)}"))
            if finding.advice:
                console().print(Text(f"  {'':<13} → {plain(finding.advice)}"))
    if any(finding.state == "failure" for finding in findings):
        raise typer.Exit(1)
