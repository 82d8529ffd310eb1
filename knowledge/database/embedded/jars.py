"""The jars of one Neo4j version: named and hashed by a committed lock, fetched from Maven Central, never half a jar under its own name."""

import fcntl
import hashlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO

from knowledge.database.embedded.progress import Progress, silent
from knowledge.errors import ServerError

AT_ONCE = 8
TRIES = 4
PAUSE = 0.3
SECONDS = 60
_CHUNK = 1 << 14
_INSTALL = "run `pip install 'gavel[embedded]'`, or set GAVEL_NEO4J_URI to a Neo4j of your own"


@dataclass(frozen=True)
class Jar:
    """One row of a lock: `sha256 bytes group:artifact:version[:classifier]`."""

    sha256: str
    size: int
    coordinate: str


def known_versions() -> list[str]:
    """The full versions that have a lock, oldest first, such as `5.26.20`."""
    names = [entry.name for entry in (resources.files(__package__) / "locks").iterdir() if entry.name.endswith(".lock")]
    return sorted((name.removeprefix("neo4j-").removesuffix(".lock") for name in names), key=numbers)


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers that compare: `2026.09.0` as (2026, 9, 0)."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def full_version(version: str) -> str:
    """The locked version that `version` abbreviates (`2026.09` → `2026.09.0`). ServerError names the known ones."""
    known = known_versions()
    for candidate in reversed(known):
        if candidate == version or candidate.startswith(version + "."):
            return candidate
    raise ServerError(f"Neo4j {version} cannot be started here; set GAVEL_NEO4J_VERSION to one of {', '.join(known)}")


def lock(version: str) -> tuple[Jar, ...]:
    """The jars of a full version."""
    text = (resources.files(__package__) / "locks" / f"neo4j-{version}.lock").read_text()
    return tuple(Jar(digest, int(size), coordinate) for digest, size, coordinate in map(str.split, text.splitlines()))


def fetch(
    jars: Sequence[Jar], *, repository: Path | None = None, remote: str | None = None, progress: Progress = silent, label: str = "jars"
) -> list[Path]:
    """The paths of the jars, in order; what is missing or damaged is fetched, eight at once.

    `repository` is the local Maven cache (default: Maven's own), `remote` another Maven repository than Central.
    ServerError says whether the network, the disk or the content failed; whole jars and the parts of others are kept for the next try.
    """
    shop = _Shop(repository, remote, _Tally(sum(jar.size for jar in jars), progress, label))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tasks = [pool.submit(shop.obtain, jar) for jar in jars]
        try:
            return [task.result() for task in tasks]
        except BaseException:
            shop.closed.set()
            pool.shutdown(cancel_futures=True)
            raise


class _Tally:
    """Adds up bytes from several threads and reports one at a time."""

    def __init__(self, total: int, progress: Progress, label: str) -> None:
        self._gate = threading.Lock()
        self._done = 0
        self._total = total
        self._progress = progress
        self._label = label

    def add(self, size: int) -> None:
        with self._gate:
            self._done += size
            self._progress(self._done, self._total, self._label)


class _Shop:
    """One local Maven cache and one remote repository."""

    def __init__(self, repository: Path | None, remote: str | None, tally: _Tally) -> None:
        try:
            from jgo.maven import MavenContext
        except ImportError as error:
            raise ServerError(f"the embedded Neo4j needs jgo, which is not installed; {_INSTALL}") from error
        self._maven: Any = MavenContext(repo_cache=repository, remote_repos={"central": remote} if remote else None)
        self._tally = tally
        self.closed = threading.Event()

    def obtain(self, jar: Jar) -> Path:
        group, artifact_id, version, *classifier = jar.coordinate.split(":")
        artifact = self._maven.project(group, artifact_id).at_version(version).artifact(*classifier)
        path = Path(artifact.cached_path)
        try:
            if _whole(path, jar):
                self._tally.add(jar.size)
                return path
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.with_name(path.name + ".gavel-part").open("ab+") as part:
                fcntl.flock(part, fcntl.LOCK_EX)
                self._complete(part, path, jar, artifact)
        except OSError as error:
            raise _explained(error, jar, path) from error
        return path

    def _complete(self, part: BinaryIO, path: Path, jar: Jar, artifact: Any) -> None:
        part_path = Path(str(part.name))
        if _whole(path, jar):  # another process was first
            part_path.unlink(missing_ok=True)
            self._tally.add(jar.size)
            return
        url = f"{next(iter(self._maven.remote_repos.values()))}/{artifact.component.path_prefix.as_posix()}/{artifact.filename}"
        self._download(part, url, jar)
        part.flush()
        os.fsync(part.fileno())
        if not _whole(part_path, jar):
            part_path.unlink(missing_ok=True)
            raise ServerError(
                f"{jar.coordinate} as downloaded is not the jar of the lock (sha256 differs); it was removed. "
                f"Try again; if it happens again, a proxy or mirror changes files: fetch {url} by another way into {path}"
            )
        part_path.replace(path)

    def _download(self, part: BinaryIO, url: str, jar: Jar) -> None:
        """Ask again, from where it broke, until the part is full or several tries in a row bring nothing."""
        from requests import HTTPError, RequestException

        have = part.seek(0, os.SEEK_END)
        self._tally.add(min(have, jar.size))
        barren = 0
        while True:
            try:
                return self._append(part, url, jar)
            except HTTPError:
                raise
            except RequestException:
                before, have = have, part.seek(0, os.SEEK_END)
                barren = 0 if have > before else barren + 1
                if barren == TRIES or self.closed.is_set():
                    raise
                self._pause(PAUSE * 2**barren)

    def _pause(self, seconds: float) -> None:
        self.closed.wait(seconds)

    def _append(self, part: BinaryIO, url: str, jar: Jar) -> None:
        """Ask for what is missing of the part, and start over where the server will not continue."""
        from jgo.util import http

        have = part.seek(0, os.SEEK_END)
        if have >= jar.size:
            return
        headers = {"Range": f"bytes={have}-"} if have else {}
        with http.get(url, headers=headers, stream=True, timeout=SECONDS) as answer:
            answer.raise_for_status()
            if have and answer.status_code != 206:
                part.truncate(0)
                self._tally.add(-have)
            for chunk in answer.iter_content(_CHUNK):
                if self.closed.is_set():
                    return
                part.write(chunk)
                self._tally.add(len(chunk))


def _whole(path: Path, jar: Jar) -> bool:
    try:
        if path.stat().st_size != jar.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == jar.sha256
    except FileNotFoundError:
        return False


def _explained(error: OSError, jar: Jar, path: Path) -> ServerError:
    from requests import HTTPError, RequestException

    if isinstance(error, HTTPError):
        return ServerError(f"Maven Central does not give {jar.coordinate} ({error}); try again later, or set GAVEL_NEO4J_URI")
    if isinstance(error, RequestException):
        return ServerError(
            f"cannot fetch {jar.coordinate} from Maven Central ({type(error).__name__}: is there a network?). Neo4j is fetched once, "
            "on the first start; what has arrived is kept. Connect and try again, or set GAVEL_NEO4J_URI to a Neo4j of your own"
        )
    return ServerError(
        f"cannot write {path} ({error.strerror or error}); free the disk, mend the permissions, or set M2_REPO to a folder that can be written"
    )
