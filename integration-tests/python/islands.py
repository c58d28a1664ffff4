"""Network namespaces: servers that are islands, each with two bridges that can be pulled up.

One bridge leads to callers and one to the broker. A bridge that is up drops every packet of both
directions in silence: no side is notified, as in a parted network. Needs root and iproute2.
"""

import os
import shutil
import subprocess

# Of RFC 2544: for tests like this, and on no network.
FIRST = (198 << 24) + (18 << 16)
SUBNETS = 1 << 15


def ip(*words, check=True):
    """Runs `ip`; what it complains about is in the exception."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    program = shutil.which("ip", path=path)
    if program is None:
        raise OSError("there is no `ip` (iproute2)")
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return program


class Bridge:
    """A link between here and a namespace."""

    def __init__(self, namespace, name, subnet):
        first = FIRST + 4 * (subnet % SUBNETS)
        # Our end, and that of the island.
        self.here, self.there = (self._text(first + end) for end in (1, 2))
        self._end = f"{name}h"
        other = f"{name}i"
        ip("link", "add", self._end, "type", "veth", "peer", "name", other, "netns", namespace)
        ip("addr", "add", f"{self.here}/30", "dev", self._end)
        ip("link", "set", self._end, "up")
        ip("-n", namespace, "addr", "add", f"{self.there}/30", "dev", other)
        ip("-n", namespace, "link", "set", other, "up")

    @staticmethod
    def _text(address):
        return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))

    def cut(self):
        # Ours: the other one would notify the island immediately.
        ip("link", "set", self._end, "down")

    def mend(self):
        ip("link", "set", self._end, "up")


class Island:
    """A namespace for one server."""

    def __init__(self, number):
        self._name = f"stratagem-{os.getpid()}-{number}"
        ip("netns", "add", self._name)
        try:
            ip("-n", self._name, "link", "set", "lo", "up")
            # Names of devices are short.
            short, subnet = f"s{os.getpid() % 1_000_000}n{number}", 2 * (os.getpid() * 16 + number)
            self.callers = Bridge(self._name, f"{short}c", subnet)
            self.broker = Bridge(self._name, f"{short}b", subnet + 1)
        except OSError:
            self.close()
            raise
        self.host = self.callers.there
        # What runs there begins with this.
        self.prefix = [ip("-V"), "netns", "exec", self._name]

    def close(self):
        # The bridges go with it.
        ip("netns", "del", self._name, check=False)


def islands(count):
    """This many islands; or none, and why."""
    made = []
    try:
        for number in range(count):
            made.append(Island(number))
    except OSError as error:
        for island in made:
            island.close()
        return None, str(error)
    return made, None
