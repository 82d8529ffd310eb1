"""The statements that erase an episode, and that empty a namespace before it is written anew."""

EPISODE = """
OPTIONAL MATCH (e:Episodic|GavelPastEpisode {uuid: $episode, group_id: $namespace})
DETACH DELETE e
WITH count(*) AS gone
UNWIND $resolved AS event
MATCH (a:GavelAudit {event_id: event, group_id: $namespace}) WHERE a.why IS NOT NULL
SET a.why = 'redacted'
"""

ONLY_GUARDED = """
MATCH (n:GavelNamespace {group_id: $namespace})
RETURN n.version = coalesce(n.guarded, 0) AS guarded
"""

EMPTY = (
    "MATCH (n:Entity {group_id: $namespace}) DETACH DELETE n",
    "MATCH (n:Episodic|GavelPastEpisode {group_id: $namespace}) DETACH DELETE n",
    "MATCH (n:GavelEvidence {group_id: $namespace}) DETACH DELETE n",
    "MATCH (n:GavelEntityVersion {group_id: $namespace}) DETACH DELETE n",
    "MATCH (n:GavelRelationType {group_id: $namespace}) DETACH DELETE n",
    "MATCH (n:GavelAudit) WHERE n.event_id IN $events DETACH DELETE n",
    "MATCH (n:GavelNamespace {group_id: $namespace}) SET n.last_commit = datetime($open_start), n.episodes = 0, n.facts = 0, n.bytes = 0",
)
