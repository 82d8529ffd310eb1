"""The statements that write the memory shape. Times travel as ISO text, everything else as parameters."""

MENTIONED = """
WITH datetime($now) AS now, datetime($open_start) AS start, datetime($open_end) AS end
UNWIND $rows AS row
MERGE (n:Entity {uuid: row.uuid, group_id: $namespace})
ON CREATE SET n = row, n += $mentioned, n.search_text = row.folded_name, n.group_id = $namespace,
  n.valid_from = start, n.valid_to = end, n.known_from = now, n.known_to = end, n.created_at = now
FOREACH (_ IN CASE WHEN n.seen IS NULL AND n.kind = '' AND row.kind <> '' THEN [1] ELSE [] END | SET n.kind = row.kind)
FOREACH (_ IN CASE WHEN n.seen IS NULL AND n.access_level <> 'public' AND row.access_level = 'public' THEN [1] ELSE [] END |
  SET n.access_level = 'public')
RETURN collect(CASE WHEN n.created_at = now THEN n.uuid END) AS created
"""

EXISTING = "UNWIND $uuids AS uuid MATCH (n:Entity {uuid: uuid}) RETURN n.uuid AS uuid"

ENTITIES = """
UNWIND $uuids AS uuid
MATCH (n:Entity {uuid: uuid})
RETURN n {.uuid, .key, .name, .kind, .aliases, .summary, .properties, .confidence, .access_level, .visibility_group,
  .valid_from_precision, .valid_to_precision, .valid_from_text, .valid_to_text, .seen,
  valid_from: toString(n.valid_from), valid_to: toString(n.valid_to)} AS entity
"""

SUPERSEDE = """
WITH datetime($now) AS now
UNWIND $uuids AS uuid
MATCH (n:Entity {uuid: uuid})
CREATE (v:GavelEntityVersion)
SET v = n {.group_id, .key, .name, .folded_name, .kind, .aliases, .summary, .properties, .confidence, .access_level, .visibility_group,
  .valid_from, .valid_to, .valid_from_precision, .valid_to_precision, .valid_from_text, .valid_to_text, .known_from,
  entity_uuid: n.uuid, known_to: now}
SET n.known_from = now
"""

DECLARED = """
WITH datetime($now) AS now, datetime($open_start) AS start, datetime($open_end) AS end
UNWIND $rows AS row
MERGE (n:Entity {uuid: row.state.uuid, group_id: $namespace})
ON CREATE SET n.known_from = now, n.known_to = end, n.created_at = now
FOREACH (_ IN CASE WHEN n.name = row.state.name AND n.summary = row.state.summary THEN [] ELSE [1] END | REMOVE n.gavel_vec, n.gavel_vec_model)
SET n += row.state, n.valid_from = coalesce(datetime(row.valid_from), start), n.valid_to = coalesce(datetime(row.valid_to), end)
RETURN collect(CASE WHEN n.created_at = now THEN n.uuid END) AS created
"""

FACTS = """
UNWIND $facts AS fact
MATCH ()-[r:RELATES_TO {fact_id: fact}]->()
RETURN r.fact_id AS fact, r.uuid AS uuid, r.source AS source, coalesce(r.place, '') AS place, toString(r.valid_to) AS valid_to,
  r.confidence AS confidence, r.access_level AS access_level, r.known_to = datetime($open_end) AS live,
  toString(r.known_from) AS at
"""

EVIDENCE = """
UNWIND $facts AS fact
MATCH (e:GavelEvidence {fact_id: fact})
RETURN fact, e.source AS source, e.place AS place, toString(e.valid_to) AS valid_to, e.confidence AS confidence,
  e.access_level AS access_level, toString(e.known_from) AS at, e.undone_by IS NULL AS stands
ORDER BY e.known_from, e.id
"""

CLOSE = """
UNWIND $rows AS row
MATCH ()-[r:RELATES_TO {uuid: row.uuid}]->()
SET r.known_to = datetime(row.known_to), r.expired_at = datetime(row.known_to)
"""

CREATE_FACTS = """
WITH datetime($open_start) AS start, datetime($open_end) AS end, datetime($now) AS now
UNWIND $rows AS row
MATCH (a:Entity {uuid: row.subject})
MATCH (b:Entity {uuid: row.object})
CREATE (a)-[r:RELATES_TO]->(b)
SET r = $usual, r += row.edge, r.group_id = $namespace, r.episodes = [], r.created_at = now,
  r.valid_from = coalesce(datetime(row.valid_from), start), r.valid_to = coalesce(datetime(row.valid_to), end),
  r.known_from = coalesce(datetime(row.known_from), now), r.known_to = coalesce(datetime(row.known_to), end),
  r.valid_at = datetime(row.valid_from), r.invalid_at = datetime(row.valid_to),
  r.expired_at = datetime(row.known_to)
"""

ADD_EVIDENCE = """
WITH datetime($open_end) AS end
UNWIND $rows AS row
MERGE (e:GavelEvidence {id: row.id})
ON CREATE SET e += row.said, e.group_id = $namespace, e.valid_to = datetime(row.valid_to), e.known_from = datetime(row.known_from),
  e.known_to = end
"""

BELIEVE = """
UNWIND $rows AS row
MATCH ()-[r:RELATES_TO {uuid: row.uuid}]->()
SET r.observation_count = row.count, r.confidence = row.confidence
"""

RELATION_TYPES = """
UNWIND $names AS name
MERGE (t:GavelRelationType {group_id: $namespace, name: name})
ON CREATE SET t.id = $namespace + '/' + name
"""
