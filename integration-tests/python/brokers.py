"""NATS with JetStream: one server, or three that are a cluster; and relays that part a network."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from stage import Process, eventually, fetch, free_ports

# The first version that can sync before it acknowledges.
SYNCS = (2, 10)
# How often a new cluster is tried.
ATTEMPTS_MAX = 5


def nats_server():
    """Where the program is, or None."""
    own = os.environ.get("STRATAGEM_NATS_SERVER")
    return own or shutil.which("nats-server", path=f"{os.environ['PATH']}:/usr/sbin")


def version():
    """Its version: major and minor."""
    text = subprocess.run([nats_server(), "--version"], capture_output=True, text=True, check=True)
    return tuple(int(part) for part in re.search(r"v(\d+)\.(\d+)", text.stdout).groups())


class Broker:
    """A NATS with JetStream on a disk, at an address that it keeps when it is started again."""

    def __init__(self, name, host, peers=()):
        self.name = name
        self.port, self.monitor_port, self.route_port = free_ports(3)
        self._host, self._peers = host, peers
        self._folder = Path(tempfile.mkdtemp(prefix="stratagem-nats-"))
        self._old = None

    def join(self, routes):
        """Routes to its peers, by ports here."""
        self._peers = routes

    def _config(self):
        syncs = "sync_interval: always" if version() >= SYNCS else ""
        lines = [
            f"listen: {self._host}:{self.port}",
            f"http: 127.0.0.1:{self.monitor_port}",
            f"jetstream {{ store_dir: {self._folder}/data\n {syncs} }}",
        ]
        if self._peers:
            routes = ", ".join(f"nats://127.0.0.1:{port}" for port in self._peers)
            lines += [
                f"server_name: {self.name}",
                f"cluster {{ name: test, listen: 127.0.0.1:{self.route_port}, routes: [{routes}]",
                # Others find it by their own routes alone, and clients by their own addresses.
                "  advertise: 127.0.0.1:1, no_advertise: true }",
            ]
        path = self._folder / "nats.conf"
        path.write_text("\n".join(lines) + "\n")
        return path

    def start(self):
        self.process = Process(self.name, [nats_server(), "-c", self._config()])
        ready = lambda: any("Server is ready" in line for line in self.process.lines)
        eventually(f"{self.name} listens", ready)

    def clear(self):
        """Ends it, and removes its data."""
        self.process.kill()
        shutil.rmtree(self._folder / "data")

    def pause(self):
        self.process.signal(signal.SIGSTOP)

    def resume(self):
        self.process.signal(signal.SIGCONT)

    def age(self):
        """Puts its directory back to an older copy, which is made the first time; it must not run. Returns whether it did."""
        data, old = self._folder / "data", self._folder / "old"
        if not old.exists():
            shutil.copytree(data, old)
            return False
        shutil.rmtree(data)
        shutil.copytree(old, data)
        return True

    def is_well(self):
        return fetch(f"http://127.0.0.1:{self.monitor_port}/healthz") is not None

    def cluster_size(self):
        """How many brokers it knows to be in its cluster; 1 without a cluster."""
        report = json.loads(fetch(f"http://127.0.0.1:{self.monitor_port}/jsz") or "{}")
        return report.get("meta_cluster", {}).get("cluster_size", 1)

    def close(self):
        if self.process.running():
            self.process.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


class Relay:
    """Between two programs: it can be cut, and then holds everything back in silence."""

    def __init__(self, port):
        self._to = port
        self._whole = threading.Event()
        self._whole.set()
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.port = self._ear.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self._whole.clear()

    def mend(self):
        self._whole.set()

    def _accept(self):
        while True:
            near, _ = self._ear.accept()
            threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near):
        self._whole.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self._to))
        except OSError:
            near.close()
            return
        for ends in ((near, far), (far, near)):
            threading.Thread(target=self._copy, args=ends, daemon=True).start()

    def _copy(self, source, sink):
        try:
            while data := source.recv(65_536):
                # A network that is cut delivers late or never; TCP tries again.
                self._whole.wait()
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Brokers:
    """One broker, or some that are a cluster, whose routes are relays."""

    def __init__(self, count, host):
        self.all = [Broker(f"broker-{number}", host) for number in range(count)]
        # By the numbers of the two that each is between.
        self._relays = {}
        if count > 1:
            for one, broker in enumerate(self.all):
                others = [number for number in range(count) if number != one]
                for other in others:
                    self._relays[one, other] = Relay(self.all[other].route_port)
                broker.join([self._relays[one, other].port for other in others])
        for _ in range(ATTEMPTS_MAX):
            if self._form():
                return
            for broker in self.all:
                broker.clear()
        raise AssertionError("the brokers form no cluster")

    def _form(self):
        """Starts all. In one of some hundred new clusters, NATS 2.10 leaves a broker out for good: returns whether each knows all others."""
        for broker in self.all:
            broker.start()
        return any(self._is_whole() or time.sleep(0.1) for _ in range(100))

    @property
    def ports(self):
        return [broker.port for broker in self.all]

    def settled(self):
        """Waits until all are well."""
        for broker in self.all:
            eventually(f"{broker.name} is well", broker.is_well)

    def _is_whole(self):
        """Whether each broker is well and knows all others."""
        return all(broker.is_well() and broker.cluster_size() == len(self.all) for broker in self.all)

    def part(self, number):
        """Parts one from the others."""
        for pair, relay in self._relays.items():
            if number in pair:
                relay.cut()

    def mend(self):
        for relay in self._relays.values():
            relay.mend()

    def close(self):
        self.mend()
        for broker in self.all:
            broker.close()
