"""Run by the tests as a process of its own that can be killed: loads one file and prints a line after every batch.

With the address of a journal as the last argument it tells that of every batch.
"""

import sys
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.journal.journal import Journal
from knowledge.loading.loader import load
from knowledge.loading.log import LoadLog
from knowledge.progress import Step

if __name__ == "__main__":
    uri, user, password, file, namespace, shape, *journal = sys.argv[1:]
    log = LoadLog(Journal(journal[0]), "ann") if journal else None

    def tell(step: Step) -> None:
        print(step.label, step.items, flush=True)

    with Database.connect(uri, user, password) as database:
        report = load(database, [Path(file)], namespace, "native" if shape == "native" else "memory", progress=tell, log=log)
    print("done", report.created, report.known, report.duplicates, flush=True)
