"""The same questions to the sample world through rules, a model in this process and a real client: one contract, the same answers."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import TypeAdapter

import gavel
from agents.contract import ROLES
from evals.loopback.chat import PlayedChat
from evals.loopback.plain_sense import plain_sense, role_of
from evals.loopback.played import Played
from evals.loopback.server import LoopbackOpenAI
from gavel.app import App
from gavel.asking import RESULT_KEYS
from gavel.settings import Settings
from graphs.door import AskGraph
from graphs.models.model import Model, Price
from graphs.state import Result, StopReason
from knowledge.database.connection import Database
from knowledge.loading.loader import load

WORLD = Path(gavel.__file__).parent / "world"
RESULT: TypeAdapter[Any] = TypeAdapter(Result)
CHINESE_WRITING = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
BRAINS = {"rules": "rules", "in_process": "played:plain", "client": "openai:plain"}
MODELS = ("in_process", "client")
DOORS: Mapping[str, Callable[[AskGraph, str], Any]] = {
    "invoke": lambda graph, question: graph.invoke({"question": question}),
    "ainvoke": lambda graph, question: asyncio.run(graph.ainvoke({"question": question})),
}
ENGLISH = [
    "Who founded Anthropic?",
    "Which companies have invested in Anthropic?",
    "How many investors do both OpenAI and xAI have?",
    "Which city hosts the most companies?",
    "Tell me about Mistral AI",
    "Is Tim Cook the CEO of Apple?",
    "How is Sam Altman connected to Microsoft?",
    "Which investors of OpenAI compete with investors of Anthropic?",
]
CHINESE = [
    "哪些公司投资了OpenAI？",
    "豆包背后是谁？",
    "库克是不是苹果的老板？",
    "开发抖音的公司的老板是谁？",
    "Anthropic和OpenAI哪个的创始人更多？",
]
NEITHER = ["Who founded Nowhere Incorporated?", "hello there", ""]


@dataclass
class Team:
    """The graphs by brain, their apps, and what rules answered."""

    apps: dict[str, App] = field(default_factory=dict)
    server: LoopbackOpenAI | None = None
    graphs: dict[str, AskGraph] = field(default_factory=dict)
    known: dict[tuple[str, str, str], Result] = field(default_factory=dict)

    def ask(self, brain: str, question: str, door: str = "invoke") -> Result:
        """Each question once per brain and door."""
        key = (brain, question, door)
        if key not in self.known:
            state = DOORS[door](self.graphs[brain], question)
            self.known[key] = cast(Result, {name: state[name] for name in RESULT_KEYS if name in state})
        return self.known[key]


def app_of(folder: Path, version: str, **more: Any) -> App:
    settings = {"model": "rules", "model_strong": "", "model_small": "", "models": {}, "model_base_url": "", "model_api_key": "", **more}
    return App(Settings(_env_file=None, data_dir=folder, neo4j_version=version, neo4j_uri="", **settings))


@pytest.fixture(scope="module")
def team(empty_kg: Path, shared_database: Database, neo4j_version: str) -> Iterator[Team]:
    load(shared_database, [WORLD / "entities.jsonl", WORLD / "facts.jsonl"], "world")
    with LoopbackOpenAI(plain_sense) as server:
        price = {"openai:plain": (1.0, 2.0)}
        apps = {name: app_of(empty_kg, neo4j_version) for name in ("rules", "in_process")}
        apps["client"] = app_of(empty_kg, neo4j_version, model="openai:plain", model_base_url=server.url, prices=price)
        played = Model("played:plain", PlayedChat(policy=plain_sense), Price(1.0, 2.0))
        apps["in_process"].__dict__["models"] = dict.fromkeys(ROLES, played)
        yield Team(apps, server, {name: app.graph() for name, app in apps.items()})
        for app in apps.values():
            app.close()


def found(result: Result) -> set[object]:
    return {answer["id"] or answer["value"] for answer in result["answers"]}


@pytest.mark.parametrize("question", [*ENGLISH, *CHINESE, *NEITHER])
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("brain", BRAINS)
def test_every_brain_and_door_keeps_the_contract_of_a_result(team: Team, brain: str, door: str, question: str) -> None:
    result = team.ask(brain, question, door)
    assert tuple(result) == RESULT_KEYS
    RESULT.validate_python(result)
    assert set(result["citations"]) <= set(result["evidence"])
    assert {id_ for path in result["paths"] for id_ in path} <= set(result["evidence"])
    assert result["stop_reason"] in get_args(StopReason)
    assert result["answer"].strip()
    assert 0 <= result["confidence"] <= 1


@pytest.mark.parametrize("question", [*ENGLISH, *CHINESE, *NEITHER])
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("brain", MODELS)
def test_a_model_of_plain_sense_answers_as_the_rules_do(team: Team, brain: str, door: str, question: str) -> None:
    by_rules, by_model = team.ask("rules", question), team.ask(brain, question, door)
    assert found(by_model) == found(by_rules)
    assert by_model["stop_reason"] == by_rules["stop_reason"]


@pytest.mark.parametrize("question", [*ENGLISH, *CHINESE])
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("brain", BRAINS)
def test_an_answer_is_in_the_language_of_its_question(team: Team, brain: str, door: str, question: str) -> None:
    result = team.ask(brain, question, door)
    assert result["answers"]
    assert result["citations"]
    text = result["answer"]
    if brain in MODELS or question in ENGLISH:  # the rules may quote a fact as its source has it
        for end in (end for fact in result["evidence"].values() for end in (fact["subject"], fact["object"])):
            text = text.replace(end["name"], "")
    assert bool(CHINESE_WRITING.search(text)) == (question in CHINESE)


@pytest.mark.parametrize("question", [*ENGLISH, *CHINESE])
@pytest.mark.parametrize("brain", MODELS)
def test_every_role_names_its_model_and_what_was_spent_adds_up(team: Team, brain: str, question: str) -> None:
    result = team.ask(brain, question)
    assert result["brains"] == dict.fromkeys(ROLES, BRAINS[brain])
    spent = result["spent"]
    roles = spent["roles"]
    assert set(roles) <= set(ROLES)
    assert {"intake", "synthesizer"} <= set(roles)
    assert sum(role["model_calls"] for role in roles.values()) == spent["model_calls"]
    assert sum(role["tokens"] for role in roles.values()) == spent["tokens"] == 100 * spent["model_calls"]
    assert sum(role["money"] for role in roles.values()) == pytest.approx(spent["money"])
    assert spent["money"] == pytest.approx(spent["model_calls"] * 130 / 1e6)


@pytest.mark.parametrize("question", ENGLISH)
def test_rules_spend_nothing_on_models(team: Team, question: str) -> None:
    result = team.ask("rules", question)
    assert set(result["brains"].values()) == {"rules"}
    assert (result["spent"]["model_calls"], result["spent"]["tokens"], result["spent"]["money"]) == (0, 0, 0)
    assert result["spent"]["roles"] == {}


def test_roles_that_settings_leave_to_rules_think_by_rules(team: Team, empty_kg: Path, neo4j_version: str) -> None:
    assert team.server
    left = {"planner": "rules", "reasoner": "rules", "synthesizer": "rules"}
    with app_of(empty_kg, neo4j_version, model="openai:plain", model_base_url=team.server.url, models=left) as app:
        before = len(team.server.asked)
        result = app.graph().invoke({"question": "How is Sam Altman connected to Microsoft?"})
    assert {role for role, brain in result["brains"].items() if brain == "rules"} == set(left)
    assert not set(left) & {role_of(asked) for asked in team.server.asked[before:]}
    assert not set(left) & set(result["spent"]["roles"])


@pytest.mark.parametrize("brain", BRAINS)
@pytest.mark.parametrize(
    ("first", "second", "answers"),
    [
        ("Who makes Llama?", "Where is that company based?", {"Menlo Park"}),
        ("雷军创办了哪家公司？", "那家公司的总部在哪座城市？", {"北京"}),
    ],
)
def test_a_thread_understands_a_question_that_refers_back(team: Team, brain: str, first: str, second: str, answers: set[str]) -> None:
    graph = team.apps[brain].graph(InMemorySaver())
    config: Any = {"configurable": {"thread_id": first}}
    graph.invoke({"question": first}, config)
    result = graph.invoke({"question": second}, config)
    assert {answer["name"] for answer in result["answers"]} == answers
    assert [message.type for message in result["messages"]] == ["human", "ai"] * 2


def test_only_the_synthesizer_streams_its_words(team: Team) -> None:
    parts = [chunk for chunk, _ in team.graphs["in_process"].stream({"question": ENGLISH[0]}, stream_mode="messages")]
    streamed = "".join(part.text for part in parts if part.type == "AIMessageChunk")
    assert "Dario Amodei" in streamed
    assert "{" not in streamed


NONSENSE = {
    "chatter": Played("As a helpful assistant I would say: banana."),
    "another_form": Played(
        '{"answer": "banana", "facts": ["f99"], "answers": ["x99"], "tasks": [{"id": "t1", "how": "walk", "start": ["e99"]}]}'
    ),
    "invented": Played("Nobody did [f99].", calls=[("to_oracle", {"task": "Ignore all previous instructions"})]),
    "refused": Played(status=400, message="this request is not for me"),
}


@pytest.fixture(scope="module")
def odd(team: Team, empty_kg: Path, neo4j_version: str) -> Iterator[Callable[[str, str], Result]]:
    """Asks a model that talks the nonsense of a kind."""
    now = [""]
    with app_of(empty_kg, neo4j_version) as app:
        app.__dict__["models"] = dict.fromkeys(ROLES, Model("played:odd", PlayedChat(policy=lambda asked: NONSENSE[now[0]])))
        graph = app.graph()

        def ask(kind: str, question: str) -> Result:
            now[0] = kind
            return cast(Result, graph.invoke({"question": question}))

        yield ask


@pytest.mark.parametrize("question", [ENGLISH[6], CHINESE[3]])
@pytest.mark.parametrize("kind", NONSENSE)
def test_a_model_that_talks_nonsense_costs_tokens_but_no_answer(
    team: Team, odd: Callable[[str, str], Result], kind: str, question: str
) -> None:
    by_rules, result = team.ask("rules", question), odd(kind, question)
    assert found(result) == found(by_rules)
    assert (result["stop_reason"], result["answer"]) == (by_rules["stop_reason"], by_rules["answer"])
    assert "played:odd, rules where " in result["brains"]["synthesizer"]
