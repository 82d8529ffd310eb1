"""LangChain seams: our search as a retriever, and a connection that LangChain has already made."""

from typing import TYPE_CHECKING, Any, Literal, Self

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, SkipValidation

from knowledge.reading.contract import Hit, KgReader
from knowledge.records import Entity, Fact

if TYPE_CHECKING:
    from pathlib import Path

    from langchain_neo4j import Neo4jGraph

    from knowledge.database.connection import Database
    from knowledge.embedding.embedder import Embedder
    from knowledge.profile.profile import GraphProfile
    from knowledge.scope import Scope


class GavelRetriever(BaseRetriever):
    """Facts, or entities, that answer a query within the reader's scope, best first.

    A document's id is the evidence id; its metadata hold what else is known of the fact or entity, and the score.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    reader: SkipValidation[KgReader] = Field(exclude=True)
    of: Literal["facts", "entities"] = "facts"
    mode: Literal["keyword", "semantic", "hybrid"] = "hybrid"
    k: int = Field(10, ge=1, le=100)

    @classmethod
    def over(
        cls,
        connection: "Neo4jGraph | Database",
        *,
        profile: "GraphProfile | None" = None,
        scope: "Scope | None" = None,
        embedder: "Embedder | None" = None,
        folder: "Path | None" = None,
        **settings: Any,
    ) -> Self:
        """A retriever over a connection. Without a scope, all that the database holds may be found; without an embedder, by words only."""
        from knowledge.profile.profile import GraphProfile
        from knowledge.reading.extent import extent
        from knowledge.reading.kg import Kg
        from knowledge.reading.meter import Unmetered

        database, said = database_of(connection), profile or GraphProfile()
        kg = Kg(database, said, embedder, folder)
        return cls(reader=kg.reader(scope or extent(database, said), Unmetered()), **settings)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        if self.of == "entities":
            return [entity_document(hit) for hit in self.reader.search_entities(query, mode=self.mode, limit=self.k)]
        return [fact_document(hit) for hit in self.reader.search_facts(query, mode=self.mode, limit=self.k)]


def database_of(connection: "Neo4jGraph | Database") -> "Database":
    """Our connection over the driver of a `Neo4jGraph`, which stays its owner: close it there."""
    from knowledge.database.connection import Database

    if isinstance(connection, Database):
        return connection
    return Database(connection._driver, connection._database)


def fact_document(hit: Hit[Fact]) -> Document:
    """The sentence of a fact."""
    fact = hit.item
    return Document(
        id=fact.id,
        page_content=fact.text,
        metadata={
            "id": fact.id,
            "subject": fact.subject.name,
            "relation": fact.relation,
            "object": fact.object.name,
            "valid_from": fact.valid_from,
            "valid_to": fact.valid_to,
            "source": fact.source,
            "confidence": fact.confidence,
            "score": hit.score,
        },
    )


def entity_document(hit: Hit[Entity]) -> Document:
    """The name of an entity and what is told of it."""
    entity = hit.item
    return Document(
        id=entity.id,
        page_content=f"{entity.name}. {entity.summary}" if entity.summary else entity.name,
        metadata={"id": entity.id, "name": entity.name, "kind": entity.kind, "namespace": entity.namespace, "score": hit.score},
    )
