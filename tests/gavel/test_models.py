"""From settings to models: who thinks with what, what is refused at once, what it costs, and that no secret is shown."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.contract import ROLES
from evals.benchmarks.toy import ToyKg, person
from evals.benchmarks.toy_brains import BRAINS
from evals.loopback.plain_sense import plain_sense
from evals.loopback.server import LoopbackOpenAI
from gavel import settings
from gavel.app import App
from gavel.cli.config import config
from gavel.cli.output import Format
from gavel.models import models
from graphs.ask import build
from knowledge.errors import ConfigError

KEY = "sk-open-sesame"
ONE, STRONG, SMALL = "openai:gpt-4o-mini", "openai:gpt-4o", "openai:gpt-4.1-nano"


@pytest.fixture
def given(environment: pytest.MonkeyPatch) -> Any:
    """Sets variables by the part of their name after GAVEL_, and reads the settings."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        environment.delenv(name, raising=False)

    def read(**values: str) -> settings.Settings:
        for name, value in values.items():
            environment.setenv(f"GAVEL_{name}", value)
        settings.load.cache_clear()
        return settings.load()

    return read


def ids(current: settings.Settings) -> dict[str, str]:
    return {role: model.id for role, model in models(current).items()}


def test_rules_alone_import_no_client_of_any_provider(tmp_path: Path) -> None:
    code = (
        "import sys; from gavel.app import App; from gavel.settings import load; a = App(load()); a.graph(); print(a.models, *sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True).stdout.split()
    assert told[0] == "{}"
    assert {"langchain", "langchain_openai", "openai", "anthropic"} & set(told) == set()


@pytest.mark.parametrize("values", [{}, {"MODEL": "rules"}, {"MODEL_STRONG": "rules", "MODELS": '{"planner": "rules"}'}])
def test_rules_for_all_give_no_model(given: Any, values: dict[str, str]) -> None:
    current = given(**values)
    assert (App(current).models, models(current)) == ({}, {})


def test_one_model_is_one_object_for_all_roles(given: Any) -> None:
    made = models(given(MODEL=ONE, MODEL_API_KEY=KEY))
    assert set(made) == {*ROLES, "writer"}
    assert len({id(model) for model in made.values()}) == 1


def test_tiers_go_to_their_roles_and_single_roles_before_both(given: Any) -> None:
    current = given(
        MODEL=ONE,
        MODEL_STRONG=STRONG,
        MODEL_SMALL=SMALL,
        MODEL_API_KEY=KEY,
        MODELS='{"planner": "rules", "intake": "openai:own", "reasoner": ""}',
    )
    assert ids(current) == {
        "intake": "openai:own", "supervisor": ONE, "navigator": SMALL, "reasoner": STRONG, "gap_detector": SMALL, "synthesizer": ONE,
        "writer": ONE,
    }  # fmt: skip


def test_a_single_role_may_have_the_only_model(given: Any) -> None:
    assert ids(given(MODELS=json.dumps({"synthesizer": ONE}), MODEL_API_KEY=KEY)) == {"synthesizer": ONE}


def test_a_server_of_ones_own_needs_no_key_and_no_client_retries_behind_the_budget(given: Any) -> None:
    chat: Any = models(given(MODEL=ONE, MODEL_BASE_URL="http://localhost:11434/v1", MODEL_SECONDS="7"))["planner"].chat
    assert (chat.openai_api_base, chat.max_retries, chat.request_timeout) == ("http://localhost:11434/v1", 0, 7.0)
    assert KEY not in repr(chat)


def test_a_temperature_is_passed_on_only_where_it_is_set(given: Any) -> None:
    chat: Any = models(given(MODEL=ONE, MODEL_API_KEY=KEY))["planner"].chat
    assert chat.temperature is None
    chat = models(given(MODEL_TEMPERATURE="0"))["planner"].chat
    assert chat.temperature == 0


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"MODEL": ONE}, r"GAVEL_MODEL=openai:gpt-4o-mini cannot be used: .*api_key"),
        ({"MODEL": "anthropic:claude"}, "needs a package that is not installed: .*langchain-anthropic"),
        ({"MODEL": "nobody:x"}, "cannot be used: .*nobody"),
        ({"MODEL": ONE, "MODEL_STRONG": "anthropic:claude", "MODEL_API_KEY": KEY}, "the key of one provider, not of anthropic, openai"),
        ({"MODEL": "anthropic:claude", "MODEL_BASE_URL": "http://localhost/v1"}, "GAVEL_MODEL_BASE_URL is for openai"),
    ],
)
def test_a_model_that_cannot_be_used_is_one_line_that_says_why_and_no_secret(given: Any, values: dict[str, str], words: str) -> None:
    current = given(**values)
    with pytest.raises(ConfigError, match=words) as told:
        models(current)
    assert "\n" not in str(told.value)
    assert KEY not in str(told.value)
    assert len(str(told.value)) < 500


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MODEL", "gpt-4o", "is no model"),
        ("MODEL_STRONG", ":gpt", "is no model"),
        ("MODEL_SMALL", "openai:", "is no model"),
        ("MODEL", "openai: ", "is no model"),
        ("MODELS", "{planner: rules", "is no JSON"),
        ("MODELS", '["planner"]', "valid dictionary"),
        ("MODELS", '{"poet": "rules"}', "'poet' is no role; roles are intake"),
        ("MODELS", '{"planner": "gpt"}', "'gpt' is no model"),
        ("MODELS", '{"planner": 5}', "valid string"),
        ("PRICES", "cheap", "is no JSON"),
        ("PRICES", '{"openai:x": [1]}', "required"),
        ("PRICES", '{"openai:x": ["a", "b"]}', "valid number"),
        ("PRICES", '{"openai:x": [-1, 1]}', "greater than or equal to 0"),
        ("PRICES", '{"openai:x": [NaN, 1]}', "finite|greater"),
        ("MODEL_BASE_URL", "localhost:8000", "is no address"),
        ("MODEL_SECONDS", "0", "greater than 0"),
        ("MODEL_TEMPERATURE", "3", "less than or equal to 2"),
    ],
)
def test_a_setting_that_cannot_work_is_named(given: Any, name: str, value: str, words: str) -> None:
    with pytest.raises(ConfigError, match=f"GAVEL_{name}: .*({words})"):
        given(**{name: value})


