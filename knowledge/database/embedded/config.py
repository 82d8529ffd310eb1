"""The settings that the embedded server runs under: loopback, authentication on, nothing unbounded, nothing sent out."""

from dataclasses import dataclass
from pathlib import Path

_MAIN = {True: "org.neo4j.server.Neo4jCommunity", False: "org.neo4j.server.CommunityEntryPoint"}
_OPEN = ("java.nio", "java.io", "sun.nio.ch")


def settings(home: Path, port: int, *, cut_torn_log: bool = False) -> str:
    """The text of neo4j.conf. `cut_torn_log` lets Neo4j end its transaction log before a transaction that was never written whole."""
    return f"""server.directories.data={home}/store/data
server.directories.logs={home}/logs
server.directories.import={home}/import
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=256m
db.tx_log.preallocate=false
db.tx_log.rotation.size=64m
db.tx_log.rotation.retention_policy=2 files
db.memory.transaction.max=256m
db.transaction.timeout=30s
internal.server.bolt.connection_shutdown_wait_time=500ms
internal.server.bolt.thread_pool_shutdown_wait_time=500ms
dbms.usage_report.enabled=false
dbms.security.auth_max_failed_attempts=0
dbms.security.allow_csv_import_from_file_urls=false
internal.dbms.tx_log.fail_on_corrupted_log_files={"false" if cut_torn_log else "true"}
"""


@dataclass(frozen=True)
class Command:
    """How the server is started. `flags` are further flags of the Java machine."""

    java: Path
    jars: tuple[Path, ...]
    heap: str
    flags: tuple[str, ...]

    def words(self, version: str, home: Path) -> list[str]:
        """The whole command line."""
        return [
            str(self.java),
            "-Xms128m",
            f"-Xmx{self.heap}",
            "-XX:+UseG1GC",
            f"-XX:ErrorFile={home}/logs/java-%p.log",
            *self.flags,
            *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPEN),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            ":".join(map(str, self.jars)),
            _MAIN[int(version.partition(".")[0]) >= 2025],
            mark(home),
            f"--config-dir={home}/conf",
        ]


def mark(home: Path) -> str:
    """The word of the command line that tells whose server it is."""
    return f"--home-dir={home}"
