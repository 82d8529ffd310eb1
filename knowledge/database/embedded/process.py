"""Processes that outlive us, known by pid and start time, so that a reused pid is never taken for ours."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

_LOOKS, _LOOK_SECONDS = 50, 0.02
_CLOCK_STEP = 2.0
_GATE = 'read -r go && cd "$1" && shift && exec "$@" </dev/null'


@dataclass(frozen=True)
class Identity:
    """A process: its pid, its start in epoch seconds, and a word of its command line that no other process has."""

    pid: int
    created: float
    mark: str

    @classmethod
    def of(cls, pid: int, mark: str) -> "Identity":
        return cls(pid, psutil.Process(pid).create_time(), mark)

    def alive(self) -> bool:
        """Whether this very process runs. A start within two seconds of the recorded one is the same: the system clock may have been set."""
        try:
            process = psutil.Process(self.pid)
            if process.status() == psutil.STATUS_ZOMBIE:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(self.pid, os.WNOHANG)
                return False
            return abs(process.create_time() - self.created) < _CLOCK_STEP and self.mark in _words(process)
        except psutil.Error:
            return False

    def end(self, patience: float) -> bool:
        """Ask the process to end, and after `patience` seconds kill it. True when it ended by itself."""
        if not self.alive():
            return True
        os.kill(self.pid, signal.SIGTERM)
        if self._gone(patience):
            return True
        if self.alive():
            os.kill(self.pid, signal.SIGKILL)
        self._gone(patience)
        return False

    def _gone(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not self.alive():
                return True
            time.sleep(0.05)
        return False


def launch(command: Sequence[str], folder: Path, console: Path, mark: str, record: Callable[[Identity], None]) -> Identity:
    """Start a process of its own session that survives us; `record` is called before the command itself can begin.

    The child waits at a gate and turns into the command when told so; when we die before that, it ends.
    """
    gate, key = os.pipe()
    try:
        sink = os.open(console, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            pid = os.posix_spawn(
                "/bin/sh",
                ["sh", "-c", _GATE, "sh", str(folder), *command],
                {"LC_ALL": "C.UTF-8", "PATH": os.defpath},
                file_actions=[(os.POSIX_SPAWN_DUP2, gate, 0), (os.POSIX_SPAWN_DUP2, sink, 1), (os.POSIX_SPAWN_DUP2, sink, 2)],
                setsid=True,
            )
        finally:
            os.close(sink)
        identity = Identity.of(pid, mark)
        record(identity)
        os.write(key, b"go\n")
        return identity
    finally:
        os.close(gate)
        os.close(key)


def _words(process: psutil.Process) -> list[str]:
    """The command line, which is empty for a moment while a process turns into another program."""
    for _ in range(_LOOKS):
        if words := process.cmdline():
            return words
        time.sleep(_LOOK_SECONDS)
    return []
