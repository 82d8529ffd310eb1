"""A plan is a file that anybody may have written: what cannot be used is told, whatever it is."""

from pathlib import Path

import pytest

from knowledge.cleaning.plan import read
from knowledge.errors import ConfigError

_DELEGATE = "id: abcdefgh\nactions:\n- {do: delegate, namespace: a, to: b, %s}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 5_000, "cannot be read as a plan"),
        ("id: 2024-99-99 10:00:00", "cannot be read as a plan"),
        ("id: abcdefgh\nactions: " + "9" * 5_000, "cannot be read as a plan"),
        ("!!python/object/apply:os.system ['id']", "cannot be read as a plan"),
        ("id: ../../etc\nactions: []", "should match pattern"),
        ("id: abcdefgh\nactions: &a [*a]", "action 1"),
        (_DELEGATE % "hours: .inf", "less than or equal to 8784"),
        (_DELEGATE % "hours: 1e300", "less than or equal to 8784"),
        (_DELEGATE % "uses: 99999999999999999999999999", "less than or equal to 1000000"),
        (_DELEGATE % "uses: 1" + "- {do: delegate, namespace: a, to: b, uses: 5}", "action 2 is about b in a once more"),
        ("id: abcdefgh\nactions:\n- {do: merge, memory: m, from: n, into: m}", "merges into m, which is taken away itself"),
    ],
)
def test_what_cannot_be_used_is_told(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message):
        read(file)
