"""Read ahead: an iterator that is drained by a thread, so that reading and checking overlap with writing."""

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_END = object()


def ahead(items: Iterable[T], depth: int = 4) -> Iterator[T]:
    """The same items in the same order, up to `depth` of them made in advance. An error of the producer is raised at its place."""
    line: queue.Queue[object] = queue.Queue(depth)
    stopped = threading.Event()

    def offer(item: object) -> bool:
        while not stopped.is_set():
            try:
                line.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def produce() -> None:
        try:
            for item in items:
                if not offer((item,)):
                    return
            offer(_END)
        except BaseException as error:
            offer(error)

    thread = threading.Thread(target=produce, name="gavel-read-ahead", daemon=True)
    thread.start()
    try:
        while (item := line.get()) is not _END:
            if isinstance(item, BaseException):
                raise item
            yield item[0]  # type: ignore[index]
    finally:
        stopped.set()
        thread.join()
