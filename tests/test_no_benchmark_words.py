"""No relation name, template or title of a benchmark stands in code, prompts or the sample world."""

import json
from pathlib import Path

import pytest

from evals import hygiene

ROOT = Path(__file__).parent.parent
SUFFIXES = {".py", ".md", ".yaml", ".yml", ".json", ".jsonl", ".tsv", ".txt", ".cypher"}
FOLDERS = ("knowledge", "tools", "prompts", "agents", "graphs", "gavel")


@pytest.mark.parametrize("folder", FOLDERS)
def test_code_and_prompts_hold_no_words_of_a_benchmark(folder):
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES and "__pycache__" not in path.parts]
    banned = hygiene.known()
    found = {str(path.relative_to(ROOT)): runs for path in files if (runs := hygiene.found(path.read_text(encoding="utf-8"), banned))}
    assert not found, f"say it in words of your own: {found}"


@pytest.fixture
def banned(tmp_path):
    folder = tmp_path / "bench"
    folder.mkdir()
    (folder / "kb.tsv").write_text("Blue Heron Pier\tbuilt_by\tAda\nAda\tnest_height\t3\n", encoding="utf-8")
    row = {"question": "which old pier did they say was built by [Blue Heron Pier] then", "topic": "Blue Heron Pier"}
    (folder / "natural_dev.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return hygiene.fingerprints(tmp_path)


@pytest.mark.parametrize(
    "text", ["x = 'built_by'", "class BuiltBy:", "# nest height", "see Blue Heron Pier", "print('Old pier did they say was built')"]
)
def test_a_planted_word_is_found(banned, text):
    assert hygiene.found(text, banned)


@pytest.mark.parametrize("text", ["a pier built by hand", "a blue heron pier", "pier did they say was", "built"])
def test_ordinary_english_is_not(banned, text):
    assert not hygiene.found(text, banned)
