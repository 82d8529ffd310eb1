"""Run by the tests as a process of its own that can be killed: loads one file and prints a line after every batch."""

import sys
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.loading.loader import load
from knowledge.progress import Step

if __name__ == "__main__":
    uri, user, password, file, namespace, shape = sys.argv[1:]

    def tell(step: Step) -> None:
        print(step.label, step.items, flush=True)

    with Database.connect(uri, user, password) as database:
        report = load(database, [Path(file)], namespace, "native" if shape == "native" else "memory", progress=tell)
    print("done", report.created, report.known, report.duplicates, flush=True)
