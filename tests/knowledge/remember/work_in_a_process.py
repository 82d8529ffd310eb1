"""`python -m tests.knowledge.remember.work_in_a_process URI USER PASSWORD JOURNAL POINT PASSING`: two workers that drain, killed at a point."""

import sys
import threading

from knowledge.database.connection import Database
from knowledge.journal.journal import Journal
from knowledge.remember.worker import Worker
from tests.knowledge.remember.remember_in_a_process import KillAt
from tests.knowledge.remember.world import REGISTRY

WORKERS = 2


def main(uri: str, user: str, password: str, url: str, point: str, passing: str) -> None:
    journal = Journal(url)
    kill = KillAt(point, int(passing))
    with Database.connect(uri, user, password) as database:
        workers = [Worker(journal, lambda: REGISTRY, lambda: database, kill, batch=4, lease_seconds=1.0) for _ in range(WORKERS)]
        threads = [threading.Thread(target=worker.drain) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    journal.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
