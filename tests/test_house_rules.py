"""The limits and habits of CONTRIBUTING.md that no linter checks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from gavel.settings import Settings

ROOT = Path(__file__).parent.parent
PACKAGES = ("knowledge", "tools", "prompts", "agents", "graphs", "gavel", "evals")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py")) + sorted((ROOT / "examples").rglob("*.py"))
TEXT_SUFFIXES = {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".txt", ".cypher", ".sh", ""}
FILE_LINES = 400
FUNCTION_LINES = 50
FUNCTION_LINES_P90 = 25
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "misc", "common", "stuff"}
ANY_ALLOWED = {
    "the driver": ("knowledge/database/connection.py",),
    "the Maven client": ("knowledge/database/embedded/jars.py",),
    "models": ("knowledge/embedding/transformer.py", "gavel/langchain.py", "gavel/langchain_tools.py", "gavel/models.py"),
    "LangGraph": tuple(f"graphs/{name}.py" for name in ("ask", "context", "door", "investigate", "member", "remember", "supervisor")),
}
THIS_FILE = Path(__file__).resolve()
Function = ast.FunctionDef | ast.AsyncFunctionDef


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, Function))


def length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def committed_text() -> Iterator[Path]:
    roots = [*PACKAGES, "tests", "examples", "docs", ".ci"]
    files = [path for root in roots for path in (ROOT / root).rglob("*")] + list(ROOT.iterdir())
    return (path for path in files if path.is_file() and path.suffix in TEXT_SUFFIXES and "__pycache__" not in path.parts)


def test_files_stay_within_400_lines() -> None:
    long = {relative(path): lines for path in SOURCES + TESTS if (lines := len(path.read_text().splitlines())) > FILE_LINES}
    assert not long, f"split by concept: {long}"


def test_functions_stay_within_50_lines() -> None:
    long = {f"{relative(p)}:{f.name}": length(f) for p in SOURCES + TESTS for f in functions(p) if length(f) > FUNCTION_LINES}
    assert not long, f"extract a concept: {long}"


def test_nine_functions_of_ten_stay_within_25_lines() -> None:
    lengths = sorted(length(function) for path in SOURCES for function in functions(path))
    assert lengths[len(lengths) * 9 // 10] <= FUNCTION_LINES_P90


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [relative(path) for path in SOURCES if path.stem in VAGUE_NAMES] == []


def test_any_appears_only_where_the_driver_a_client_a_model_or_langgraph_is_met() -> None:
    def says_any(path: Path) -> bool:
        nodes = list(ast.walk(tree(path)))
        imported = any(name.name == "Any" for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names)
        return imported or any(isinstance(node, ast.Attribute) and node.attr == "Any" for node in nodes)

    allowed = {file for files in ANY_ALLOWED.values() for file in files}
    assert {relative(path) for path in SOURCES if says_any(path)} == allowed


def test_the_environment_is_read_only_in_settings() -> None:
    def reads_environment(path: Path) -> bool:
        return any(isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "environb"} for node in ast.walk(tree(path)))

    assert [relative(path) for path in SOURCES if reads_environment(path) and relative(path) != "gavel/settings.py"] == []


def test_only_graphs_builds_state_graphs() -> None:
    def builds(path: Path) -> bool:
        return any(isinstance(node, ast.Name) and node.id in {"StateGraph", "CompiledStateGraph"} for node in ast.walk(tree(path)))

    assert [relative(path) for path in SOURCES if builds(path) and not relative(path).startswith("graphs/")] == []


def test_modules_and_their_public_names_have_docstrings() -> None:
    def undocumented(path: Path) -> Iterator[str]:
        module = tree(path)
        if module.body and not ast.get_docstring(module):
            yield relative(path)
        for node in module.body:
            if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_") and not ast.get_docstring(node):
                yield f"{relative(path)}:{node.name}"

    assert [name for path in SOURCES for name in undocumented(path)] == []


def test_nothing_is_a_stub() -> None:
    def is_stub(function: Function) -> bool:
        statements = function.body[1:] if ast.get_docstring(function) else function.body
        return any(isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node) for node in statements)

    assert [f"{relative(path)}:{f.name}" for path in SOURCES for f in functions(path) if is_stub(f)] == []


def test_every_setting_is_used() -> None:
    used = {node.attr for path in SOURCES for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
    assert sorted(set(Settings.model_fields) - used) == []


def test_every_folder_of_tests_mirrors_a_package() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= {*PACKAGES, "contract"}


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in folder.glob("[0-9]*.md") if f"({path.name})" not in listed] == []


def test_nothing_is_left_for_later_in_a_comment() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    found = [relative(path) for path in SOURCES + TESTS if path.resolve() != THIS_FILE and marks.search(path.read_text())]
    assert found == []


def test_no_committed_text_names_one_machine() -> None:
    places = re.compile(r"(?<![\w.])/(work|home/\w+|Users/\w+|root)/")
    found = [
        relative(path)
        for path in committed_text()
        if path.resolve() != THIS_FILE and path.name != ".env" and places.search(path.read_text())
    ]
    assert found == []
