"""From settings to the models that roles think with. A role without one thinks by its rules."""

from typing import Any

from agents.contract import ROLES, Role
from gavel.settings import RULES, Settings
from graphs.models.model import Model, Price, Way, schema_ways
from knowledge.errors import ConfigError

STRONG: frozenset[Role] = frozenset({"planner", "reasoner"})
SMALL: frozenset[Role] = frozenset({"navigator", "gap_detector"})
WRITER: Role = "writer"
OPENAI = "openai"
NO_KEY = "none"
WHY_CHARACTERS = 400


def models(given: Settings) -> dict[Role, Model]:
    """By role: its own override, else the model of its tier, else the one of all. ConfigError for an id that cannot be used.

    One model for all roles of the same id, so that they share what is learnt about its provider. Nothing is called.
    """
    ids = {role: _chosen(role, given) for role in (*ROLES, WRITER)}
    _fits({id_.partition(":")[0] for id_ in ids.values() if id_ != RULES}, given)
    made = {id_: _model(id_, given) for id_ in dict.fromkeys(ids.values()) if id_ != RULES}
    return {role: made[id_] for role, id_ in ids.items() if id_ in made}


def _told(error: Exception) -> str:
    return " ".join(str(error).split())[:WHY_CHARACTERS]


def _chosen(role: Role, given: Settings) -> str:
    tier = given.model_strong if role in STRONG else given.model_small if role in SMALL else ""
    return given.models.get(role) or tier or given.model


def _fits(providers: set[str], given: Settings) -> None:
    """A key is shown to its own provider only."""
    if given.model_api_key.get_secret_value() and len(providers) > 1:
        raise ConfigError(
            f"GAVEL_MODEL_API_KEY is the key of one provider, not of {', '.join(sorted(providers))}; set the providers' own variables"
        )
    if given.model_base_url and providers and OPENAI not in providers:
        raise ConfigError(
            f"GAVEL_MODEL_BASE_URL is for {OPENAI}:<name>, not for {', '.join(sorted(providers))}; write the model as {OPENAI}:<name>"
        )


def _model(id_: str, given: Settings) -> Model:
    """Retries are the run's own: those of a client would be seen by no budget."""
    from langchain.chat_models import init_chat_model

    provider, _, name = id_.partition(":")
    speaks_openai = provider == OPENAI
    key = given.model_api_key.get_secret_value() or (NO_KEY if speaks_openai and given.model_base_url else "")
    options: dict[str, Any] = {
        "base_url": given.model_base_url if speaks_openai else "",
        "api_key": key,
        "temperature": given.model_temperature,
    }
    options = {option: value for option, value in options.items() if value not in ("", None)}
    options |= {"max_retries": 0, "timeout": given.model_seconds} | ({"stream_usage": True} if speaks_openai else {})
    try:
        chat = init_chat_model(name, model_provider=provider, **options)
    except ImportError as error:
        raise ConfigError(f"GAVEL_MODEL={id_} needs a package that is not installed: {_told(error)}") from error
    except Exception as error:
        raise ConfigError(f"GAVEL_MODEL={id_} cannot be used: {_told(error)}") from error
    price = given.prices.get(id_)
    way: Way = "json_schema" if speaks_openai else "function_calling"
    return Model(id_, chat, Price(*price) if price else None, given.model_seconds, schema_ways(way))
