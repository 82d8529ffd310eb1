"""What went wrong with a provider: whether trying again may help, when, and whether it was paid for.

Clients have exceptions of their own, so they are read by what they carry and by the names of their classes.
"""

import email.utils
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

WHY_CHARACTERS = 160
_TRANSIENT = frozenset({408, 409, 425, 429})
_MALFORMED = frozenset({400, 404, 422})
_FORM = re.compile(r"response_format|schema|structured|tool|function|json", re.I)
_NUMBER = re.compile(r"\d{1,9}(\.\d*)?")
_NETWORK = frozenset({"OSError", "TimeoutError", "TransportError", "APIConnectionError"})


@dataclass(frozen=True)
class Trouble:
    """`passing`: trying again may help, not before `wait` seconds where the provider said so (0: it did not).

    `status` 0 where no answer came. `unpaid`: the provider refused before it worked. `form`: it does not take the form in which it was asked.
    """

    why: str
    passing: bool
    wait: float = 0.0
    status: int = 0
    form: bool = False

    @property
    def unpaid(self) -> bool:
        return self.status >= 400


def trouble(error: Exception) -> Trouble:
    """What an exception of a client says."""
    told = (getattr(bearer, "status_code", None) for e in _chain(error) for bearer in (e, getattr(e, "response", None)))
    status = next((code for code in told if isinstance(code, int)), 0)
    said = f"{type(error).__name__}: {' '.join(str(error).split())}"
    why = said[:WHY_CHARACTERS]
    if status:
        form = status in _MALFORMED and bool(_FORM.search(said))
        return Trouble(why, status in _TRANSIENT or status >= 500, _retry_after(error), status, form)
    return Trouble(why, any(base.__name__ in _NETWORK for e in _chain(error) for base in type(e).__mro__))


def _chain(error: BaseException) -> Iterator[BaseException]:
    here: BaseException | None = error
    while here is not None:
        yield here
        here = here.__cause__ or here.__context__


def _retry_after(error: Exception) -> float:
    """Seconds, given as such or as a date; 0 for what is neither."""
    headers = cast(Mapping[str, str], getattr(getattr(error, "response", None), "headers", {}))
    said = headers.get("retry-after", "")
    try:
        seconds = float(said) if _NUMBER.fullmatch(said) else email.utils.parsedate_to_datetime(said).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return max(0.0, seconds)
