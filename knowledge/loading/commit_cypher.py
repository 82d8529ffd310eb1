"""The statements that every batch has in common, whatever the shape: lock the namespace, keep the checkpoint, move the version.

What a namespace holds is counted anew by the next guarded write.
"""

LOCK = """
MERGE (n:GavelNamespace {group_id: $namespace})
ON CREATE SET n.version = 0, n.last_commit = datetime($open_start)
SET n.version = n.version
RETURN n.version AS version, toString(n.last_commit) AS last_commit, n.episodes AS episodes, n.facts AS facts, n.bytes AS bytes
"""

CHECKPOINT = """
MERGE (l:GavelLoad {id: $load})
SET l.rows = CASE WHEN l.rows > $position THEN l.rows ELSE $position END, l.group_id = $namespace
WITH l
MATCH (n:GavelNamespace {group_id: $namespace})
RETURN n.version AS version
"""

AUDIT = """
MERGE (a:GavelAudit {event_id: $event})
SET a.kind = 'loaded', a.group_id = $namespace, a.at = datetime($now), a.version = $version
"""

COMMIT = CHECKPOINT.replace(
    "RETURN",
    """SET n.version = n.version + 1, n.last_commit = datetime($last), n.episodes = null, n.facts = null, n.bytes = null,
  n.access_levels = coalesce(n.access_levels, []) + [x IN $levels WHERE NOT x IN coalesce(n.access_levels, [])],
  n.visibility_groups = coalesce(n.visibility_groups, []) + [x IN $groups WHERE NOT x IN coalesce(n.visibility_groups, [])]
RETURN""",
)
