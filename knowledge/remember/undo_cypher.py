"""The statements that end a belief in what one episode told. Times travel as ISO text."""

EPISODE = """
MATCH (e:Episodic {uuid: $episode, group_id: $namespace}) WHERE e.known_to = datetime($open_end)
SET e.known_to = datetime($now), e.undone_by = $event
"""

TOLD = """
MATCH (e:Episodic {uuid: $episode, group_id: $namespace})
UNWIND e.entity_edges AS edge
MATCH ()-[r:RELATES_TO {uuid: edge}]->() WHERE r.known_to = datetime($open_end)
RETURN r.fact_id AS fact, r.uuid AS uuid, r.source AS source, toString(r.valid_to) AS valid_to,
  COLLECT { MATCH (v:GavelEvidence {fact_id: r.fact_id}) WHERE v.undone_by IS NULL
    RETURN {source: v.source, valid_to: toString(v.valid_to), confidence: v.confidence} ORDER BY v.id } AS evidence,
  COLLECT { MATCH ()-[o:RELATES_TO {fact_id: r.fact_id}]->()
    RETURN {uuid: o.uuid, valid_to: toString(o.valid_to), known_from: toString(o.known_from)} ORDER BY o.known_from } AS versions
ORDER BY r.uuid
"""

EVIDENCE = """
MATCH (v:GavelEvidence {source: $episode}) WHERE v.group_id = $namespace AND v.undone_by IS NULL
SET v.known_to = datetime($now), v.undone_by = $event
"""

FACT = """
MATCH ()-[r:RELATES_TO {uuid: $uuid}]->()
SET r.known_to = datetime($now), r.undone_by = $event
"""

BELIEVE = """
MATCH ()-[r:RELATES_TO {uuid: $uuid}]->()
SET r.observation_count = $count, r.confidence = $confidence
"""

REOPEN = """
MATCH (a)-[o:RELATES_TO {uuid: $of}]->(b)
CREATE (a)-[r:RELATES_TO]->(b)
SET r = o {.*, uuid: $uuid, known_from: datetime($now), created_at: datetime($now), known_to: datetime($open_end), undone_by: null,
  observation_count: $count, confidence: $confidence}
WITH r
UNWIND r.episodes AS episode
MATCH (e:Episodic {uuid: episode})
SET e.entity_edges = e.entity_edges + r.uuid
"""
