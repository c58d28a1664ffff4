"""Servers and balancers as processes of their own, and waiting for them.

The programs are those in the folder that STRATAGEM_BIN_DIR names.
"""

import json
import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# How long anything may take that should be there immediately. Reached only when something is broken.
PATIENCE_S = 60
LINES_SHOWN = 30
# How long a command may take that downloads, compiles or installs something.
COMMAND_S = 600
# Ports that were given to programs, which may not listen on them yet.
GIVEN = set()


def eventually(what, probe):
    """Asks again and again until the answer is neither None nor False, and returns it."""
    begin = time.monotonic()
    while True:
        answer = probe()
        if answer is not None and answer is not False:
            return answer
        waited = time.monotonic() - begin
        assert waited < PATIENCE_S, f"still not after {waited:.0f} s: {what}"
        time.sleep(0.01)


def free_ports(count):
    """New ports without a listener, below those that the system gives to outgoing connections."""
    ports = []
    source = random.SystemRandom()
    while len(ports) < count:
        port = source.randrange(20_000, 32_000)
        with socket.socket() as one:
            if port not in GIVEN and one.connect_ex(("127.0.0.1", port)) != 0:
                GIVEN.add(port)
                ports.append(port)
    return ports


def fetch(url, body=None):
    """The text at an address, or what is answered to JSON; None while nobody answers."""
    try:
        # Whatever proxies the environment names are for the world outside.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with opener.open(request, timeout=PATIENCE_S) as answer:
            return answer.read().decode()
    except OSError:
        return None


def run(command, check=True, **options):
    """Runs a command to its end, which must not fail if `check`; its outputs are texts, and `options` those of `subprocess.run`."""
    command = [str(word) for word in command]
    outputs = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    text = {"text": True, "errors": "replace", "timeout": COMMAND_S}
    done = subprocess.run(command, check=False, **(outputs | text | options))
    assert not check or done.returncode == 0, (
        f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr or ''}"
    )
    return done


class Process:
    """A program that runs; its last lines are kept to find out what went wrong."""

    def __init__(self, name, command, env=None):
        self.name = name
        self.lines = []
        clean = {k: v for k, v in os.environ.items() if not k.startswith("STRATAGEM_")}
        self._child = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=clean | (env or {}),
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._child.stdout:
            self.lines.append(line.rstrip())

    def running(self):
        return self._child.poll() is None

    def log(self):
        return "\n".join(self.lines[-LINES_SHOWN:])

    def check_running(self):
        assert self.running(), f"{self.name} ended with {self._child.returncode}:\n{self.log()}"

    def signal(self, number):
        self._child.send_signal(number)

    def ended(self):
        """Its exit code, once it has ended by itself."""
        return eventually(f"{self.name} ends", lambda: self._code())

    def _code(self):
        code = self._child.poll()
        return None if code is None else (code,)

    def kill(self):
        """Ends it immediately, whatever state it is in."""
        self._child.kill()
        self._child.wait()
        self._reader.join()
        self._child.stdout.close()


class Replica:
    """A server at an address of its own, which it keeps when it is started again."""

    def __init__(self, name, flags=(), host="127.0.0.1", prefix=()):
        self.name = name
        self.port, self.metrics_port = free_ports(2)
        self._host, self._prefix = host, list(prefix)
        self.address = f"{host}:{self.port}"
        self._flags = list(flags)
        self.start()

    def start(self):
        program = Path(os.environ["STRATAGEM_BIN_DIR"]) / "stratagem-server"
        command = [*self._prefix, program, "--listen", self.address]
        command += ["--metrics-listen", f"{self._host}:{self.metrics_port}"]
        self.process = Process(self.name, command + self._flags)
        eventually(f"{self.name} listens", self._listens)

    def _listens(self):
        self.process.check_running()
        return any('"listening"' in line for line in self.process.lines)

    def stop(self):
        """Asks it to stop, and waits until it has done so with grace."""
        self.terminate()
        self.stopped()

    def terminate(self):
        self.process.signal(signal.SIGTERM)

    def stopped(self):
        """Waits until it has ended with grace."""
        (code,) = self.process.ended()
        assert code == 0, f"{self.name} ended with {code}:\n{self.process.log()}"
        self.process.kill()

    def pause(self):
        self.process.signal(signal.SIGSTOP)

    def resume(self):
        self.process.signal(signal.SIGCONT)

    def metrics(self):
        """Its metrics: a dictionary from `name{labels}` to the value."""
        page = fetch(f"http://{self._host}:{self.metrics_port}/metrics")
        assert page is not None, f"{self.name} has no metrics"
        lines = (line.rpartition(" ") for line in page.splitlines() if line[:1] not in ("", "#"))
        return {series: float(value) for series, _, value in lines}

    def total(self, name, *labels):
        """The sum of all series of a name with these labels, as in `method="..."`."""
        series = self.metrics().items()
        return sum(
            value
            for key, value in series
            if key.partition("{")[0] == name and all(label in key for label in labels)
        )


