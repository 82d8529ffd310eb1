"""`langgraph dev` as a subprocess, and who it talks to."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
QUIET = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "true", "LANGSMITH_TRACING": "false"}


class Connections:
    """Samples the sockets of a process and its children; `outbound` are the peers that are not on this machine."""

    def __init__(self, pid: int) -> None:
        self.outbound: set[str] = set()
        self.samples = 0
        self._process = psutil.Process(pid)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._stop.wait(0.05):
            try:
                processes = [self._process, *self._process.children(recursive=True)]
                peers = [c.raddr.ip for p in processes for c in p.net_connections("inet") if c.raddr]
            except psutil.Error:
                continue
            self.samples += 1
            self.outbound |= {peer for peer in peers if not ip_address(peer.removeprefix("::ffff:")).is_loopback}

    def close(self) -> None:
        self._stop.set()
        self._thread.join()


@contextmanager
def dev_server(folder: Path, graphs: str | Mapping[str, object], environment: Mapping[str, str]) -> Iterator[tuple[str, Connections]]:
    """The address of a running server in a folder of its own, for one graph called `ask` or for all that a langgraph.json names."""
    served = {"dependencies": ["."], "graphs": {"ask": graphs}, "env": {}} if isinstance(graphs, str) else graphs
    (folder / "langgraph.json").write_text(json.dumps(served))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        str(Path(sys.executable).with_name("langgraph")),
        "dev",
        "--no-browser",
        "--no-reload",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    log = folder / "log"
    with log.open("w") as out:
        given = {**os.environ, **QUIET, "PYTHONPATH": str(ROOT), **environment}
        server = subprocess.Popen(command, cwd=folder, env=given, stdout=out, stderr=subprocess.STDOUT)
        connections = Connections(server.pid)
        try:
            _wait(port, server, log)
            yield f"http://127.0.0.1:{port}", connections
        finally:
            connections.close()
            server.terminate()
            server.wait(20)


def _wait(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert server.poll() is None, log.read_text()
        time.sleep(0.2)
    raise AssertionError(log.read_text())