def test_a_password_in_an_address_is_refused_without_being_told(given: Any) -> None:
    with pytest.raises(ConfigError, match=r"GAVEL_MODEL_BASE_URL: .*GAVEL_MODEL_API_KEY") as told:
        given(MODEL_BASE_URL="https://me:open-sesame@localhost/v1")
    assert "sesame" not in str(told.value)


def test_several_wrong_settings_of_models_are_told_at_once(given: Any) -> None:
    with pytest.raises(ConfigError, match=r"(?s)GAVEL_MODELS.*GAVEL_PRICES"):
        given(MODELS="{", PRICES="{")


@pytest.mark.parametrize(
    ("prices", "each"), [('{"openai:gpt-4o-mini": [10, 100]}', (70 * 10 + 30 * 100) / 1e6), ('{"openai:other": [1, 1]}', 0)]
)
def test_money_is_counted_from_what_the_provider_reports_and_what_that_costs(given: Any, prices: str, each: float) -> None:
    with LoopbackOpenAI(plain_sense) as server:
        made = models(given(MODEL=ONE, MODEL_BASE_URL=server.url, PRICES=prices))
        spent = build(ToyKg().open, BRAINS, person, models=made).invoke({"question": "hometown of the creator of Belo"})["spent"]
    calls = len(server.asked)
    assert calls > 0
    assert (spent["model_calls"], spent["tokens"]) == (calls, 100 * calls)
    assert spent["money"] == pytest.approx(each * calls)
    assert sum(role["money"] for role in spent["roles"].values()) == pytest.approx(spent["money"])


@pytest.mark.parametrize("form", list(Format))
def test_gavel_config_shows_models_and_hides_the_key(given: Any, form: Format, capsys: pytest.CaptureFixture[str]) -> None:
    given(MODEL=ONE, MODEL_API_KEY=KEY, NEO4J_PASSWORD="open-sesame", MODELS='{"planner": "rules"}')
    config(form)
    told = capsys.readouterr()
    assert "gpt-4o-mini" in told.out.replace("\n", "")
    assert "sesame" not in told.out + told.err
    assert "*" in told.out


def test_the_key_is_hidden_wherever_settings_are_printed(given: Any) -> None:
    current = given(MODEL=ONE, MODEL_API_KEY=KEY)
    assert KEY not in repr(current) + str(current.model_dump(mode="json")) + repr(models(current))
