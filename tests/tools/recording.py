"""A reader that remembers its calls and gives back what a test prepared."""

from typing import Any


class RecordingReader:
    """Any method of `KgReader`: the call goes to `calls`, the answer comes from `answers`, an exception there is raised."""

    semantic = True

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append((name, args, kwargs))
            answer = self.answers[name]
            if isinstance(answer, Exception):
                raise answer
            return answer(*args, **kwargs) if callable(answer) else answer

        return call
