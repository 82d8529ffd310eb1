"""Jars arrive whole, verified and once, whatever the network does."""

import hashlib
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from knowledge.database.embedded import jars
from knowledge.database.embedded.jars import Jar
from knowledge.errors import ServerError

CONTENT = {"a": b"first jar " * 30_000, "b": b"second jar " * 9_000}
PATHS = {f"/org/example/{name}/1.0/{name}-1.0.jar": body for name, body in CONTENT.items()}
ROWS = [Jar(hashlib.sha256(body).hexdigest(), len(body), f"org.example:{name}:1.0") for name, body in CONTENT.items()]


class Central(ThreadingHTTPServer):
    """A Maven repository on loopback.

    `cut` breaks answers after so many bytes, all after the first `answers` at once; `spoiled` changes content, `ranges` honours Range.
    """

    cut: int | None = None
    answers: int | None = None
    spoiled = False
    ranges = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Central

    def do_GET(self) -> None:
        self.server.asked.append((self.path.rpartition("/")[2], self.headers.get("Range", "")))
        body = PATHS[self.path]
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-")) if "Range" in self.headers and self.server.ranges else 0
        body = body[start:].swapcase() if self.server.spoiled else body[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        tired = self.server.answers is not None and len(self.server.asked) > self.server.answers
        self.wfile.write(b"" if tired else body[: self.server.cut])
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def central() -> Iterator[Central]:
    with Central() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars._Shop, "_pause", lambda self, seconds: None)


def contents(paths: list[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def test_jars_come_in_order_and_once(central: Central, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    paths = jars.fetch(ROWS, repository=tmp_path, remote=central.url, progress=lambda *step: told.append(step), label="jars")
    assert contents(paths) == list(CONTENT.values())
    total = sum(map(len, CONTENT.values()))
    assert told[-1] == (total, total, "jars")
    assert jars.fetch(ROWS, repository=tmp_path, remote="http://127.0.0.1:9") == paths
    assert len(central.asked) == 2


def test_a_download_cut_in_the_middle_goes_on_where_it_stopped(central: Central, tmp_path: Path) -> None:
    central.cut = 100_000
    paths = jars.fetch(ROWS[:1], repository=tmp_path, remote=central.url)
    assert contents(paths) == [CONTENT["a"]]
    assert [asked for _, asked in central.asked] == ["", "bytes=98304-", "bytes=196608-", "bytes=294912-"]


def test_a_download_that_stays_cut_leaves_no_half_jar_and_the_next_start_goes_on(central: Central, tmp_path: Path) -> None:
    central.cut = 20_000
    central.answers = 2
    with pytest.raises(ServerError, match="is there a network"):
        jars.fetch(ROWS[:1], repository=tmp_path, remote=central.url)
    assert not list(tmp_path.rglob("*.jar"))
    central.cut = central.answers = None
    assert contents(jars.fetch(ROWS[:1], repository=tmp_path, remote=central.url)) == [CONTENT["a"]]
    assert central.asked[-1] == ("a-1.0.jar", "bytes=32768-")


def test_a_repository_that_cannot_continue_is_asked_from_the_start(central: Central, tmp_path: Path) -> None:
    central.cut, central.ranges = 1000, False
    with pytest.raises(ServerError):
        jars.fetch(ROWS[:1], repository=tmp_path, remote=central.url)
    central.cut = None
    assert contents(jars.fetch(ROWS[:1], repository=tmp_path, remote=central.url)) == [CONTENT["a"]]


def test_a_jar_that_is_not_the_one_of_the_lock_is_refused_and_removed(central: Central, tmp_path: Path) -> None:
    central.spoiled = True
    with pytest.raises(ServerError, match="sha256 differs"):
        jars.fetch(ROWS, repository=tmp_path, remote=central.url)
    assert not [path for path in tmp_path.rglob("a-1.0*") if path.is_file()]
    central.spoiled = False
    assert contents(jars.fetch(ROWS, repository=tmp_path, remote=central.url)) == list(CONTENT.values())


@pytest.mark.parametrize("damage", [b"", b"short", CONTENT["a"].upper()])
def test_a_corrupt_jar_in_the_cache_is_fetched_again(central: Central, tmp_path: Path, damage: bytes) -> None:
    [path] = jars.fetch(ROWS[:1], repository=tmp_path, remote=central.url)
    path.write_bytes(damage)
    assert contents(jars.fetch(ROWS[:1], repository=tmp_path, remote=central.url)) == [CONTENT["a"]]


def test_without_network_and_without_cached_jars_the_message_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="Connect and try again, or set GAVEL_NEO4J_URI"):
        jars.fetch(ROWS, repository=tmp_path, remote="http://127.0.0.1:9")


def test_without_the_extra_the_message_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jgo.maven", None)
    with pytest.raises(ServerError, match=r"pip install 'gavel\[embedded\]'.*GAVEL_NEO4J_URI"):
        jars.fetch(ROWS, repository=tmp_path)


def test_a_cache_that_cannot_be_written_is_named(central: Central, tmp_path: Path) -> None:
    (tmp_path / "org").write_text("a file where a folder must be")
    with pytest.raises(ServerError, match=f"cannot write {tmp_path}.*set M2_REPO"):
        jars.fetch(ROWS, repository=tmp_path, remote=central.url)


def test_many_fetchers_at_once_share_one_download(central: Central, tmp_path: Path) -> None:
    def work() -> None:
        found.append(jars.fetch(ROWS, repository=tmp_path, remote=central.url))

    found: list[list[Path]] = []
    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(contents(paths) == list(CONTENT.values()) for paths in found)
    assert len(found) == 6
    assert sorted(name for name, _ in central.asked) == ["a-1.0.jar", "b-1.0.jar"]


def test_every_lock_names_hundreds_of_jars_with_whole_hashes() -> None:
    for version in jars.known_versions():
        rows = jars.lock(version)
        assert len(rows) > 200
        assert all(len(row.sha256) == 64 and row.size > 0 and row.coordinate.count(":") in (2, 3) for row in rows)


def test_a_version_is_found_by_its_beginning_and_an_unknown_one_is_refused_by_name() -> None:
    assert jars.full_version("2026.09").startswith("2026.09.")
    assert jars.full_version("5.26").startswith("5.26.")
    with pytest.raises(ServerError, match=r"Neo4j 4\.4 cannot be started here"):
        jars.full_version("4.4")
    with pytest.raises(ServerError):
        jars.full_version("2026.0")
