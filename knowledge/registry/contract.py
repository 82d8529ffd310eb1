"""The contract of a namespace."""

from dataclasses import dataclass
from typing import Literal

WritePolicy = Literal["self_service", "owner_only", "explicit_approval_required"]
HUMAN_CURATED = "human_curated"
ANY_AGENT = "any_agent"
PROJECT_AGENT = "project_agent"


@dataclass(frozen=True)
class SizeLimit:
    """None: as many as come."""

    episodes: int | None = None
    facts: int | None = None
    bytes: int | None = None


@dataclass(frozen=True)
class Contract:
    """See docs/namespaces.md."""

    id: str
    purpose: str
    owner: str
    allowed_types: tuple[str, ...]
    size_limit: SizeLimit
    write_policy: WritePolicy
    suggested_alternative: str = ""
    single_valued: frozenset[str] = frozenset()
    retention_days: int | None = None
    join: Literal["key", "none"] = "key"
    display_name: str = ""
    project: str = ""
