"""The statements that make a memory of Graphiti's governed, and that let it go again. Times travel as ISO text.

Only properties, nodes and relationships that are Gavel's own are added; what had the name of one of them is kept under `gavel_before_…`,
inside the server, so that values of any type come back as they were.
"""

from knowledge.adoption.elements import ADOPTED, BEFORE, Element, ours

FIRST_IN_LINE = """
MATCH (n:Entity|Episodic) WITH n ORDER BY n.uuid LIMIT 1
SET n.gavel_line = true
REMOVE n.gavel_line
"""

RECORD = "MATCH (a:GavelAdoption {id: 'gavel'}) RETURN a.state AS state, a.indexes AS indexes"

BEGIN = """
MERGE (a:GavelAdoption {id: 'gavel'})
ON CREATE SET a.state = 'adopting', a.at = datetime($now), a.by = $by, a.indexes = $indexes
RETURN a.state AS state, toString(a.at) AS at
"""

TURN = "MATCH (a:GavelAdoption {id: 'gavel'}) SET a.turn = true"

STATE = "MATCH (a:GavelAdoption {id: 'gavel'}) SET a.state = $state"

FORGET = "MATCH (a:GavelAdoption {id: 'gavel'}) DELETE a"

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
  COUNT { ()-[r:RELATES_TO]->() WHERE r.group_id = namespace AND r.adopted_belief IS NULL } AS facts
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
  toStringOrNull(n.created_at) AS created, toStringOrNull(n.valid_at) AS valid_at
ORDER BY n.uuid LIMIT $page
"""

FACTS = """
MATCH (a:Entity) WHERE a.uuid > $after
WITH a ORDER BY a.uuid LIMIT $page
OPTIONAL MATCH (a)-[r:RELATES_TO]->(b:Entity)
RETURN a.uuid AS subject, b.uuid AS object, r.uuid AS uuid, r.group_id AS namespace, r.name AS relation, r.fact AS text,
  toStringOrNull(r.created_at) AS created, toStringOrNull(r.valid_at) AS valid_at,
  toStringOrNull(r.invalid_at) AS invalid_at, toStringOrNull(r.expired_at) AS expired,
  coalesce(r.episodes, []) AS episodes, coalesce(r.adopted_belief, false) AS belief
ORDER BY subject, uuid
"""


def _keep(element: Element) -> str:
    """What has the name of one of ours goes under another name; an absent value stays absent."""
    return ", ".join([*(f"x.{BEFORE}{name} = x.{name}" for name in ours(element)), f"x.{ADOPTED} = true"])


def _give_back(element: Element) -> str:
    both = (f"x.{name} = x.{BEFORE}{name}, x.{BEFORE}{name} = null" for name in ours(element))
    return ", ".join([*both, f"x.{ADOPTED} = null"])


WRITE_ENTITIES = f"""
UNWIND $rows AS row
MATCH (x:Entity {{uuid: row.uuid}}) WHERE x.{ADOPTED} IS NULL
SET {_keep("entity")}
SET x += row.said, x.known_from = datetime(row.known_from), x.known_to = datetime($open_end),
  x.valid_from = datetime($open_start), x.valid_to = datetime($open_end)
"""

WRITE_EPISODES = f"""
UNWIND $rows AS row
MATCH (x:Episodic {{uuid: row.uuid}}) WHERE x.{ADOPTED} IS NULL
SET {_keep("episode")}
SET x += row.said, x.known_from = datetime(row.known_from), x.known_to = datetime($open_end),
  x.valid_from = datetime(row.valid_from), x.valid_to = datetime($open_end)
"""

KEEP_FACTS = f"""
UNWIND $rows AS row
MATCH ()-[x:RELATES_TO {{uuid: row.uuid}}]->() WHERE x.{ADOPTED} IS NULL
SET {_keep("fact")}
"""

WRITE_FACTS = """
UNWIND $rows AS row
MATCH ()-[r:RELATES_TO {uuid: row.uuid}]->()
SET r += row.said, r.known_from = datetime(row.known_from), r.known_to = datetime(row.known_to),
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

RESTORE_ENTITIES = f"MATCH (x:Entity) WHERE x.{ADOPTED} WITH x LIMIT $page SET {_give_back('entity')} RETURN count(*) AS n"

RESTORE_EPISODES = f"MATCH (x:Episodic) WHERE x.{ADOPTED} WITH x LIMIT $page SET {_give_back('episode')} RETURN count(*) AS n"

RESTORE_FACTS = f"MATCH ()-[x:RELATES_TO]->() WHERE x.{ADOPTED} WITH x LIMIT $page SET {_give_back('fact')} RETURN count(*) AS n"

LEFT = f"""
CALL () {{ MATCH (x:Entity|Episodic) WHERE x.{ADOPTED} IS NULL RETURN count(*) AS n
  UNION ALL MATCH ()-[x:RELATES_TO]->() WHERE x.{ADOPTED} IS NULL AND x.adopted_belief IS NULL RETURN count(*) AS n }}
RETURN sum(n) AS n
"""

FINISH = """
MATCH (a:GavelAdoption {id: 'gavel'}) SET a.state = 'adopted'
MERGE (s:GavelSchema {id: 'gavel'}) SET s.shape = 'memory', s.version = $version
"""
