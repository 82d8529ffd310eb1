"""`python -m evals run SET…`: ask question sets of the real product and write a report. `python -m evals list` names the sets."""

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_cache_path

from evals.door import Setting
from evals.journal import Journal, Row, product_digest
from evals.report import markdown, write_report
from evals.run import run, selected
from evals.suites import SUITES, cases
from evals.summary import summaries
from evals.worlds.catalogue import world
from gavel import settings as settings_of_gavel
from knowledge.errors import GavelError
from knowledge.profile.profile import Shape

ROOT = Path(__file__).parent.parent
CACHE = user_cache_path("gavel", appauthor=False) / "evals"
app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)


class Profiles(StrEnum):
    """Whether the owner's profile is known."""

    BOTH = "both"
    WITH = "with"
    WITHOUT = "without"


class Shapes(StrEnum):
    """The shapes of the database."""

    BOTH = "both"
    MEMORY = "memory"
    NATIVE = "native"


@app.command("list")
def list_sets() -> None:
    """Name the question sets."""
    typer.echo("\n".join(SUITES))


@app.command("run")
def run_sets(
    sets: Annotated[list[str], typer.Argument(help="question sets, or `all`")],
    shape: Annotated[Shapes, typer.Option(help="shape of the database")] = Shapes.MEMORY,
    profile: Annotated[Profiles, typer.Option(help="with the owner's profile, without, or both")] = Profiles.BOTH,
    split: Annotated[str, typer.Option(help="only the work or report half of a set that has halves")] = "",
    limit: Annotated[int, typer.Option(min=0, help="at most so many questions per set, spread evenly; 0: all")] = 0,
    keep_case: Annotated[bool, typer.Option("--keep-case", help="do not lower the case of the data sets' questions")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="ask everything again")] = False,
    name: Annotated[str, typer.Option(help="name of the report under reports/")] = "evals",
    cache: Annotated[Path, typer.Option(help="folder of the worlds' databases")] = CACHE,
) -> None:
    """Ask the sets in every setting wanted, go on where an earlier run of the same code stopped, and write reports/NAME.md and .json."""
    try:
        missed = _run(_known(sets), _settings(shape, profile), split, limit, keep_case, fresh, ROOT / "reports" / name, cache)
    except GavelError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    raise typer.Exit(1 if missed else 0)


def _run(sets: list[str], settings: list[Setting], split: str, limit: int, keep_case: bool, fresh: bool, report: Path, cache: Path) -> bool:
    """Whether a floor was missed."""
    from evals.product import opener

    configured = settings_of_gavel.load()
    chosen = [case for suite in sets for case in cases(suite, configured.datasets, cache / "worlds", keep_case=keep_case)]
    code = product_digest(ROOT)
    journal = Journal(report.with_suffix(".jsonl"), code, fresh=fresh)
    try:
        run(
            selected(chosen, split, limit), settings, lambda named: world(named, configured.datasets, cache / "worlds"),
            opener(configured, cache, lambda said: typer.echo(said, err=True)), journal, _progress,
        )  # fmt: skip
    finally:
        journal.close()
        now = datetime.now(UTC)
        write_report(journal.rows(), report, code, now)
        typer.echo(markdown(summaries(journal.rows()), journal.rows(), code, now))
    return any(line.met is False for line in summaries(journal.rows()))


def _known(sets: list[str]) -> list[str]:
    names = list(SUITES) if sets == ["all"] else sets
    if unknown := [each for each in names if each not in SUITES]:
        raise typer.BadParameter(f"no such set: {', '.join(unknown)}; the sets are {', '.join(SUITES)}")
    return names


def _settings(shape: Shapes, profile: Profiles) -> list[Setting]:
    shapes: list[Shape] = ["memory", "native"] if shape is Shapes.BOTH else ["native" if shape is Shapes.NATIVE else "memory"]
    known = [False, True] if profile is Profiles.BOTH else [profile is Profiles.WITH]
    return [Setting(each, described) for each in shapes for described in known]


def _progress(row: Row, done: int, total: int) -> None:
    typer.echo(f"{done}/{total} {row.verdict:5} {row.milliseconds:6.0f} ms {row.queries:2.0f} q  {row.case}", err=True)


if __name__ == "__main__":
    app()
