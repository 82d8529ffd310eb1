"""Which receipts told of something, by its uuid: an episode, an entity that episodes mention, or a fact."""

RECEIPTS = """
CALL () {
  MATCH (e:Episodic|GavelPastEpisode {uuid: $id}) RETURN e AS told
  UNION
  MATCH (e:Episodic|GavelPastEpisode)-[:MENTIONS]->(:Entity {uuid: $id}) RETURN e AS told
  UNION
  MATCH ()-[r:RELATES_TO {uuid: $id}]->() UNWIND r.episodes AS episode MATCH (e:Episodic|GavelPastEpisode {uuid: episode}) RETURN e AS told
  UNION
  MATCH ()-[r:RELATES_TO {fact_id: $id}]->() UNWIND r.episodes AS episode MATCH (e:Episodic|GavelPastEpisode {uuid: episode}) RETURN e AS told
}
RETURN DISTINCT told.receipt AS receipt ORDER BY receipt
"""
