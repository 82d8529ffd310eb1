"""The statements that make a memory of Graphiti's governed, and that let it go again. Times travel as ISO text.

Only properties, nodes and relationships that are Gavel's own are added; what had the name of one of them is kept under `gavel_before_…`.
"""

RECORD = "MATCH (a:GavelAdoption {id: 'gavel'}) RETURN a.state AS state, a.indexes AS indexes"

BEGIN = """
MERGE (a:GavelAdoption {id: 'gavel'})
ON CREATE SET a.state = 'adopting', a.at = datetime($now), a.by = $by, a.indexes = $indexes
RETURN a.state AS state
"""

STATE = "MATCH (a:GavelAdoption {id: 'gavel'}) SET a.state = $state"

FORGET = "MATCH (a:GavelAdoption {id: 'gavel'}) DELETE a"

NAMELESS = """
CALL () { MATCH (n:Entity) WHERE n.uuid IS NULL OR n.group_id IS NULL RETURN 'entities' AS what
  UNION ALL MATCH (n:Episodic) WHERE n.uuid IS NULL OR n.group_id IS NULL RETURN 'episodes' AS what
  UNION ALL MATCH ()-[r:RELATES_TO]->() WHERE r.uuid IS NULL OR r.group_id IS NULL RETURN 'facts' AS what }
RETURN what, count(*) AS n ORDER BY what
"""

TWICE = """
CALL () { MATCH (n:Entity) WITH 'entities' AS what, n.uuid AS uuid, count(*) AS n WHERE n > 1 RETURN what, uuid
  UNION ALL MATCH (n:Episodic) WITH 'episodes' AS what, n.uuid AS uuid, count(*) AS n WHERE n > 1 RETURN what, uuid
  UNION ALL MATCH ()-[r:RELATES_TO]->() WITH 'facts' AS what, r.uuid AS uuid, count(*) AS n WHERE n > 1 RETURN what, uuid }
RETURN what, count(*) AS n, head(collect(uuid)) AS example ORDER BY what
"""

GROUPS = """
CALL () { MATCH (n:Entity|Episodic) RETURN n.group_id AS namespace UNION MATCH ()-[r:RELATES_TO]->() RETURN r.group_id AS namespace }
RETURN DISTINCT namespace ORDER BY namespace
"""

COUNTED = """
UNWIND $namespaces AS namespace
RETURN namespace, COUNT { (n:Entity) WHERE n.group_id = namespace } AS entities, COUNT { (n:Episodic) WHERE n.group_id = namespace } AS episodes,
  COUNT { ()-[r:RELATES_TO]->() WHERE r.group_id = namespace } AS facts
"""

UUID_INDEXES = """
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint
WHERE type = 'RANGE' AND owningConstraint IS NULL AND properties = ['uuid'] AND labelsOrTypes[0] IN ['Entity', 'Episodic', 'RELATES_TO']
RETURN name, labelsOrTypes[0] AS label ORDER BY name
"""

ENTITIES = """
MATCH (n:Entity) WHERE n.uuid > $after
RETURN n.uuid AS uuid, n.group_id AS namespace, n.name AS name, n.summary AS summary, labels(n) AS labels,
  toStringOrNull(n.created_at) AS created, properties(n) AS has
ORDER BY n.uuid LIMIT $page
"""

EPISODES = """
MATCH (n:Episodic) WHERE n.uuid > $after
RETURN n.uuid AS uuid, n.group_id AS namespace, n.name AS name, n.content AS content, n.source_description AS source_description,
  toStringOrNull(n.created_at) AS created, toStringOrNull(n.valid_at) AS valid_at, properties(n) AS has
ORDER BY n.uuid LIMIT $page
"""

FACTS = """
MATCH (a:Entity) WHERE a.uuid > $after
WITH a ORDER BY a.uuid LIMIT $page
OPTIONAL MATCH (a)-[r:RELATES_TO]->(b:Entity)
RETURN a.uuid AS subject, b.uuid AS object, r.uuid AS uuid, r.group_id AS namespace, r.name AS relation, r.fact AS text,
  toStringOrNull(r.created_at) AS created, toStringOrNull(r.valid_at) AS valid_at, toStringOrNull(r.invalid_at) AS invalid_at,
  toStringOrNull(r.expired_at) AS expired, coalesce(r.episodes, []) AS episodes, properties(r) AS has
ORDER BY subject, uuid
"""

