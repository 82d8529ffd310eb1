"""Settings are read once, named when wrong, and never show a secret."""

from pathlib import Path

import pytest

from gavel import settings
from knowledge.errors import ConfigError

pytestmark = pytest.mark.usefixtures("environment")


def test_without_any_variable_the_database_is_embedded_and_the_brain_is_rules() -> None:
    current = settings.load()
    assert (current.embedded, current.model, current.neo4j_version) == (True, "rules", "2026.09")


def test_the_environment_wins_over_the_env_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("GAVEL_NEO4J_USER=file\nGAVEL_NEO4J_DATABASE=movies\n")
    monkeypatch.setenv("GAVEL_NEO4J_USER", "shell")
    assert (settings.load().neo4j_user, settings.load().neo4j_database) == ("shell", "movies")
    assert [settings.origin(name) for name in ("neo4j_user", "neo4j_database", "model")] == ["environment", ".env", "default"]


def test_every_wrong_setting_is_named_in_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAVEL_MODEL", "gpt")
    monkeypatch.setenv("GAVEL_NEO4J_URI", "http://localhost:7474")
    monkeypatch.setenv("GAVEL_EMBEDDER", "magic")
    with pytest.raises(ConfigError, match=r"(?s)GAVEL_NEO4J_URI.*GAVEL_MODEL.*GAVEL_EMBEDDER"):
        settings.load()


def test_the_password_is_hidden_wherever_settings_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAVEL_NEO4J_PASSWORD", "open-sesame")
    current = settings.load()
    assert "open-sesame" not in repr(current) + str(current.model_dump(mode="json"))
    assert current.neo4j_password.get_secret_value() == "open-sesame"


def test_a_misspelt_variable_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAVEL_NEO4J_URL", "bolt://elsewhere")
    assert settings.unknown() == ["GAVEL_NEO4J_URL"]


def test_the_usual_java_home_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/opt/java")
    assert settings.load().java_home == "/opt/java"


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        settings.load().model = "other"


def test_every_setting_is_documented_in_the_example_file() -> None:
    example = (Path(settings.__file__).parent.parent / ".env.example").read_text()
    assert [name for name in settings.Settings.model_fields if settings.variable(name) not in example] == []


@pytest.mark.parametrize("content", [b"\xff\xfeG\x00", b"GAVEL_MODEL=rules\xff\n", b"\x00\xff"])
def test_an_env_file_that_is_no_text_is_named(content: bytes) -> None:
    Path(".env").write_bytes(content)
    with pytest.raises(ConfigError, match=r"\.env cannot be read"):
        settings.load()


def test_lines_of_the_env_file_that_say_nothing_are_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    Path(".env").write_text("junk\n===\nGAVEL_NEO4J_USER=ann\n")
    assert settings.load().neo4j_user == "ann"
    reported = len(caplog.records)
    assert settings.origin("neo4j_user") == ".env"
    assert settings.unknown() == []
    assert len(caplog.records) == reported


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("GAVEL_DATA_DIR", "~nobody-of-that-name/data", "names no home folder"),
        ("GAVEL_NEO4J_URI", "bolt://localhost:99999", "is no database address"),
        ("GAVEL_NEO4J_URI", "bolt://[::1", "is no database address"),
        ("GAVEL_RUNS_KEEP_DAYS", "99999999999", "less than or equal to 36500"),
    ],
)
def test_a_value_that_can_only_fail_later_is_refused_at_once(name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError, match=f"{name}: .*{told}"):
        settings.load()


def test_the_token_of_a_file_is_read_where_only_its_owner_can_read_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("gvl_mine\n")
    monkeypatch.setenv("GAVEL_TOKEN_FILE", str(file))
    for mode in (0o644, 0o640, 0o604, 0o620, 0o601):
        file.chmod(mode)
        with pytest.raises(ConfigError, match="can be read or changed by others; run `chmod 600"):
            settings.token(settings.load())
    file.chmod(0o600)
    assert settings.token(settings.load()) == "gvl_mine"


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe"])
def test_a_file_without_a_token_is_named(content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(content)
    file.chmod(0o600)
    for path in (file, tmp_path, tmp_path / "absent"):
        monkeypatch.setenv("GAVEL_TOKEN_FILE", str(path))
        settings.load.cache_clear()
        with pytest.raises(ConfigError, match="GAVEL_TOKEN_FILE"):
            settings.token(settings.load())


def test_the_token_is_a_secret_and_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAVEL_TOKEN", " gvl_mine ")
    monkeypatch.setenv("GAVEL_TOKEN_FILE", "/absent")
    current = settings.load()
    assert settings.token(current) == "gvl_mine" and "gvl_mine" not in repr(current) + str(current.model_dump(mode="json"))


@pytest.mark.parametrize("address", ["postgresql://ann:hush@host/db", "postgresql://host/db?user=ann&password=hush", "mysql://host/db"])
def test_an_address_of_a_journal_holds_no_password_and_names_an_engine_that_there_is(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAVEL_JOURNAL", address)
    with pytest.raises(ConfigError, match="GAVEL_JOURNAL") as refused:
        settings.load()
    assert "hush" not in str(refused.value)


def test_the_password_of_the_journal_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAVEL_JOURNAL", "postgresql://ann@host/db")
    monkeypatch.setenv("GAVEL_JOURNAL_PASSWORD", "hush")
    current = settings.load()
    assert "hush" not in repr(current) + str(current.model_dump(mode="json")) and settings.secrets(current) == ["hush"]
