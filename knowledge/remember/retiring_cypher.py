"""The statements that end a belief in what one episode told, and that take it up again. Times travel as ISO text.

An episode that is no longer believed has the label GavelPastEpisode instead of Episodic, so that Graphiti's own readers do not show it.
"""

EPISODE = """
MATCH (e:Episodic {uuid: $episode, group_id: $namespace}) WHERE coalesce(e.known_to, datetime($open_end)) = datetime($open_end)
SET e.known_to = datetime($now), e += $mark, e:GavelPastEpisode
REMOVE e:Episodic
RETURN coalesce(e.bytes, 0) AS bytes
"""

UNDONE_PAST = "MATCH (e:GavelPastEpisode {uuid: $episode, group_id: $namespace}) WHERE e.undone_by IS NULL SET e.undone_by = $event"

TOLD = """
MATCH (e:Episodic|GavelPastEpisode {uuid: $episode, group_id: $namespace})
UNWIND e.entity_edges AS edge
MATCH ()-[d:RELATES_TO {uuid: edge}]->()
RETURN DISTINCT d.fact_id AS fact ORDER BY fact
"""

EVIDENCE = """
UNWIND $facts AS fact
MATCH (v:GavelEvidence {fact_id: fact}) WHERE v.source = $episode AND v.undone_by IS NULL
SET v.known_to = datetime($now), v.undone_by = $event
"""

FACT = """
MATCH ()-[r:RELATES_TO {uuid: $uuid}]->()
SET r.known_to = datetime($now), r.expired_at = datetime($now), r.undone_by = $event
"""

BELIEVE = """
MATCH ()-[r:RELATES_TO {uuid: $uuid}]->()
SET r.observation_count = $count, r.confidence = $confidence
"""

REOPEN = """
MATCH (a)-[o:RELATES_TO {fact_id: $fact}]->(b) WHERE o.valid_to = datetime($end)
WITH a, o, b ORDER BY o.known_from DESC LIMIT 1
CREATE (a)-[r:RELATES_TO]->(b)
SET r = o {.*, uuid: $uuid, known_from: datetime($now), created_at: datetime($now), known_to: datetime($open_end), expired_at: null,
  undone_by: null, observation_count: $count, confidence: $confidence}
WITH r
CALL (r) {
  UNWIND r.episodes AS episode
  MATCH (e:Episodic|GavelPastEpisode {uuid: episode})
  SET e.entity_edges = e.entity_edges + r.uuid
}
RETURN r.uuid AS uuid
"""

RESTORE = """
MATCH (e:GavelPastEpisode {uuid: $episode, group_id: $namespace}) WHERE e.undone_by IS NULL
MATCH (a:GavelAudit {event_id: e.archived_by}) WHERE a.receipt = $receipt
WITH e, e.archived_by AS event
SET e.known_to = datetime($open_end), e.archived_by = null, e:Episodic
REMOVE e:GavelPastEpisode
RETURN event
"""

EVIDENCE_BACK = """
MATCH (v:GavelEvidence {source: $episode, undone_by: $event})
SET v.known_to = datetime($open_end), v.undone_by = null
"""
