"""The name of a memory, which says its type, its topic, and what of the topic: `Type: Topic - Aspect`."""

import re
from dataclasses import dataclass

FORM = "Type: Topic - Aspect"
_PART = r"[^\s:](?:[^\x00-\x1f\x7f]*?\S)??"
_NAME = re.compile(rf"(?P<type>[^\s:](?:[^:\x00-\x1f\x7f]*[^\s:])?): (?P<topic>{_PART}) - (?P<aspect>\S(?:[^\x00-\x1f\x7f]*\S)?)")


@dataclass(frozen=True)
class MemoryName:
    """The parts of a name, none of them empty."""

    type: str
    topic: str
    aspect: str

    def __str__(self) -> str:
        return f"{self.type}: {self.topic} - {self.aspect}"


def memory_name(text: str) -> MemoryName | None:
    """None unless the text reads `Type: Topic - Aspect` in one line. The type ends at the first colon, the topic at the first ` - `."""
    found = _NAME.fullmatch(text)
    return MemoryName(found["type"], found["topic"], found["aspect"]) if found else None
