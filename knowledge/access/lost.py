"""How many public reads could not be recorded: a line for each time, beside the store that was broken, since that cannot tell."""

import json
import logging
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Loss:
    """`since` is an ISO instant, `why` the latest reason."""

    rows: int
    since: str
    why: str


@dataclass(frozen=True)
class Lost:
    """The file of losses; removing it forgets them."""

    file: Path

    def add(self, rows: int, at: datetime, why: str) -> None:
        """Where not even this can be written, the log of the process is what remains."""
        try:
            with self.file.open("a", encoding="utf-8") as opened:
                opened.write(json.dumps({"rows": rows, "at": at.isoformat(), "why": why}) + "\n")
        except OSError as error:
            _LOG.error("%s reads were not recorded (%s), and that cannot be noted in %s (%s)", rows, why, self.file, error)

    def told(self) -> Loss | None:
        """What was lost; None where nothing was. A line that is not whole counts as one read."""
        try:
            lines = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        except (OSError, UnicodeError) as error:
            return Loss(1, "", f"{self.file} cannot be read ({error})")
        losses = [_loss(line) for line in lines]
        return Loss(sum(loss.rows for loss in losses), losses[0].since, losses[-1].why) if losses else None


def _loss(line: str) -> Loss:
    try:
        told = json.loads(line)
        return Loss(int(told["rows"]), str(told["at"]), str(told["why"]))
    except (ValueError, KeyError, TypeError):
        return Loss(1, "", "unknown")
