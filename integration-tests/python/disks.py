"""A disk of its own for a file of jobs, which can be filled up. Needs root; otherwise it is a folder."""

import shutil
import subprocess
import tempfile
from pathlib import Path

CHUNK = bytes(4096)


class Disk:
    """A small file system in memory, or a folder that is never full."""

    def __init__(self, megabytes):
        self.folder = Path(tempfile.mkdtemp(prefix="stratagem-disk-"))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(self.folder)]
        self.is_own = subprocess.run(mount, capture_output=True, check=False).returncode == 0

    def fill(self):
        with (self.folder / "filler").open("wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(CHUNK)
            except OSError:
                pass

    def free(self):
        (self.folder / "filler").unlink()

    def close(self):
        if self.is_own:
            subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
