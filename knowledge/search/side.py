"""The side index of a graph that we must not change: names, words and vectors of its nodes in a SQLite file of the data folder."""

import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process

from knowledge.embedding.embedder import Vectors
from knowledge.errors import StoreError
from knowledge.identity import fold
from knowledge.search.segments import segments

_VERSION = 2
_OLD = "DROP TABLE IF EXISTS node; DROP TABLE IF EXISTS called; DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS state;"
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS node (place INTEGER PRIMARY KEY, ref TEXT UNIQUE NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL,
  name TEXT NOT NULL, text TEXT NOT NULL, namespace TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS node_id ON node (id);
CREATE TABLE IF NOT EXISTS called (folded TEXT NOT NULL, place INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS called_folded ON called (folded);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (terms, tokenize = 'unicode61 remove_diacritics 0');
CREATE TABLE IF NOT EXISTS vector (id TEXT NOT NULL, model TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (id, model));
PRAGMA user_version = {_VERSION};
"""
_MOST_PARAMETERS = 500
_WAIT_SECONDS = 120.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class SideNode:
    """One node as the graph had it: `ref` is its element id, `id` its evidence id, `text` what is embedded of it."""

    ref: str
    id: str
    label: str
    name: str
    aliases: tuple[str, ...] = ()
    text: str = ""
    namespace: str = ""


@dataclass(frozen=True)
class Place:
    """Where to find a node in the graph, and the name by which to check that it is still the same."""

    ref: str
    name: str
    score: float = 0.0


class SideIndex:
    """Thread-safe, and several processes may use one file. It holds what the graph's owner may read; scopes are applied by the database.

    `path` None keeps everything in memory, and so does a place that cannot be written. A damaged file is made anew; StoreError where it
    breaks while it is used.
    """

    def __init__(self, path: Path | None) -> None:
        self._place = str(path or "in memory")
        self._connection = _opened(path)
        self._lock = threading.Lock()
        self._seen = 0
        self._matrices: dict[str, tuple[list[int], Vectors]] = {}
        self._names: dict[tuple[str, ...], tuple[list[str], list[int]]] = {}

    @property
    def version(self) -> str:
        """The version of the graph that the index shows, empty before the first `replace`."""
        rows = self._rows("SELECT value FROM state WHERE name = 'version'")
        return str(rows[0][0]) if rows else ""

    def replace(self, nodes: Iterable[SideNode], version: str) -> None:
        """Show these nodes from now on, all or nothing. Vectors are kept: they belong to evidence ids."""
        with self._used() as connection:
            for table in ("node", "called", "words"):
                connection.execute(f"DELETE FROM {table}")
            for place, node in enumerate(nodes, 1):
                said = (place, node.ref, node.id, node.label, node.name, node.text, node.namespace)
                connection.execute("INSERT INTO node VALUES (?, ?, ?, ?, ?, ?, ?)", said)
                called = dict.fromkeys(map(fold, (node.name, *node.aliases)))
                connection.executemany("INSERT INTO called VALUES (?, ?)", [(folded, place) for folded in called])
                terms = " ".join(segments(" ".join((node.name, *node.aliases, node.text))))
                connection.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (place, terms))
            connection.execute("INSERT OR REPLACE INTO state VALUES ('version', ?)", (version,))
            self._matrices.clear()
            self._names.clear()

    def places(self, ids: Sequence[str]) -> list[Place]:
        """The nodes of these evidence ids; unknown ids are left out."""
        found = self._looked_up("SELECT ref, name FROM node WHERE id", ids)
        return [Place(ref, name) for ref, name in found]

    def called(self, folded: Sequence[str]) -> list[tuple[str, Place]]:
        """The nodes whose folded name or alias is one of these, each with the one it answers to."""
        found = self._looked_up("SELECT folded, ref, name FROM called JOIN node USING (place) WHERE folded", folded)
        return [(name_folded, Place(ref, name)) for name_folded, ref, name in found]

    def with_words(self, text: str, namespaces: Sequence[str], labels: Sequence[str], most: int) -> list[Place]:
        """Nodes with some of the words, best first by BM25; only in these namespaces and of these labels where any are given."""
        query = " OR ".join(f'"{term}"' for term in dict.fromkeys(segments(text)))
        if not query:
            return []
        chosen, values = _chosen(namespaces, labels)
        statement = (
            "SELECT ref, name, -bm25(words) FROM words JOIN node ON node.place = words.rowid"
            f" WHERE words MATCH ?{chosen} ORDER BY bm25(words), place LIMIT ?"
        )
        return [Place(*row) for row in self._rows(statement, (query, *values, most))]

    def alike(self, text: str, namespaces: Sequence[str], most: int, least: float = 60.0) -> list[Place]:
        """Nodes whose names resemble the text letter by letter, best first; score from 0 to 1."""
        folded = fold(text)
        if not folded:
            return []
        names, places = self._names_in(tuple(namespaces))
        found = process.extract(folded, names, scorer=fuzz.ratio, score_cutoff=least, limit=most)
        return self._at([(places[at], score / 100) for _, score, at in found])

    def nearest(self, vector: Vectors, model: str, namespaces: Sequence[str], labels: Sequence[str], most: int) -> list[Place]:
        """Nodes by exact cosine with the unit vector, best first, as Neo4j scores it: (1 + cosine) / 2."""
        places, matrix = self._matrix(model)
        if not places:
            return []
        scores = (1.0 + matrix @ vector) / 2.0
        order = np.argsort(-scores, kind="stable")
        chosen, values = _chosen(namespaces, labels)
        if chosen:
            allowed = {row[0] for row in self._rows(f"SELECT place FROM node WHERE true{chosen}", values)}
            order = np.array([at for at in order if places[at] in allowed], dtype=int)
        return self._at([(places[at], float(scores[at])) for at in order[:most]])

    def lacking(self, model: str) -> Iterator[tuple[str, str]]:
        """(evidence id, text) of every node without a vector of the model."""
        yield from self._rows(
            "SELECT DISTINCT id, text FROM node WHERE id NOT IN (SELECT id FROM vector WHERE model = ?) ORDER BY id", (model,)
        )

    def keep_vectors(self, model: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Store unit vectors, one per id."""
        rows = [(i, model, np.asarray(v, dtype=np.float32).tobytes()) for i, v in zip(ids, vectors, strict=True)]
        with self._used() as connection:
            connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)
            self._matrices.pop(model, None)

    def forget_vectors(self) -> None:
        with self._used() as connection:
            connection.execute("DELETE FROM vector")
            self._matrices.clear()

    def __len__(self) -> int:
        """Distinct evidence ids."""
        return int(self._rows("SELECT count(DISTINCT id) FROM node")[0][0])

    def has_vectors(self, model: str) -> bool:
        return bool(self._rows("SELECT 1 FROM vector WHERE model = ? LIMIT 1", (model,)))

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one transaction of one thread at a time."""
        with self._lock:
            try:
                with self._connection as connection:
                    yield connection
            except sqlite3.Error as error:
                raise StoreError(
                    f"the side index {self._place} cannot be used ({error}); free some space, or remove the file: it is made anew"
                ) from error

    def _rows(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple]:  # type: ignore[type-arg]
        with self._used() as connection:
            return connection.execute(statement, tuple(parameters)).fetchall()

    def _forget_what_changed(self) -> None:
        """What another process has written since is read anew."""
        found = self._rows("PRAGMA data_version")[0][0]
        if found != self._seen:
            self._matrices.clear()
            self._names.clear()
        self._seen = found

    def _looked_up(self, statement: str, values: Sequence[object]) -> list[tuple]:  # type: ignore[type-arg]
        found = []
        for start in range(0, len(values), _MOST_PARAMETERS):
            page = values[start : start + _MOST_PARAMETERS]
            found += self._rows(f"{statement} IN ({', '.join('?' * len(page))})", page)
        return found

    def _at(self, scored: Sequence[tuple[int, float]]) -> list[Place]:
        nodes = {
            place: (ref, name)
            for place, ref, name in self._looked_up("SELECT place, ref, name FROM node WHERE place", [p for p, _ in scored])
        }
        return [Place(*nodes[place], score) for place, score in scored if place in nodes]

    def _names_in(self, namespaces: tuple[str, ...]) -> tuple[list[str], list[int]]:
        self._forget_what_changed()
        if namespaces not in self._names:
            chosen, values = _chosen(namespaces, ())
            rows = self._rows(f"SELECT folded, place FROM called JOIN node USING (place) WHERE true{chosen} ORDER BY place", values)
            self._names[namespaces] = [row[0] for row in rows], [row[1] for row in rows]
        return self._names[namespaces]

    def _matrix(self, model: str) -> tuple[list[int], Vectors]:
        self._forget_what_changed()
        if model not in self._matrices:
            rows = self._rows("SELECT place, value FROM node JOIN vector USING (id) WHERE model = ? ORDER BY place", (model,))
            values = [np.frombuffer(row[1], dtype=np.float32) for row in rows]
            self._matrices[model] = [row[0] for row in rows], np.stack(values) if values else np.zeros((0, 1), dtype=np.float32)
        return self._matrices[model]


def _opened(path: Path | None) -> sqlite3.Connection:
    if path is None:
        return _prepared(":memory:")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        try:
            return _prepared(path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            for part in ("", "-wal", "-shm", "-journal"):
                path.with_name(path.name + part).unlink(missing_ok=True)
            path.touch(mode=0o600)
            return _prepared(path)
    except (OSError, sqlite3.Error) as error:
        _LOG.warning("the side index %s cannot be written (%s) and is kept in memory", path, error)
        return _prepared(":memory:")


def _prepared(place: Path | str) -> sqlite3.Connection:
    """Tables are made where they are missing only, so that opening waits for nobody who fills them."""
    connection = sqlite3.connect(place, timeout=_WAIT_SECONDS, check_same_thread=False)
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_OLD + _SCHEMA)
        connection.execute("SELECT count(*) FROM state").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _chosen(namespaces: Sequence[str], labels: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Further conditions on `node`, and their values."""
    columns = [(name, values) for name, values in (("namespace", namespaces), ("label", labels)) if values]
    conditions = "".join(f" AND node.{name} IN ({', '.join('?' * len(values))})" for name, values in columns)
    return conditions, tuple(value for _, values in columns for value in values)
