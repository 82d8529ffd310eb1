"""The tables of the journal. No text of a memory stands anywhere but in `payloads`, so that redaction has one place to clear."""

from sqlalchemy import BigInteger, Column, Float, Index, Integer, MetaData, String, Table, Text

ID = 36
NAME = 64
HASH = 64

metadata = MetaData()

schema_version = Table(
    "schema_version",
    metadata,
    Column("only", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
)
events = Table(
    "events",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("event_id", String(ID), nullable=False, unique=True),
    Column("at", String(ID), nullable=False),
    Column("kind", String(NAME), nullable=False),
    Column("receipt", String(ID), nullable=False),
    Column("namespace", String(NAME), nullable=False),
    Column("principal", String(NAME), nullable=False),
    Column("about", Text, nullable=False),
    Column("payload", String(HASH), nullable=False),
    Column("previous", String(HASH), nullable=False),
    Column("hash", String(HASH), nullable=False),
    Index("events_receipt", "receipt", "seq"),
    Index("events_kind", "kind", "seq"),
)
head = Table(
    "head",
    metadata,
    Column("only", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("hash", String(HASH), nullable=False),
)
payloads = Table(
    "payloads",
    metadata,
    Column("hash", String(HASH), primary_key=True),
    Column("salt", String(NAME)),
    Column("body", Text),
)
work = Table(
    "work",
    metadata,
    Column("receipt", String(ID), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("namespace", String(NAME), nullable=False),
    Column("status", String(NAME), nullable=False),
    Column("principal", String(NAME), nullable=False),
    Column("payload", String(HASH), nullable=False),
    Column("content", String(HASH), nullable=False),
    Column("facts", Integer, nullable=False, default=0),
    Column("bytes", Integer, nullable=False, default=0),
    Column("amended_by", String(NAME), nullable=False, default=""),
    Column("delegation", String(ID), nullable=False, default=""),
    Column("resolved", String(ID), nullable=False, default=""),
    Column("placed", Integer, nullable=False, default=0),
    Column("priority", Integer, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("not_before", Float, nullable=False, default=0.0),
    Column("expires", Float, nullable=False, default=0.0),
    Column("why", Text, nullable=False, default=""),
    Index("work_open", "status", "namespace", "priority", "seq"),
    Index("work_content", "namespace", "content"),
)
keys = Table(
    "keys",
    metadata,
    Column("key", String(HASH), primary_key=True),
    Column("receipt", String(ID), nullable=False),
    Column("payload", String(HASH), nullable=False),
)
leases = Table(
    "leases",
    metadata,
    Column("namespace", String(NAME), primary_key=True),
    Column("owner", String(ID), nullable=False),
    Column("until", Float, nullable=False),
)
delegations = Table(
    "delegations",
    metadata,
    Column("id", String(ID), primary_key=True),
    Column("owner", String(NAME), nullable=False),
    Column("actor", String(NAME), nullable=False),
    Column("namespace", String(NAME), nullable=False),
    Column("uses", Integer, nullable=False),
    Column("until", Float, nullable=False),
    Column("revoked", Float, nullable=False, default=0.0),
    Index("delegations_actor", "actor", "namespace"),
)
counters = Table(
    "counters",
    metadata,
    Column("namespace", String(NAME), primary_key=True),
    Column("episodes", Integer, nullable=False),
    Column("facts", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
)
principals = Table(
    "principals",
    metadata,
    Column("id", String(NAME), primary_key=True),
    Column("kind", String(NAME), nullable=False),
    Column("token", String(HASH), nullable=False, unique=True),
    Column("grants", Text, nullable=False),
    Column("added_by", String(NAME), nullable=False),
    Column("added", String(ID), nullable=False),
    Column("revoked", String(ID), nullable=False, default=""),
)