WRITE_ENTITIES = """
UNWIND $rows AS row
MATCH (n:Entity {uuid: row.uuid})
SET n += row.before, n += row.said, n.known_from = datetime(row.known_from), n.known_to = datetime($open_end),
  n.valid_from = datetime($open_start), n.valid_to = datetime($open_end)
"""

WRITE_EPISODES = """
UNWIND $rows AS row
MATCH (n:Episodic {uuid: row.uuid})
SET n += row.before, n += row.said, n.known_from = datetime(row.known_from), n.known_to = datetime($open_end),
  n.valid_from = datetime(row.valid_from), n.valid_to = datetime($open_end)
"""

WRITE_FACTS = """
UNWIND $rows AS row
MATCH ()-[r:RELATES_TO {uuid: row.uuid}]->()
SET r += row.before, r += row.said, r.known_from = datetime(row.known_from), r.known_to = datetime(row.known_to),
  r.valid_from = datetime(row.valid_from), r.valid_to = datetime(row.valid_to)
"""

EARLIER_BELIEFS = """
UNWIND $rows AS row
MATCH (a)-[later:RELATES_TO {uuid: row.of}]->(b)
MERGE (a)-[r:RELATES_TO {uuid: row.uuid}]->(b)
SET r += later {.group_id, .name, .fact, .episodes, .created_at, .valid_at, .expired_at}, r += row.said, r.adopted_belief = true,
  r.known_from = datetime(row.known_from), r.known_to = datetime(row.known_to),
  r.valid_from = datetime(row.valid_from), r.valid_to = datetime(row.valid_to)
"""

EVIDENCE = """
UNWIND $rows AS row
MERGE (e:GavelEvidence {id: row.id})
SET e += row.said, e.valid_to = datetime(row.valid_to), e.known_from = datetime(row.known_from), e.known_to = datetime($open_end)
"""

NAMESPACES = """
UNWIND $namespaces AS namespace
MERGE (n:GavelNamespace {group_id: namespace})
ON CREATE SET n.version = 1, n.last_commit = datetime($now), n.access_levels = ['public'], n.visibility_groups = [''], n.adopted = true
WITH namespace
MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = namespace
WITH DISTINCT namespace, r.name AS name
MERGE (t:GavelRelationType {group_id: namespace, name: name})
ON CREATE SET t.id = namespace + '/' + name
"""

WRITTEN_SINCE = "MATCH (n:GavelNamespace) WHERE n.version > 1 OR n.adopted IS NULL RETURN n.group_id AS namespace ORDER BY namespace"

UNMARK = "MATCH (s:GavelSchema) DELETE s"

FORGET_BELIEFS = "MATCH ()-[r:RELATES_TO]->() WHERE r.adopted_belief WITH r LIMIT $page DELETE r RETURN count(*) AS n"

FORGET_NODES = """
MATCH (n:GavelEvidence|GavelNamespace|GavelRelationType|GavelAudit|GavelLoad|GavelEntityVersion) WITH n LIMIT $page
DETACH DELETE n RETURN count(*) AS n
"""

OURS = "SHOW {what} YIELD name WHERE name STARTS WITH 'gavel_' RETURN name ORDER BY name"

ADOPTED_NODES = """
MATCH (n:Entity|Episodic) WHERE n.gavel_adopted
RETURN elementId(n) AS at, CASE WHEN n:Entity THEN 'entity' ELSE 'episode' END AS what, properties(n) AS has LIMIT $page
"""

ADOPTED_FACTS = """
MATCH ()-[n:RELATES_TO]->() WHERE n.gavel_adopted RETURN elementId(n) AS at, 'fact' AS what, properties(n) AS has LIMIT $page
"""

RESTORE_NODES = "UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.at SET n += row.before"

RESTORE_FACTS = "UNWIND $rows AS row MATCH ()-[n]->() WHERE elementId(n) = row.at SET n += row.before"
