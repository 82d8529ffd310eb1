"""A proposal with everything decided that is not in it: when it is written, when it was true, under which ids. Written twice, it is the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from knowledge.clocks import Moment, moment
from knowledge.remember.proposal import Proposal, Provenance


@dataclass(frozen=True)
class Resolved:
    """`event` is the journal's event that resolved it, `seq` its place in the order of writing, `at` the time of writing.

    `single_valued`: the relations of which the namespace believed one at a time, by its contract at that moment. `lapsed`: why nobody with
    authority stands behind it any more, where that was so when it was tried again; it is refused then, unless an earlier attempt has written it.
    """

    event: str
    seq: int
    receipt: str
    principal: str
    proposal: Proposal
    provenance: Provenance
    at: datetime
    single_valued: frozenset[str] = frozenset()
    lapsed: str = ""

    @property
    def episode(self) -> str:
        """The uuid of the episode: the receipt's own."""
        return str(UUID(self.receipt))

    @property
    def valid_at(self) -> Moment:
        """When the episode was true; without a date when it was written."""
        return moment(self.proposal.valid_at or self.at.isoformat())

    @property
    def who(self) -> Mapping[str, object]:
        """Provenance as properties."""
        return {"principal": self.principal, "receipt": self.receipt, **self.provenance.as_json()}

    def written(self) -> dict[str, object]:
        """One row of the statement that creates episodes."""
        proposal, named = self.proposal, self.proposal.named
        parts = {"type": named.type, "topic": named.topic, "aspect": named.aspect} if named else {}
        said = {
            "uuid": self.episode, "name": proposal.name, "content": proposal.episode_body, "source": proposal.source,
            "source_description": proposal.source_description, "content_hash": proposal.content, "bytes": proposal.size,
            "access_level": "public", "visibility_group": "", "valid_from_precision": self.valid_at.precision, "valid_to_precision": "instant",
            **parts, **self.who,
        }  # fmt: skip
        return {"said": said, "valid_at": self.valid_at.start.isoformat()}

    def audit(self) -> dict[str, object]:
        """What the database itself keeps of the write."""
        archived = [one.episode for one in self.proposal.archived]
        about = ({"episode": self.episode} if self.proposal.remembers else {}) | ({"archived": archived} if archived else {})
        return {"event_id": self.event, "kind": "applied", **about, **self.who}
