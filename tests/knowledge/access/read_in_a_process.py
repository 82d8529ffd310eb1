"""Notes reads in a process of its own: FILE NAME public|restricted COUNT [kill]. With `kill` it is killed right after the last note returns."""

import os
import signal
import sys
from pathlib import Path

from knowledge.access.log import AccessLog
from tests.knowledge.access.world import access

if __name__ == "__main__":
    file, name, kind, count, *kill = sys.argv[1:]
    log = AccessLog(Path(file), 0)
    for number in range(int(count)):
        log.note(access(name, ids=(f"{name}-{number}",), restricted=kind == "restricted"))
    if kill:
        os.kill(os.getpid(), signal.SIGKILL)
