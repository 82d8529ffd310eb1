"""A process is ours by pid, start time and command line; nothing else is ever ended."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from knowledge.database.embedded.process import Identity, launch

MARK = "--home-dir=/some/where"


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", MARK]) as process:
        yield process
        process.kill()


def test_a_process_is_known_by_pid_start_and_mark(stranger: subprocess.Popen[bytes]) -> None:
    assert Identity.of(stranger.pid, MARK).alive()


def test_a_reused_pid_is_not_ours_and_is_not_ended(stranger: subprocess.Popen[bytes]) -> None:
    ours = Identity.of(stranger.pid, MARK)
    earlier = Identity(ours.pid, ours.created - 3600, MARK)
    other = Identity(ours.pid, ours.created, "--home-dir=/else/where")
    for identity in (earlier, other):
        assert not identity.alive()
        assert identity.end(1.0)
    assert stranger.poll() is None


def test_a_process_that_ignores_the_request_is_killed(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    script = (
        f"import signal, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN); pathlib.Path({str(ready)!r}).touch(); time.sleep(60)"
    )
    identity = launch([sys.executable, "-c", script, MARK], tmp_path, tmp_path / "log", MARK, lambda _: None)
    eventually(ready.exists)
    assert not identity.end(0.3)
    assert not identity.alive()


def test_the_identity_is_recorded_before_the_command_begins(tmp_path: Path) -> None:
    begun = tmp_path / "begun"

    def record(identity: Identity) -> None:
        time.sleep(0.2)
        assert identity.alive()
        assert not begun.exists()
        recorded.append(identity)

    recorded: list[Identity] = []
    identity = launch(["/bin/sh", "-c", f"touch {begun}; sleep 60", MARK], tmp_path, tmp_path / "log", MARK, record)
    eventually(begun.exists)
    assert recorded == [identity]
    assert identity.alive()
    assert identity.end(5.0)


def test_when_the_starter_dies_before_it_has_recorded_nothing_begins(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom knowledge.database.embedded.process import launch\n"
        "here = Path(sys.argv[1])\n"
        "def record(identity):\n    (here / 'pid').write_text(str(identity.pid))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        f"launch(['/bin/sh', '-c', f'touch {{here}}/begun', {MARK!r}], here, here / 'log', {MARK!r}, record)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    pid = int((tmp_path / "pid").read_text())
    eventually(lambda: not running(pid))
    assert not (tmp_path / "begun").exists()


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")
