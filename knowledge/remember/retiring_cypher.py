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

_TOLD = """
MATCH (e:GavelPastEpisode {uuid: $episode, group_id: $namespace})
UNWIND e.entity_edges AS edge
MATCH ()-[d:RELATES_TO {uuid: edge}]->()
WITH DISTINCT d.fact_id AS fact
"""

TOLD = (
    _TOLD
    + """
MATCH ()-[r:RELATES_TO {fact_id: fact}]->() WHERE r.known_to = datetime($open_end)
RETURN fact, r.uuid AS uuid, r.source AS source, toString(r.valid_to) AS valid_to,
  COLLECT { MATCH (v:GavelEvidence {fact_id: fact}) WHERE v.undone_by IS NULL
    RETURN {source: v.source, valid_to: toString(v.valid_to), confidence: v.confidence} ORDER BY v.id } AS evidence,
  COLLECT { MATCH ()-[o:RELATES_TO {fact_id: fact}]->()
    RETURN {uuid: o.uuid, valid_to: toString(o.valid_to), known_from: toString(o.known_from)} ORDER BY o.known_from } AS versions
ORDER BY uuid
"""
)

EVIDENCE = (
    _TOLD
    + """
WHERE fact IN $facts
MATCH (v:GavelEvidence {fact_id: fact}) WHERE v.source = $episode AND v.undone_by IS NULL
SET v.known_to = datetime($now), v.undone_by = $event
"""
)

FACT = """
MATCH ()-[r:RELATES_TO {uuid: $uuid}]->()
SET r.known_to = datetime($now), r.expired_at = datetime($now), r.undone_by = $event
"""

BELIEVE = """
MATCH ()-[r:RELATES_TO {uuid: $uuid}]->()
SET r.observation_count = $count, r.confidence = $confidence
"""

REOPEN = """
MATCH (a)-[o:RELATES_TO {uuid: $of}]->(b)
CREATE (a)-[r:RELATES_TO]->(b)
SET r = o {.*, uuid: $uuid, known_from: datetime($now), created_at: datetime($now), known_to: datetime($open_end), expired_at: null,
  undone_by: null, reopened_by: CASE $event WHEN '' THEN null ELSE $event END, observation_count: $count, confidence: $confidence}
WITH r
UNWIND r.episodes AS episode
MATCH (e:Episodic|GavelPastEpisode {uuid: episode})
SET e.entity_edges = e.entity_edges + r.uuid
"""

RESTORE = """
MATCH (e:GavelPastEpisode {uuid: $episode, group_id: $namespace}) WHERE e.undone_by IS NULL
MATCH (a:GavelAudit {event_id: e.archived_by}) WHERE a.receipt = $receipt
WITH e, e.archived_by AS event
SET e.known_to = datetime($open_end), e.archived_by = null, e:Episodic
REMOVE e:GavelPastEpisode
RETURN event
"""

_TAKEN = _TOLD.replace("GavelPastEpisode", "Episodic")

TAKEN = (
    _TAKEN
    + """
RETURN fact,
  COLLECT { MATCH (v:GavelEvidence {fact_id: fact}) WHERE v.undone_by IS NULL OR (v.undone_by = $event AND v.source = $episode)
    RETURN {source: v.source, valid_to: toString(v.valid_to), confidence: v.confidence} ORDER BY v.id } AS evidence,
  COLLECT { MATCH ()-[o:RELATES_TO {fact_id: fact}]->()
    RETURN {uuid: o.uuid, valid_to: toString(o.valid_to), live: o.known_to = datetime($open_end), ended_by: o.undone_by,
      reopened_by: o.reopened_by, count: o.observation_count, confidence: o.confidence} ORDER BY o.known_from } AS versions
ORDER BY fact
"""
)

EVIDENCE_BACK = (
    _TAKEN
    + """
MATCH (v:GavelEvidence {fact_id: fact}) WHERE v.source = $episode AND v.undone_by = $event
SET v.known_to = datetime($open_end), v.undone_by = null
"""
)
