"""What a namespace promises and demands."""

from dataclasses import dataclass
from typing import Literal

WritePolicy = Literal["self_service", "owner_only", "explicit_approval_required"]
Join = Literal["key", "none"]
HUMAN_CURATED = "human_curated"
ANY_AGENT = "any_agent"
PROJECT_AGENT = "project_agent"


@dataclass(frozen=True)
class SizeLimit:
    """The most live items of each kind; None is no limit."""

    episodes: int | None = None
    facts: int | None = None
    bytes: int | None = None


@dataclass(frozen=True)
class Contract:
    """`owner` is HUMAN_CURATED, ANY_AGENT, PROJECT_AGENT (of `project`), or the id of one person or agent.

    `single_valued` names the relations of which a subject has one at a time. Entities with the same key in several namespaces are one
    node at read time where `join` is `key`. `retention_days` None keeps for ever.
    """

    id: str
    purpose: str
    owner: str
    allowed_types: tuple[str, ...]
    size_limit: SizeLimit
    write_policy: WritePolicy
    suggested_alternative: str = ""
    single_valued: frozenset[str] = frozenset()
    retention_days: int | None = None
    join: Join = "key"
    display_name: str = ""
    project: str = ""
