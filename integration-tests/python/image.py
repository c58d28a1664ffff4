"""The container image and the stack of deploy/compose.yaml, as containers that run.

Usage: image.py [PART OF A TEST'S NAME]...

The image has the programs in the folder that STRATAGEM_BIN_DIR names; the server needs the feature
`nats`. `deploy/image` chooses the engine: Docker, or Podman with images and settings of its own.
The stack is started by Docker Compose from deploy/compose.yaml, at Podman through its socket. A
second file changes only what has to differ here; it is printed. HAProxy and NATS come from Debian
packages where no registry answers.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import yaml
from stratagem import methods, v1

from balancers import Load, client, interactive
from stage import LINES_SHOWN, ROOT, Process, Replica, eventually, fetch, free_ports, run

COMPOSE_FILE = ROOT / "deploy/compose.yaml"
TAG = "stratagem:test"
# Programs of the image.
SERVER, CLI = "/usr/local/bin/stratagem-server", "/usr/local/bin/stratagem"
SERVERS = ("stratagem-a", "stratagem-b", "stratagem-c")
# One image for all that Debian has; and how it differs from the images of the registry.
SUBSTITUTE = "localhost/stratagem-haproxy-nats:debian"
SUBSTITUTE_PACKAGES = ["haproxy", "nats-server"]
# Debian 12 has NATS 2.9, which does not know `sync_interval: always`: the one that the other tests use takes its place.
BROKER = ROOT / ".tools/nats/usr/sbin/nats-server"
BROKER_VOLUMES = f"{ROOT}/deploy/nats/nats.conf:/etc/stratagem/nats.conf:ro nats:/data {BROKER}:/usr/sbin/nats-server:ro"
SUBSTITUTED = {
    "haproxy": {"user": "99:99", "stop_signal": "SIGUSR1"},
    "nats": {"volumes": f"!override {BROKER_VOLUMES.split()}"} if BROKER.exists() else {},
}
# Options of `run` that take everything away from a container.
LOCKED = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"]
# Containers, networks and volumes of this run.
PROJECT = f"stratagem-test-{os.getpid()}"
LABEL = f"com.docker.compose.project={PROJECT}"
# stop_grace_period of deploy/compose.yaml.
GRACE_S = 20
IMAGE_SCRIPT = ROOT / "deploy/image"


def succeed(command, **options):
    """What a command prints that must not fail."""
    return run(command, **options).stdout.strip()


def engine(*words):
    return succeed([IMAGE_SCRIPT, "engine", *words])


def engine_code(*words):
    return run([IMAGE_SCRIPT, "engine", *words], check=False).returncode


def is_podman():
    return os.environ["CONTAINER_ENGINE"] == "podman"


class Container:
    """A container, by its name or id."""

    def __init__(self, name):
        self.name = name

    def state(self, field):
        return engine("inspect", "--format", "{{.State.%s}}" % field, self.name)

    def logs(self):
        """Its last lines, but for calls that went well."""
        logs = run([IMAGE_SCRIPT, "engine", "logs", self.name], check=False)
        lines = (logs.stdout + logs.stderr).splitlines()
        return "\n".join([line for line in lines if '"solved"' not in line][-LINES_SHOWN:])

    def check_running(self):
        if self.state("Running") != "true":
            raise AssertionError(f"{self.name} ended with {self.state('ExitCode')}:\n{self.logs()}")

    def inside(self, *command):
        """The output of a program in the container."""
        return engine("exec", self.name, *command)

    def healthy(self):
        self.check_running()
        # Podman leaves it to systemd to repeat health checks. Without systemd nobody does.
        if is_podman():
            engine_code("healthcheck", "run", self.name)
        return self.state("Health.Status") == "healthy"

    def privileges(self):
        """Of the server, which is process 1: the lines of its status that say what it may do."""
        lines = self.inside("cat", "/proc/1/status").splitlines()
        pairs = (line.split(":", 1) for line in lines)
        return {name: value.split() for name, value in pairs}

    def metrics(self):
        """Like those of `Replica`. There is no curl in the image; bash can do it."""
        get = 'exec 3<>/dev/tcp/127.0.0.1/9464; printf "GET /metrics HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3'
        page = self.inside("bash", "-c", get)
        lines = [line.rpartition(" ") for line in page.splitlines() if line.startswith("stratagem_")]
        assert lines, f"{self.name} has no metrics:\n{page}"
        return {series: float(value) for series, _, value in lines}

    total = Replica.total

    def served(self):
        """Calls that the server has answered since its start."""
        return self.total("stratagem_rpc_total", "AllocateTasks", 'code="OK"')


def check_plan(test, answer, tasks):
    good = (v1.SOLVE_STATUS_OPTIMAL, v1.SOLVE_STATUS_FEASIBLE)
    test.assertIn(answer.report.status, good)
    done = [stop.task_id for route in answer.plan.routes for stop in route.stops]
    test.assertEqual(sorted(done), sorted(f"t{i}" for i in range(tasks)))


def check_locked(test, container, folders=("/", "/usr/local/bin")):
    """It runs as user 65532 without capabilities, and writes nowhere."""
    may = container.privileges()
    test.assertEqual(may["Uid"], ["65532"] * 4)
    test.assertEqual(may["Gid"], ["65532"] * 4)
    for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        test.assertEqual(int(may[kind][0], 16), 0, kind)
    test.assertEqual(may["NoNewPrivs"], ["1"])
    test.assertEqual(container.inside("id", "-u"), "65532")
    for folder in folders:
        done = run([IMAGE_SCRIPT, "engine", "exec", container.name, "touch", f"{folder}/x"], check=False)
        test.assertNotEqual(done.returncode, 0, folder)
        test.assertIn("Read-only file system", done.stderr)


class Image(unittest.TestCase):
    """One container of the image."""

    def start(self):
        """A container with nothing but a port, which is published."""
        (port,) = free_ports(1)
        words = ["run", "--detach", "--label", LABEL, f"--publish=127.0.0.1:{port}:50051"]
        # Podman would mount a tmpfs on /tmp and others.
        no_tmpfs = ["--read-only-tmpfs=false"] if is_podman() else []
        container = Container(engine(*words, *LOCKED, *no_tmpfs, TAG).splitlines()[-1])
        self.addCleanup(engine, "rm", "--force", "--volumes", container.name)
        return container, f"127.0.0.1:{port}"

    def test_it_runs_as_nobody_and_writes_nowhere(self):
        container, _ = self.start()
        container.check_running()
        check_locked(self, container, ("/", "/tmp", "/var/tmp", "/usr/local/bin"))

    def test_its_health_check_turns_healthy(self):
        container, _ = self.start()
        eventually("it is healthy", container.healthy)

    def test_its_health_check_fails_without_a_server(self):
        done = run([IMAGE_SCRIPT, "engine", "run", "--rm", *LOCKED, "--network=none",
                    "--label", LABEL, f"--entrypoint={CLI}", TAG, "server", "check", "--quiet"], check=False)
        self.assertNotEqual(done.returncode, 0)
        if is_podman():
            # Podman's own verdict on the command of the image.
            words = ["run", "--detach", "--label", LABEL, "--entrypoint=/bin/sleep", *LOCKED]
            idle = Container(engine(*words, TAG, "600").splitlines()[-1])
            self.addCleanup(engine, "rm", "--force", "--volumes", "--time=0", idle.name)
            self.assertNotEqual(engine_code("healthcheck", "run", idle.name), 0)

    def test_a_plan_is_made_in_it(self):
        container, address = self.start()
        eventually("it is healthy", container.healthy)
        answer = client(self, address).call(methods.AllocateTasks, interactive(1))
        check_plan(self, answer, 8)

    def test_it_stops_cleanly(self):
        container, _ = self.start()
        eventually("it is healthy", container.healthy)
        begin = time.monotonic()
        engine("stop", f"--time={GRACE_S}", container.name)
        took = time.monotonic() - begin
        self.assertEqual(container.state("ExitCode"), "0")
        # Killed containers have 137, and take all of their time.
        self.assertLess(took, GRACE_S)
        print(f"{took:.1f} s ... ", end="", flush=True)


class Stack(unittest.TestCase):
    """The stack of deploy/compose.yaml, as far as its parts can be had."""

    @classmethod
    def setUpClass(cls):
        (port,) = free_ports(1)
        cls.address = f"127.0.0.1:{port}"
        temporary = tempfile.TemporaryDirectory(prefix="stratagem-image-")
        cls.addClassCleanup(temporary.cleanup)
        folder = temporary.name
        cls.env = dict(os.environ)
        if is_podman():
            path = f"{folder}/podman.sock"
            service = [IMAGE_SCRIPT, "engine", "system", "service", "--time=0", f"unix://{path}"]
            api = Process("podman system service", service)
            cls.addClassCleanup(api.kill)
            eventually("Podman listens", lambda: api.check_running() or os.path.exists(path))
            # Settings of the user for Docker do not count here.
            cls.env |= {"DOCKER_HOST": f"unix://{path}", "DOCKER_CONFIG": folder}
        # It is chosen and addressed here, whatever the caller's shell has set.
        for name in [name for name in cls.env if name.startswith(("STRATAGEM_", "COMPOSE_"))]:
            del cls.env[name]
        changes, parts = cls.changes(port)
        changed = Path(folder, "changes.yaml")
        changed.write_text(changes)
        print(f"\n{changes.strip()}", flush=True)
        cls.words = ["docker-compose", "--project-name", PROJECT, "-f", COMPOSE_FILE, "-f", changed]
        # Stopped by its grace, so that what is wrong with it shows; main() removes what is left.
        cls.addClassCleanup(cls.compose, "down", "--volumes")
        cls.compose("up", "--detach", "--no-build", "--pull=never", *parts)
        cls.servers = [cls.container(name) for name in SERVERS]
        cls.parts = parts

    @classmethod
    def compose(cls, *words):
        return succeed([*cls.words, *words], env=cls.env)

    @classmethod
    def container(cls, service):
        label = f"label=com.docker.compose.service={service}"
        found = engine("ps", "--all", "--quiet", "--filter", f"label={LABEL}", "--filter", label)
        assert len(found.split()) == 1, f"containers of {service}: {found}"
        return Container(found)

    @classmethod
    def changes(cls, port):
        """How the stack differs here from compose.yaml, as a second file for Compose; and its services."""
        stack = yaml.safe_load(COMPOSE_FILE.read_text())
        services = {name: {"image": TAG} for name in SERVERS}
        registry = True
        for name, service in stack["services"].items():
            if name in SERVERS or "profiles" in service:
                continue
            image = service["image"]
            registry = registry and in_registry(image)
            if registry:
                services[name] = {}
            elif name in SUBSTITUTED:
                made = run([IMAGE_SCRIPT, "base", SUBSTITUTE, *SUBSTITUTE_PACKAGES], check=False)
                assert made.returncode == 0, made.stderr
                services[name] = {"image": SUBSTITUTE} | SUBSTITUTED[name]
            else:
                print(f"\n    SKIPPED: {name}: there is no image {image}, and no registry", flush=True)
        # The lists take the place of those of compose.yaml, for which JSON has no words.
        services["haproxy"]["ports"] = f"!override ['127.0.0.1:{port}:50051']"
        if is_podman():
            # Podman 4 knows no owner of a tmpfs.
            services["haproxy"]["tmpfs"] = "!override ['/run/stratagem:mode=1777']"
        for name in ("prometheus", "grafana"):
            if name in services:
                services[name]["ports"] = "!override []"
        lines = ["services:"]
        for name, changed in services.items():
            lines.append(f"  {name}:" if changed else f"  {name}: {{}}")
            lines += [
                f"    {key}: {value if value.startswith('!') else json.dumps(value)}"
                for key, value in changed.items()
            ]
        return "\n".join(lines) + "\n", list(services)

    def setUp(self):
        for server in self.servers:
            eventually(f"{server.name} is healthy", server.healthy)
        info = f"http://{self.address}/stratagem.v1.ServerService/GetServerInfo"
        eventually("the balancer has servers", lambda: fetch(info, b"{}"))
        calls = self.allocation()

        def everywhere():
            calls.call(methods.AllocateTasks, interactive(0))
            return all(server.served() > 0 for server in self.servers)

        eventually("calls reach every server", everywhere)

    def allocation(self):
        """A client of the balancer on a connection of its own."""
        return client(self, self.address)

    def test_every_part_runs_as_it_is_locked_down(self):
        for part in self.parts:
            self.container(part).check_running()
        for server in self.servers:
            check_locked(self, server)
            # No way out of their network: the destination of a default route is zero.
            table = server.inside("cat", "/proc/net/route").splitlines()[1:]
            self.assertTrue(table)
            self.assertNotIn("00000000", [line.split()[1] for line in table])

    def test_a_plan_is_made_behind_the_balancer(self):
        answer = self.allocation().call(methods.AllocateTasks, interactive(1))
        check_plan(self, answer, 8)

    def test_a_job_is_at_every_server(self):
        # A server that was there before NATS connects a little later.
        for server in self.servers:
            listed = ("exec", server.name, CLI, "job", "list")
            eventually("its jobs can be had", lambda words=listed: engine_code(*words) == 0)
        jobs = self.allocation().jobs
        job_id = jobs.create(methods.AllocateTasks, interactive(0)).job_id
        (*_, last) = jobs.watch(job_id)
        # Servers have nothing in common but NATS.
        for server in self.servers:
            there = json.loads(server.inside(CLI, "job", "get", job_id, "--output=json"))
            self.assertIn(job_id, json.dumps(there))
        self.assertEqual(last.state, v1.JOB_STATE_SUCCEEDED)
        kept = self.container("nats").inside("find", "/data/jetstream", "-name", "*.blk")
        self.assertTrue(kept, "NATS has stored nothing")

    def test_a_restart_under_load_fails_no_call(self):
        server = self.servers[0]
        before = server.state("StartedAt")
        with Load(self) as load:
            # Podman 4.3 takes no timeout for zero, and kills.
            self.compose("restart", f"--timeout={GRACE_S}", SERVERS[0])
            self.assertIn('"stopped","in_time":true', server.logs())
            self.assertNotEqual(server.state("StartedAt"), before)
            load.goes_on()
            eventually("it is healthy again", server.healthy)
            eventually("it is back and serves", lambda: server.served() > 0)
            load.goes_on()
        self.assertEqual(load.failures, [], self.container("haproxy").logs() + server.logs())
        print(f"{load.done()} calls, none failed ... ", end="", flush=True)


def in_registry(image):
    """Whether an image is there, or can be pulled."""
    if is_podman():
        # Podman wants the full name.
        image = f"docker.io/{image}" if "/" in image else f"docker.io/library/{image}"
    if engine_code("image", "inspect", image) == 0:
        return True
    try:
        return engine_code("pull", "--quiet", image) == 0
    except subprocess.TimeoutExpired:
        return False


def remove_everything():
    """What is left of this run, in any state."""
    mine = ["--quiet", "--filter", f"label={LABEL}"]
    immediately = ["--time=0"] if is_podman() else []
    for kind, remove in (
        (["ps", "--all"], ["rm", "--force", "--volumes", *immediately]),
        (["network", "ls"], ["network", "rm"]),
        (["volume", "ls"], ["volume", "rm"]),
    ):
        left = run([IMAGE_SCRIPT, "engine", *kind, *mine], check=False).stdout.split()
        if left:
            engine(*remove, *left)


def main(*parts):
    version = run([IMAGE_SCRIPT, "engine", "--version"], check=False)
    if version.returncode != 0:
        why = (version.stderr.strip() or "no container engine").splitlines()[-1]
        print(f"    SKIPPED: the image and its stack: {why}")
        return True
    podman = version.stdout.startswith("podman")
    os.environ["CONTAINER_ENGINE"] = "podman" if podman else "docker"
    print(f"    {version.stdout.strip()}", flush=True)
    # A test that is asked to end cleans up as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        begin = time.monotonic()
        built = succeed([IMAGE_SCRIPT, "quick", os.environ["STRATAGEM_BIN_DIR"], TAG])
        print(f"    {built.strip()}\n    image: {time.monotonic() - begin:.0f} s", flush=True)
        loader = unittest.TestLoader()
        loader.testNamePatterns = [f"*{part}*" for part in parts] or None
        tests = loader.loadTestsFromModule(sys.modules[__name__])
        return unittest.TextTestRunner(verbosity=2).run(tests).wasSuccessful()
    finally:
        remove_everything()


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
