"""A real Neo4j, started by us: no Docker, no system package, no Java to install."""

from knowledge.database.embedded.server import EmbeddedServer, Running, Status

__all__ = ["EmbeddedServer", "Running", "Status"]
