"""A dump brings back every byte, or nothing."""

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from knowledge.database.embedded import backup
from knowledge.database.embedded.progress import silent
from knowledge.errors import StoreError


@pytest.fixture
def store(tmp_path: Path) -> Path:
    store = tmp_path / "store"
    (store / "data" / "databases" / "neo4j").mkdir(parents=True)
    (store / "data" / "databases" / "neo4j" / "nodes").write_bytes(bytes(range(256)) * 5000)
    (store / "data" / "empty").touch()
    (store / "password").write_text("secret")
    (store / "password").chmod(0o600)
    return store


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def packed(store: Path, file: Path) -> Path:
    backup.pack(store, "2026.09.0", file, silent)
    return file


def test_a_dump_restores_every_file_with_its_rights(store: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    dump = backup.pack(store, "2026.09.0", tmp_path / "x.dump", lambda done, total, label: told.append((done, total)))
    assert told[-1] == (dump.size, dump.size)
    assert (tmp_path / "x.dump").stat().st_mode & 0o777 == 0o600
    assert backup.inspect(tmp_path / "x.dump") == dump
    backup.unpack(tmp_path / "x.dump", tmp_path / "again", silent)
    assert tree(tmp_path / "again") == tree(store)
    assert (tmp_path / "again" / "password").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.9])
def test_a_dump_cut_short_is_refused_and_leaves_nothing(store: Path, tmp_path: Path, share: float) -> None:
    whole = packed(store, tmp_path / "x.dump").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(StoreError):
        backup.unpack(tmp_path / "cut", tmp_path / "again", silent)
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.9])
def test_a_dump_with_a_flipped_byte_is_refused_and_leaves_nothing(store: Path, tmp_path: Path, share: float) -> None:
    content = bytearray(packed(store, tmp_path / "x.dump").read_bytes())
    content[int(len(content) * share)] ^= 0xFF
    (tmp_path / "flipped").write_bytes(content)
    with pytest.raises(StoreError, match="nothing was changed"):
        backup.unpack(tmp_path / "flipped", tmp_path / "again", silent)
    assert not (tmp_path / "again").exists()


def test_content_that_was_changed_with_care_is_refused(store: Path, tmp_path: Path) -> None:
    file = rewritten(packed(store, tmp_path / "x.dump"), {"data/empty": b"not empty"})
    with pytest.raises(StoreError, match="damaged or cut short"):
        backup.unpack(file, tmp_path / "again", silent)


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside-of-gavel", "data/../../outside"])
def test_a_member_that_would_leave_the_folder_is_refused(store: Path, tmp_path: Path, name: str) -> None:
    file = rewritten(packed(store, tmp_path / "x.dump"), {name: b"x"})
    with pytest.raises(StoreError, match="which no dump has"):
        backup.unpack(file, tmp_path / "again", silent)
    assert not (tmp_path / "outside").exists()
    assert not Path("/tmp/outside-of-gavel").exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", gzip.compress(b"hello"), gzip.compress(b"\0" * 10240)],
    ids=["empty", "text", "zipped text", "zipped noughts"],
)
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(StoreError):
        backup.inspect(tmp_path / "x")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no file"):
        backup.inspect(tmp_path / "nothing")


def test_a_dump_of_a_later_format_is_refused(store: Path, tmp_path: Path) -> None:
    header = {"version": "2026.09.0", "created": "2030-01-01T00:00:00+00:00", "size": 1, "format": 2}
    file = rewritten(packed(store, tmp_path / "x.dump"), {"gavel-dump.json": json.dumps(header).encode()})
    with pytest.raises(StoreError, match="update Gavel"):
        backup.inspect(file)


def test_an_interrupted_dump_leaves_no_file(store: Path, tmp_path: Path) -> None:
    def interrupt(done: int, total: int, label: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup.pack(store, "2026.09.0", tmp_path / "x.dump", interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def rewritten(file: Path, changes: dict[str, bytes]) -> Path:
    """The dump with members replaced, or added before the last."""
    changed = file.with_suffix(".changed")
    with tarfile.open(file) as source, tarfile.open(changed, "w:gz") as target:
        members = {member.name: source.extractfile(member).read() for member in source.getmembers()}  # type: ignore[union-attr]
        sums = members.pop("gavel-sums.json")
        for name, content in {**members, **changes, "gavel-sums.json": sums}.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            target.addfile(info, io.BytesIO(content))
    return changed
