"""A store in one file: a compressed tar whose first member says which version made it and whose last holds the sha256 of every file."""

import contextlib
import hashlib
import json
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from knowledge.database.embedded.progress import Progress
from knowledge.errors import StoreError

_FORMAT = 1
_HEADER = "gavel-dump.json"
_SUMS = "gavel-sums.json"
_LEVEL = 3
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Dump:
    """What the first member of a dump says. `size` is the store's, in bytes."""

    version: str
    created: str
    size: int
    format: int = _FORMAT


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...


def pack(store: Path, version: str, file: Path, progress: Progress) -> Dump:
    """Write a stopped store to `file`, whole or not at all. The file is private: it holds the server's password."""
    members = sorted(path for path in store.rglob("*") if path.is_file())
    dump = Dump(version, datetime.now(UTC).isoformat(timespec="seconds"), sum(path.stat().st_size for path in members))
    fresh = file.with_name(file.name + ".new")
    sums: dict[str, str] = {}
    done = 0
    try:
        fresh.touch(mode=0o600)
        with tarfile.open(fresh, "w:gz", compresslevel=_LEVEL) as tar:
            _add_text(tar, _HEADER, json.dumps(asdict(dump)))
            for path in members:
                name = path.relative_to(store).as_posix()
                sums[name] = _add_file(tar, path, name)
                done += path.stat().st_size
                progress(done, dump.size, f"writing {file.name}")
            _add_text(tar, _SUMS, json.dumps(sums))
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
    return dump


def inspect(file: Path) -> Dump:
    """What a dump says of itself. StoreError when it is none, or of a later format."""
    with _opened(file) as tar:
        return _header(tar, file)


def unpack(file: Path, into: Path, progress: Progress) -> None:
    """Write the store of a dump to the folder `into`, made anew, and check every file. StoreError, and no folder, when one is not as it was."""
    shutil.rmtree(into, ignore_errors=True)
    try:
        with _opened(file) as tar:
            dump = _header(tar, file)
            _extract(tar, file, dump, into, progress)
    except BaseException:
        shutil.rmtree(into, ignore_errors=True)
        raise


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(file, "r|gz") as tar:
            yield tar
    except FileNotFoundError as error:
        raise StoreError(f"there is no file {file}; name a dump that `gavel db dump` wrote") from error
    except (tarfile.TarError, zlib.error, EOFError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{file} is no whole dump ({error}); nothing was changed; use another dump") from error


def _header(tar: tarfile.TarFile, file: Path) -> Dump:
    first = tar.next()
    if first is None or first.name != _HEADER:
        raise StoreError(f"{file} is no dump of Gavel's; name a file that `gavel db dump` wrote")
    dump = Dump(**json.loads(_content(tar, first).read()))
    if dump.format > _FORMAT:
        raise StoreError(f"{file} was written by a newer Gavel (dump format {dump.format}, known {_FORMAT}); update Gavel")
    return dump


def _extract(tar: tarfile.TarFile, file: Path, dump: Dump, into: Path, progress: Progress) -> None:
    sums: dict[str, str] = {}
    expected: dict[str, str] | None = None
    done = 0
    while (member := tar.next()) is not None:
        if member.name == _SUMS:
            expected = json.loads(_content(tar, member).read())
            continue
        name = PurePosixPath(member.name)
        if not member.isfile() or name.is_absolute() or ".." in name.parts:
            raise StoreError(f"{file} holds {member.name!r}, which no dump has; nothing was changed; use another dump")
        sums[member.name] = _write(_content(tar, member), into / name, member.mode)
        done += member.size
        progress(done, dump.size, f"reading {file.name}")
    if expected != sums:
        raise StoreError(f"{file} is damaged or cut short; nothing was changed; use another dump")


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = tar.extractfile(member)
    if content is None:
        raise StoreError(f"a dump holds files only, not {member.name!r}; nothing was changed; use another dump")
    return content


def _write(source: IO[bytes], path: Path, mode: int) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with path.open("xb") as sink:
        path.chmod(mode & 0o777)
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            sink.write(chunk)
    return digest.hexdigest()


def _add_text(tar: tarfile.TarFile, name: str, text: str) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(text.encode())
    member.mode = 0o600
    tar.addfile(member, BytesIO(text.encode()))


def _add_file(tar: tarfile.TarFile, path: Path, name: str) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as source:
        tar.addfile(tar.gettarinfo(fileobj=source, arcname=name), _Hashing(source, digest))
    return digest.hexdigest()


class _Hashing(BytesIO):
    """Reads a file and hashes what passes by."""

    def __init__(self, source: IO[bytes], digest: _Hash) -> None:
        super().__init__()
        self._source = source
        self._digest = digest

    def read(self, size: int | None = -1, /) -> bytes:
        data = self._source.read(-1 if size is None else size)
        self._digest.update(data)
        return data
