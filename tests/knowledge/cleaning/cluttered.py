"""97 memories in `graphiti_meta_knowledge`, which is a getting-started guide for at most 15, as agents leave them behind without contracts.

Written as Graphiti writes: no types, no owners, no receipts. All content is invented.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from knowledge.database.connection import Database

SPACE = "graphiti_meta_knowledge"
BEGAN = datetime(2025, 3, 1, 9, tzinfo=UTC)

RIGHT = [
    ("Getting Started: Memory - what belongs here", "Write one idea per memory, name it by its type, and say where it comes from."),
    ("Getting Started: Search - ask before you write", "Search the topic first; if it is known, add to it instead of telling it again."),
    ("Getting Started: Namespaces - pick one by type", "Every namespace lists the types that it takes; a refusal names the right one."),
    (
        "Core Lesson: Receipts - accepted is not applied",
        "A receipt says accepted at once and applied later; verify before you build on it.",
    ),
    ("Core Lesson: Facts - dates belong to facts", "A fact without a date is true for ever; give valid_from whenever the text has one."),
    ("Core Lesson: Ownership - ask the owner", "What you do not own goes to its owner's queue; do not look for a way round."),
    ("Procedure: Handover - leave a trail", "Name the run, the agent and on whose behalf you acted in every memory."),
    ("Procedure: Outage - when the database is away", "What was accepted is kept in the journal; do not send it a second time."),
    ("Procedure: Review - how a queue is worked off", "Oldest first, ten at a time, and say why when you reject."),
]
PATTERNS = [
    ("Pattern: Neo4j - batch writes", "Send a thousand rows in one UNWIND; a round trip costs more than the write."),
    ("Pattern: Neo4j - composite uniqueness", "Put the namespace into every uniqueness constraint, or two teams collide."),
    ("Pattern: Retries - jitter", "Retry a deadlock after a random pause, never at once and never for ever."),
    ("Pattern: Queues - one lease per key", "Lease the key and not the item, then order inside the key comes for free."),
    ("Pattern: Journals - fsync before the receipt", "A promise that is not on the disk is none; sync first and answer then."),
    ("Pattern: Vectors - filter inside the index", "Filtering after the top hundred finds a fifth of what is in a small scope."),
    ("Pattern: Tests - the clock is injected", "A test that sleeps is slow and wrong; hand the clock in."),
    ("Pattern: Imports - heavy ones are lazy", "Torch takes eight seconds to import; do it where it is used."),
    ("Lesson: Cypher - no list as a bound", "The bounds of a variable length path cannot be parameters; check them as integers."),
    ("Lesson: Drivers - times travel as text", "A zoned datetime crashed the driver once; ISO text in datetime() never did."),
    ("Lesson: Docker - memory limits", "Without a limit the page cache takes all there is and the neighbour is killed."),
    ("Lesson: LangGraph - reducers must be idempotent", "Parallel branches merge a channel twice; a set survives that and a sum does not."),
    ("Lesson: SQLite - begin immediate", "A read that becomes a write deadlocks; take the write lock at the start."),
    ("Lesson: Prompts - hash what was sent", "Only the hash of the prompt tells which version a trace came from."),
    ("Lesson: Logs - never the token", "A token in a log is a token in a backup; log its hash."),
    ("Lesson: Reviews - small diffs", "Nobody reads a thousand lines; two hundred are found faults in."),
    ("Anti-Pattern: Caching - without a scope in the key", "A cache that forgets who asked shows one team's data to another."),
    ("Anti-Pattern: Catch all - around agent code", "A bare except swallows the interrupt that a person was meant to see."),
    ("Anti-Pattern: Namespaces - one per session", "Nobody ever looks into a session's namespace again."),
    ("Anti-Pattern: Names - numbers instead of subjects", "Note 17 tells nobody what it is about."),
    ("Best Practice: Secrets - files of mode 0600", "Refuse to start when the token file can be read by others."),
    ("Best Practice: Errors - say what to do next", "An error that only says no is asked about; one that says how is not."),
    ("Best Practice: Migrations - each may run twice", "Every statement is IF NOT EXISTS, so that a crash in between does no harm."),
    ("Best Practice: Budgets - reserve before the call", "Count a call before it is made, or parallel agents overrun together."),
    ("Analysis: Latency - where the time goes", "Two thirds of an answer's time are round trips and not the planner."),
    ("Analysis: Recall - full text in small scopes", "A limit before the filter finds none of two hits in a thousandth of the data."),
]
REFLECTIONS = [
    ("Reflection: Session of May - too many tools", "Offered forty tools the model chose badly; offered nine it chose well."),
    ("Reflection: Session of June - ask earlier", "The question was ambiguous from the start and I asked after ten steps."),
    ("Reflection: Migration week - what held us up", "Three days went into a date that nobody had dated."),
    ("Reflection: Pairing - what worked", "Reading the trace together was faster than explaining it."),
    ("Reflection: On call - the quiet alarm", "The alarm that never rang was the one that mattered."),
    ("Insight: Users - they ask for the path", "Nobody trusts a bare answer; with the path they stop asking."),
    ("Insight: Agents - they repeat each other", "Three agents wrote the same lesson within an hour."),
    ("Insight: Gaps - naming them builds trust", "An answer that says what is missing is believed more, not less."),
    ("Insight: Cost - shown, it falls", "Since every answer shows its cost, people ask shorter questions."),
    ("Insight: Names - decide what is found", "What was named well is found again, what was not is written twice."),
]
REFERENCES = [
    ("Documentation: add_memory - its parameters", "name, episode_body, group_id, source, source_description, uuid."),
    ("Documentation: group_id - what it may be", "Letters, digits, dash and underscore, at most 64."),
    ("Documentation: Clocks - four properties", "valid_from, valid_to, known_from, known_to, never null."),
    ("Documentation: Receipts - their states", "review, accepted, applied, rejected, expired, dead, undone, redacted."),
    ("Code Example: Python - remember a text", "with App(settings) as app: app.remember('Lesson: a - b', 'text')"),
    ("Code Example: Cypher - live facts", "MATCH ()-[r:RELATES_TO]->() WHERE r.known_to > datetime() RETURN r"),
    ("API Reference: search_facts - arguments", "query, limit, as_of, known_at and the namespaces of the caller."),
    ("API Reference: traverse - arguments", "start, relations, direction and at most six steps."),
    ("API Reference: verify - what it returns", "unchanged, changed, archived, missing, not written or unknown."),
]
UNNAMED = [
    ("notes", "remember to look at the index sizes again"), ("Session 2025-03-12", "discussed the rollout with the team, nothing decided"),
    ("untitled", "check whether the nightly job still runs"), ("to do", "write down how the import was done"),
    ("claude memory", "the user prefers short answers"), ("misc", "port 7687 was taken by the old server"),
    ("Lesson about retries", "retries without a limit took the service down in April"), ("summary", "we moved to the new cluster and it was fine"),
    ("2025-04-02", "standup: two tickets closed, one reopened"), ("idea", "a weekly report of what was refused"),
    ("fix", "the fix was to restart the worker"), ("Pattern - caching", "cache by scope and by version of the graph"),
    ("draft", "first draft of the guide, to be continued"), ("???", "the count is off by one on Mondays"),
    ("meeting", "Ana will ask the owners about the limits"),
]  # fmt: skip
UNKNOWN = [
    ("Decision: Database - stay with Neo4j", "We stay with Neo4j because the team knows Cypher."),
    ("Decision: Release - every second week", "A release leaves every second Tuesday."),
    ("Meeting: Planning - the second quarter", "The second quarter is for the guard and the journal."),
    ("Contact: Owner - of the guide", "Mara Lind curates the guide and answers within a day."),
    ("Recipe: Coffee - for the long night", "Twelve grams, two hundred millilitres, no sugar."),
]
AGAIN = [*range(0, 9, 2), *range(9, 35, 3)]
"""Which of the first are told again, letter by letter or nearly so: 14 of them."""
NEARLY = [
    ("Lesson: Receipts - wait for applied",
     "A receipt says accepted at once and applied later; please verify before you build on it and keep the receipt for the next agent."),
    ("Pattern: Receipts - wait for it",
     "A receipt says accepted at once and applied later; please verify before you build on it and keep the receipt for the next run."),
    ("Lesson: Batches - one UNWIND",
     "When many rows are written send a thousand rows in one UNWIND because a round trip costs more than the write itself does."),
    ("Pattern: Batches - one UNWIND",
     "When many rows are written send a thousand rows in one UNWIND because a round trip costs more than the write itself."),
    ("Lesson: Leases - by key",
     "Lease the key and never the single item because then the order inside of the key comes for free and nothing is doubled."),
    ("Lesson: Leases - by the key",
     "Lease the key and never the single item because then the order inside of the key comes for free and nothing is lost."),
]  # fmt: skip
SHORT = [
    ("Procedure: Backup - nightly", "At two."),
    ("Core Lesson: Trust - earned", "Slowly."),
    ("Getting Started: Help - whom to ask", "Mara."),
]
FACTS = [
    ("Contact: Owner - of the guide", "Mara Lind", "curates", "The Guide", "2025-01-01"),
    ("Decision: Database - stay with Neo4j", "The Team", "uses", "Neo4j", "2024-06-01"),
    ("Pattern: Neo4j - batch writes", "Batching", "speeds up", "Neo4j", ""),
    ("Lesson: SQLite - begin immediate", "Begin Immediate", "prevents", "Deadlock", ""),
    ("Pattern: Retries - jitter", "Jitter", "prevents", "Deadlock", ""),
    ("Insight: Agents - they repeat each other", "Agents", "repeat", "Lessons", "2025-05-05"),
]


@dataclass(frozen=True)
class Note:
    """One of the 97, by the order in which it was written."""

    uuid: str
    name: str
    body: str
    at: datetime


def notes() -> list[Note]:
    """All 97, the same each time."""
    return [
        Note(str(uuid5(NAMESPACE_URL, f"cluttered/{place}")), name, body, BEGAN + timedelta(hours=7 * place))
        for place, (name, body) in enumerate(_told())
    ]


def _told() -> Iterator[tuple[str, str]]:
    first = RIGHT + PATTERNS
    yield from first + REFLECTIONS + REFERENCES + UNNAMED + UNKNOWN + NEARLY + SHORT
    for at in AGAIN:
        name, body = first[at]
        yield (name, f"  {body.upper()}\n") if at % 2 else (name, body)


def clutter(database: Database) -> list[Note]:
    """Write them as Graphiti would, with a few facts, an entity that nothing tells of, and a fact whose source is gone."""
    made = notes()
    rows = [{"uuid": n.uuid, "name": n.name, "content": n.body, "at": n.at.isoformat()} for n in made]
    database.write(
        "UNWIND $rows AS row CREATE (e:Episodic {uuid: row.uuid, name: row.name, content: row.content, group_id: $space, source: 'text', "
        "source_description: '', created_at: datetime(row.at), valid_at: datetime(row.at), entity_edges: []})",
        {"rows": rows, "space": SPACE},
    )
    by_name = {note.name: note.uuid for note in reversed(made)}
    facts = [
        {"uuid": f"fact {place}", "episode": by_name[name], "s": subject, "r": relation, "o": object_, "from": since or None}
        for place, (name, subject, relation, object_, since) in enumerate(FACTS)
    ]
    facts.append({"uuid": "fact lost", "episode": "gone", "s": "Nobody", "r": "said", "o": "Something", "from": None})
    names = sorted({fact[end] for fact in facts for end in "so"} | {"Alone"})
    database.write(
        "UNWIND $names AS name CREATE (:Entity {uuid: 'of ' + name, name: name, group_id: $space, summary: '', created_at: datetime($at)})",
        {"names": names, "space": SPACE, "at": BEGAN.isoformat()},
    )
    database.write(
        "UNWIND $facts AS f MATCH (a:Entity {name: f.s}), (b:Entity {name: f.o}) CREATE (a)-[:RELATES_TO {uuid: f.uuid, name: f.r, "
        "fact: f.s + ' ' + f.r + ' ' + f.o, group_id: $space, episodes: [f.episode], created_at: datetime($at), valid_at: datetime(f.from)}]->(b) "
        "WITH f, a, b MATCH (e:Episodic {uuid: f.episode}) SET e.entity_edges = e.entity_edges + f.uuid "
        "CREATE (e)-[:MENTIONS {uuid: 'm1' + f.uuid, group_id: $space}]->(a) CREATE (e)-[:MENTIONS {uuid: 'm2' + f.uuid, group_id: $space}]->(b)",
        {"facts": facts, "space": SPACE, "at": BEGAN.isoformat()},
    )
    return made
