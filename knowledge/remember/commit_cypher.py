"""The statements of the guarded write. Times travel as ISO text, everything else as parameters."""

DONE = "MATCH (a:GavelAudit) WHERE a.event_id IN $events RETURN a.event_id AS event, a.why AS why, a.version AS version"

ANYTHING = "MATCH (n) WHERE NOT n:GavelSchema RETURN 1 LIMIT 1"

AUDITED = "MATCH (a:GavelAudit) RETURN a.event_id AS event"

COUNT = """
CALL () { MATCH (e:Episodic {group_id: $namespace}) WHERE coalesce(e.known_to, datetime($open_end)) = datetime($open_end)
  RETURN count(*) AS episodes, coalesce(sum(e.bytes), 0) AS bytes }
CALL () { MATCH ()-[r:RELATES_TO {group_id: $namespace}]->() WHERE coalesce(r.known_to, datetime($open_end)) = datetime($open_end)
  RETURN count(*) AS facts }
RETURN episodes, facts, bytes
"""

EPISODES = """
WITH datetime($now) AS now, datetime($open_start) AS start, datetime($open_end) AS end
UNWIND $rows AS row
CREATE (e:Episodic)
SET e = row.said, e.group_id = $namespace, e.created_at = now, e.valid_at = datetime(row.valid_at), e.valid_from = datetime(row.valid_at),
  e.valid_to = end, e.known_from = now, e.known_to = end, e.entity_edges = []
"""

MENTIONS = """
WITH datetime($now) AS now
UNWIND $rows AS row
MATCH (e:Episodic {uuid: row.episode})
MATCH (n:Entity {uuid: row.entity})
MERGE (e)-[m:MENTIONS]->(n)
ON CREATE SET m.uuid = row.uuid, m.group_id = $namespace, m.created_at = now
"""

PROVENANCE = """
WITH datetime($open_end) AS end
UNWIND $rows AS row
MATCH (e:Episodic {uuid: row.episode})
MATCH ()-[r:RELATES_TO {fact_id: row.fact}]->() WHERE r.known_to = end
SET r.episodes = CASE WHEN row.episode IN r.episodes THEN r.episodes ELSE r.episodes + row.episode END,
  e.entity_edges = CASE WHEN r.uuid IN e.entity_edges THEN e.entity_edges ELSE e.entity_edges + r.uuid END
FOREACH (_ IN CASE WHEN r.source = row.source THEN [1] ELSE [] END | SET r += row.who)
WITH row
MATCH (v:GavelEvidence {fact_id: row.fact, source: row.source})
SET v.episode_uuid = row.episode, v += row.who
"""

AUDIT = """
UNWIND $rows AS row
MERGE (a:GavelAudit {event_id: row.event_id})
SET a += row, a.group_id = $namespace, a.at = datetime($now), a.version = $version
"""

CLOSE = """
MATCH (n:GavelNamespace {group_id: $namespace})
SET n.version = n.version + 1, n.guarded = coalesce(n.guarded, 0) + 1, n.last_commit = datetime($last), n.applied_seq = $seq, n.episodes = $episodes, n.facts = $facts,
  n.bytes = $bytes, n.access_levels = CASE WHEN 'public' IN coalesce(n.access_levels, []) THEN n.access_levels
    ELSE coalesce(n.access_levels, []) + 'public' END,
  n.visibility_groups = CASE WHEN '' IN coalesce(n.visibility_groups, []) THEN n.visibility_groups
    ELSE coalesce(n.visibility_groups, []) + '' END
RETURN n.version AS version
"""

NAMED = """
UNWIND $names AS name
MATCH (n:Entity {group_id: $namespace, folded_name: name.folded, visibility_group: ''}) WHERE n.name = name.exact
RETURN name.exact AS said, n.key AS key
UNION
UNWIND $names AS name
MATCH (n:Entity {group_id: $namespace, visibility_group: '', key: name.exact})
RETURN name.exact AS said, n.key AS key
"""

LIVE = """
WITH datetime($open_end) AS end
UNWIND $rows AS row
MATCH (:Entity {group_id: $namespace, visibility_group: '', key: row.subject})-[r:RELATES_TO {group_id: $namespace, name: row.relation}]->()
WHERE r.known_to = end AND r.visibility_group = '' AND (row.object IS NULL OR r.to_key = row.object)
RETURN row.at AS at, r.from_key AS subject, r.name AS relation, r.to_key AS object, toString(r.valid_from) AS valid_from,
  toString(r.valid_to) AS valid_to, r.valid_from_precision AS from_precision, r.valid_to_precision AS to_precision,
  r.valid_from_text AS from_text, r.confidence AS confidence, r.fact AS text
"""

LIVE_EPISODES = """
UNWIND $episodes AS episode
MATCH (e:Episodic {uuid: episode, group_id: $namespace}) WHERE coalesce(e.known_to, datetime($open_end)) = datetime($open_end)
RETURN e.uuid AS episode
"""

OF_TOPICS = """
UNWIND $topics AS topic
CALL (topic) {
  MATCH (e:Episodic)
  WHERE e.group_id = $namespace AND e.topic = topic AND e.known_from > datetime($open_start) AND e.known_to = datetime($open_end)
  RETURN e ORDER BY e.group_id DESC, e.topic DESC, e.known_from DESC LIMIT $most
}
RETURN topic, e.uuid AS uuid, e.content AS body
"""
"""The order is that of the index, which is read backwards as far as is wanted: of a large topic nothing is sorted."""

SEEN = """
UNWIND $receipts AS receipt
MATCH (e:Episodic|GavelPastEpisode {uuid: receipt})
RETURN e.uuid AS receipt, e.content_hash AS content
"""

ARCHIVED = "UNWIND $episodes AS episode MATCH (e:GavelPastEpisode {uuid: episode}) RETURN e.uuid AS episode"

STORED = """
MATCH (e:Episodic|GavelPastEpisode {uuid: $uuid})
RETURN e:GavelPastEpisode AS past, [e.name, e.content, e.source, e.source_description, e.group_id] AS stored
"""
