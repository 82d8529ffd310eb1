"""A prompt takes exactly the inputs that it declares and uses."""

from pathlib import Path

import pytest

from knowledge.errors import ConfigError
from prompts.prompt import load


def write(folder: Path, content: str) -> Path:
    (folder / "p.md").write_text(content, encoding="utf-8")
    return folder


def test_every_input_lands_in_its_place_and_braces_in_values_stay(tmp_path: Path) -> None:
    prompt = load("p", write(tmp_path, "---\ninputs: a, b\n---\nFirst {{a}}, then {{b}} and {{a}}.\n"))
    assert prompt.render(a="{{b}}", b="\\1") == "First {{b}}, then \\1 and {{b}}."


@pytest.mark.parametrize("values", [{}, {"a": "1"}, {"a": "1", "b": "2", "c": "3"}])
def test_a_missing_or_unknown_input_fails(tmp_path: Path, values: dict[str, str]) -> None:
    prompt = load("p", write(tmp_path, "---\ninputs: a, b\n---\n{{a}} {{b}}\n"))
    with pytest.raises(ConfigError, match="takes a, b"):
        prompt.render(**values)


@pytest.mark.parametrize("head", ["inputs: a, unused", "inputs:", "inputs: b"])
def test_an_input_that_is_declared_but_unused_or_used_but_undeclared_fails(tmp_path: Path, head: str) -> None:
    with pytest.raises(ConfigError, match="must declare"):
        load("p", write(tmp_path, f"---\n{head}\n---\n{{{{a}}}}\n"))


def test_a_file_without_a_head_and_a_missing_file_say_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="head of three lines"):
        load("p", write(tmp_path, "Just text."))
    with pytest.raises(ConfigError, match="cannot be read"):
        load("q", tmp_path)


def test_the_hash_follows_the_content(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]
    [folder.mkdir() for folder in folders]
    one, other = (load("p", write(f, f"---\ninputs: a\n---\n{{{{a}}}} {f.name}\n")) for f in folders)
    assert one.hash != other.hash and len(one.hash) == 24


def test_every_prompt_of_the_package_loads() -> None:
    folder = Path(load.__wrapped__.__code__.co_filename).parent
    roles = {"intake", "supervisor", "planner", "navigator", "reasoner", "gap_detector", "synthesizer", "writer"}
    assert {load(path.stem).name for path in folder.glob("*.md")} == {*roles, "cypher_repair"}
