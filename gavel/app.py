"""The composition root: from settings to a connected database, a profile, an embedder, and the graph that answers questions."""

from functools import cached_property
from typing import TYPE_CHECKING

from gavel.settings import Settings
from knowledge.database.embedded.progress import Progress, silent

if TYPE_CHECKING:
    from knowledge.database.connection import Database
    from knowledge.database.embedded import EmbeddedServer


class App:
    """What one process needs, each part made when first asked for. Close it, or use it as a context manager."""

    def __init__(self, settings: Settings, progress: Progress = silent) -> None:
        self.settings = settings
        self._progress = progress

    @cached_property
    def server(self) -> "EmbeddedServer":
        """The embedded server of the data folder, started or not."""
        from knowledge.database.embedded import EmbeddedServer

        return EmbeddedServer(self.settings.data_dir, self.settings.neo4j_version, java_home=self.settings.java_home or None)

    @cached_property
    def database(self) -> "Database":
        """A verified connection; the embedded server is started where no address is set."""
        from knowledge.database.connection import Database

        given = self.settings
        if given.embedded:
            running = self.server.start(self._progress)
            return Database.connect(running.uri, running.user, running.password, given.neo4j_database)
        return Database.connect(given.neo4j_uri, given.neo4j_user, given.neo4j_password.get_secret_value(), given.neo4j_database)

    def close(self) -> None:
        """Close the connection; the embedded server keeps running."""
        if "database" in self.__dict__:
            self.database.close()