class Nobody:
    """No balancer at all: clients know every server, and choose."""

    is_chosen_by_clients = True

    def __init__(self, replicas):
        self._replicas = replicas
        self.address = "ipv4:" + ",".join(one.address for one in replicas)

    def up(self):
        """The servers that run, by number."""
        return {number for number, one in enumerate(self._replicas) if one.process.running()}

    def close(self):
        pass


class HaProxy:
    """HAProxy with the configuration that is deployed, before three servers."""

    is_chosen_by_clients = False

    def __init__(self, replicas):
        port, metrics = free_ports(2)
        self.address = f"127.0.0.1:{port}"
        self._folder = tempfile.TemporaryDirectory(prefix="stratagem-haproxy-")
        self._socket = f"{self._folder.name}/admin.sock"
        env = {
            "STRATAGEM_BIND": self.address,
            "STRATAGEM_BALANCER_METRICS": f"127.0.0.1:{metrics}",
            "STRATAGEM_BALANCER_SOCKET": self._socket,
        }
        for letter, replica in zip("ABC", replicas, strict=True):
            env[f"STRATAGEM_{letter}"] = replica.address
            env[f"STRATAGEM_{letter}_METRICS_PORT"] = str(replica.metrics_port)
        config = ROOT / "deploy/haproxy/haproxy.cfg"
        # In the foreground; it says nothing but warnings.
        command = ["haproxy", "-db", "-q", "-f", config]
        self.process = Process("haproxy", command, env)
        self.metrics_url = f"http://127.0.0.1:{metrics}/metrics"

    def up(self):
        """The servers that it sends calls to, by number."""
        self.process.check_running()
        try:
            with socket.socket(socket.AF_UNIX) as admin:
                admin.settimeout(PATIENCE_S)
                admin.connect(self._socket)
                admin.sendall(b"show stat\n")
                table = b"".join(iter(lambda: admin.recv(65_536), b"")).decode()
        except OSError:
            return None
        rows = [line.split(",") for line in table.removeprefix("# ").splitlines() if line]
        status = rows[0].index("status")
        servers = {row[1]: row[status] for row in rows if row[0] == "stratagem"}
        return {number for number, name in enumerate("abc") if servers[name] == "UP"}

    def close(self):
        self.process.kill()
        self._folder.cleanup()


class Envoy:
    """Envoy with the configuration that is deployed; only addresses and the admin port differ."""

    is_chosen_by_clients = False

    def __init__(self, replicas):
        import yaml  # Only where there is an Envoy.

        port, admin = free_ports(2)
        self.address = f"127.0.0.1:{port}"
        self._admin = f"http://127.0.0.1:{admin}"
        self._ports = [replica.port for replica in replicas]
        config = yaml.safe_load((ROOT / "deploy/envoy/envoy.yaml").read_text())
        at = {"address": "127.0.0.1"}
        config["admin"]["address"]["socket_address"] = at | {"port_value": admin}
        (listener,) = config["static_resources"]["listeners"]
        listener["address"]["socket_address"] = at | {"port_value": port}
        for cluster in config["static_resources"]["clusters"]:
            cluster["type"] = "STATIC"
            (locality,) = cluster["load_assignment"]["endpoints"]
            locality["lb_endpoints"] = [
                {"endpoint": {"address": {"socket_address": at | {"port_value": one}}}}
                for one in self._ports
            ]
        command = ["--config-yaml", json.dumps(config), "--log-level", "warn", "--concurrency", "2"]
        # Servers of one machine do not share memory with each other.
        self.process = Process("envoy", ["envoy", *command, "--disable-hot-restart"])

    def up(self):
        """The servers that it sends calls to, by number."""
        self.process.check_running()
        page = fetch(f"{self._admin}/clusters?format=json")
        if page is None:
            return None
        all_up = [self._healthy(one) for one in json.loads(page)["cluster_statuses"]]
        # Two routes to the same servers, each with its own checks: in between they differ.
        return all_up[0] if all(up == all_up[0] for up in all_up) else None

    def _healthy(self, cluster):
        """The servers of a cluster that get calls, by number."""
        hosts = cluster.get("host_statuses", [])
        healthy = [it for it in hosts if it["health_status"] == {"eds_health_status": "HEALTHY"}]
        ports = (host["address"]["socket_address"]["port_value"] for host in healthy)
        return {self._ports.index(port) for port in ports}

    def close(self):
        self.process.kill()
