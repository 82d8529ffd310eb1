"""Ask every case in every setting, world by world, and keep what came of it."""

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from evals.case import Asked, Case
from evals.door import Ask, Opener, Setting
from evals.journal import Journal, Row
from evals.scoring import score
from evals.worlds.catalogue import World
from graphs.state import Result
from knowledge.profile.profile import Shape

BY_COMMAND = frozenset({"awkward"})
ANSWER_CHARACTERS = 400
Progress = Callable[[Row, int, int], None]


def run(
    cases: Sequence[Case], settings: Sequence[Setting], worlds: Callable[[str], World], opener: Opener, journal: Journal, progress: Progress
) -> None:
    """Cases that the journal holds are not asked again; those that ended in an error are. A world without profile is asked without only."""
    known = {name: worlds(name) for name in dict.fromkeys(case.world for case in cases)}
    asking = [(case, setting) for case in cases for setting in settings if known[case.world].profile or not setting.profile]
    pending = sorted(((case, setting) for case, setting in asking if _key(case, setting) not in journal), key=_place)
    done = 0
    for (name, shape), group in groupby(pending, key=_place_of_world):
        with opener(known[name], shape) as opened:
            for (profile, command), some in groupby(group, key=_place_of_door):
                ask = opened.command(profile) if command else opened.ask(profile)
                for case, setting in some:
                    row = judged(case, setting, asked(ask, case.turns))
                    journal.add(row)
                    done += 1
                    progress(row, done, len(pending))


def asked(ask: Ask, turns: Sequence[str]) -> Asked:
    """Ask, and turn whatever is raised into an error by name."""
    began = time.perf_counter()
    try:
        result = ask(turns)
    except Exception as error:
        return Asked({}, time.perf_counter() - began, f"{type(error).__name__}: {error}"[:ANSWER_CHARACTERS])
    return Asked(result, time.perf_counter() - began)


def judged(case: Case, setting: Setting, asked: Asked) -> Row:
    """The row of a case that was asked."""
    found = score(case, asked)
    result: Result = asked.result
    spent = result.get("spent", {})
    return Row(
        case.suite, setting.shape, setting.profile, case.id, " | ".join(case.turns)[:ANSWER_CHARACTERS], case.topic, found.verdict,
        found.hit, found.f1, spent.get("queries", 0), spent.get("milliseconds", asked.seconds * 1000), result.get("stop_reason", ""),
        result.get("confidence", 0.0), result.get("answer", "")[:ANSWER_CHARACTERS], found.why[:ANSWER_CHARACTERS], dict(case.groups),
    )  # fmt: skip


def selected(cases: Iterable[Case], split: str, limit: int) -> list[Case]:
    """Only one split of a set that has splits, and at most `limit` cases per suite (0: all), spread evenly."""
    kept = [case for case in cases if not split or case.groups.get("split", split) == split]
    suites = [list(group) for _, group in groupby(kept, key=lambda case: case.suite)]
    return [case for suite in suites for case in (suite[:: max(1, len(suite) // limit)][:limit] if limit else suite)]


def _key(case: Case, setting: Setting) -> tuple[str, str, bool, str]:
    return case.suite, setting.shape, setting.profile, case.id


def _place(pair: tuple[Case, Setting]) -> tuple[str, str, bool, bool, str]:
    case, setting = pair
    return case.world, setting.shape, setting.profile, case.suite in BY_COMMAND, case.suite


def _place_of_world(pair: tuple[Case, Setting]) -> tuple[str, Shape]:
    return pair[0].world, pair[1].shape


def _place_of_door(pair: tuple[Case, Setting]) -> tuple[bool, bool]:
    return pair[1].profile, pair[0].suite in BY_COMMAND
