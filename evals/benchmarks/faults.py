"""Every fault of a provider in every role: how the question ends, with how many calls, for how much, in what time. `python -m evals.benchmarks.faults`."""

import dataclasses
import json
import sys
import time
from collections.abc import Sequence
from typing import cast

from agents.contract import ROLES, Role
from agents.llm import planner, reasoner
from evals.benchmarks.toy import ToyKg, person
from evals.benchmarks.toy_brains import BRAINS
from evals.loopback.plain_sense import plain_sense, role_of
from evals.loopback.played import Asked, Played, Policy
from evals.loopback.server import LoopbackOpenAI
from gavel.brains import MINDS
from gavel.models import models
from gavel.settings import Settings
from graphs.ask import build
from graphs.models.model import Model

QUESTION = "hometown of the creator of Belo and basis of Dunka"
PLAN = {
    "tasks": [
        {"id": "t1", "how": "walk", "start": ["e1"], "steps": [{"relation": "made"}], "goal": "creator"},
        {"id": "t2", "how": "walk", "start": ["t1"], "steps": [{"relation": "born"}], "goal": "hometown"},
        {"id": "t3", "how": "explore", "start": ["e1"], "goal": "what is around"},
    ]
}
SECONDS = 2.0
UNSURE = 2.0
PRICES = (1.0, 4.0)
FAULTS = {
    "none": None,
    "429": Played(status=429),
    "429, retry after an hour": Played(status=429, headers={"retry-after": "3600"}),
    "500": Played(status=500),
    "503, retry after 0.1 s": Played(status=503, headers={"retry-after": "0.1"}),
    "no answer": Played(delay=20),
    "dripping": Played("so on " * 400, drip=0.1),
    "cut": Played("so on " * 50, cut=3),
    "empty": Played(""),
    "oversized": Played("so on " * 20_000, tokens=(70, 30_000)),
    "not JSON": Played("Certainly! Here is what you asked for."),
    "wrong JSON": Played('{"nonsense": [1, 2, 3]}'),
    "refusal": Played("I am sorry, but I cannot help with that."),
    "unknown tool": Played(calls=[("do_magic", {"x": 1})]),
    "unknown entity": Played(
        json.dumps({"tasks": [{"id": "t1", "how": "explore", "start": ["e99"]}], "answers": ["a99"], "relations": ["magic"]})
    ),
}


def main() -> None:
    """One line per fault and role; the rules count as sure of nothing, so that every role is asked."""
    planner.SURE = reasoner.SURE = UNSURE
    sys.stdout.write(f"{'fault':26} {'role':13} {'ended':12} {'fell back':13} calls  tokens  money     s\n")
    for name, played in FAULTS.items():
        for role in ROLES if played else ROLES[:1]:
            sys.stdout.write(_line(name, role, played) + "\n")
            sys.stdout.flush()


def _line(name: str, role: Role, played: Played | None) -> str:
    kg = ToyKg()
    with LoopbackOpenAI(_policy(role, played)) as server:
        given = Settings(model="openai:played", model_base_url=server.url, model_seconds=SECONDS, prices={"openai:played": PRICES})
        made = models(given)["intake"]
        each = {one: Model(f"openai:{one}", made.chat, made.price, SECONDS) for one in cast(Sequence[Role], ROLES)}
        brains = dataclasses.replace(BRAINS, minds=MINDS)
        began = time.perf_counter()
        result = build(kg.open, brains, person, terminate=kg.terminate, models=each).invoke({"question": QUESTION})
        took = time.perf_counter() - began
    fell = ", ".join(sorted(one for one, brain in result["brains"].items() if "rules where" in brain))
    spent = result["spent"]
    return f"{name:26} {role:13} {result['stop_reason']:12} {fell:13} {spent['model_calls']:5} {spent['tokens']:7} {spent['money']:.4f} {took:5.2f}"


def _policy(role: Role, played: Played | None) -> Policy:
    """Everyone plays well except one role; the planner also explores, so that every role is asked."""

    def policy(asked: Asked) -> Played:
        if played and role_of(asked) == role:
            return played
        return Played(json.dumps(PLAN)) if role_of(asked) == "planner" else plain_sense(asked)

    return policy


if __name__ == "__main__":
    main()
