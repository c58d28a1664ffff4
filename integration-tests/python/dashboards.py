"""What dashboards and alerts ask for is there: `dashboards.py [FOLDER OF prometheus AND promtool]`.

Servers behind HAProxy get calls of every kind. Then each metric that deploy/ names must be on a
page of theirs, and each panel of the dashboard must have data, for which a Prometheus reads them
as deployed.
"""

import itertools
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import quote

import grpc
import yaml
from stratagem import CallError, Client, methods

from foreign_client import problem
from stage import ROOT, HaProxy, Process, Replica, eventually, fetch, free_ports

DEPLOY = ROOT / "deploy"
DASHBOARD = DEPLOY / "grafana/dashboards/stratagem.json"
ALERTS = DEPLOY / "prometheus/alerts.yml"
METRIC = re.compile(r"\b(?:stratagem|haproxy)_[a-z0-9_]+\b(?!\")")
TOOLS = None


def panels():
    """Titles of the panels and their queries."""
    dashboard = json.loads(DASHBOARD.read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]


def alerts():
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def scaling():
    """Names of the metrics by which Kubernetes scales, and their queries."""
    rules = yaml.safe_load((DEPLOY / "prometheus/adapter.yml").read_text())["rules"]["custom"]
    for rule in rules:
        # As the adapter fills them in, but with labels that are there without Kubernetes.
        query = rule["metricsQuery"].replace("<<.LabelMatchers>>", 'job="stratagem"')
        yield rule["name"]["as"], query.replace("<<.GroupBy>>", "job")


def named():
    """Every metric that something in deploy/ asks for."""
    queries = [query for _, query in (*panels(), *scaling())]
    queries += [rule["expr"] for rule in alerts()]
    return {name for query in queries for name in METRIC.findall(query)}


class Compose(unittest.TestCase):
    """Files that name each other's services."""

    @classmethod
    def setUpClass(cls):
        cls.compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
        cls.servers = {name for name in cls.compose if name.startswith("stratagem-")}

    def test_haproxy_and_prometheus_know_every_server(self):
        env = self.compose["haproxy"]["environment"]
        balanced = {env[f"STRATAGEM_{letter}"] for letter in "ABC"}
        self.assertEqual(balanced, {f"{name}:50051" for name in self.servers})
        config = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())
        targets = {
            job["job_name"]: set(job["static_configs"][0]["targets"])
            for job in config["scrape_configs"]
        }
        self.assertEqual(targets["stratagem"], {f"{name}:9464" for name in self.servers})
        balancer = f"haproxy{env['STRATAGEM_BALANCER_METRICS']}"
        self.assertEqual(targets["haproxy"], {balancer})
        dockerfile = (ROOT / "Dockerfile").read_text()
        self.assertIn("EXPOSE 50051 9464", dockerfile)
        for port in ("LISTEN=0.0.0.0:50051", "METRICS_LISTEN=0.0.0.0:9464"):
            self.assertIn(f"STRATAGEM_{port}", dockerfile)

    def test_servers_share_the_broker_that_is_there(self):
        for name in self.servers:
            address = self.compose[name]["environment"]["STRATAGEM_JOBS"]
            host = address.removeprefix("nats://").removesuffix(":4222")
            self.assertEqual(self.compose[host]["networks"], self.compose[name]["networks"])
        config = (DEPLOY / "nats/nats.conf").read_text()
        self.assertIn("\nport: 4222\n", config)

    def test_servers_are_hardened_and_have_time_to_drain(self):
        seconds = lambda text: int(text.removesuffix("s"))
        for name in self.servers:
            server = self.compose[name]
            self.assertTrue(server["read_only"])
            self.assertEqual(server["cap_drop"], ["ALL"])
            # drain_timeout is 10 s unless it is set.
            lame_duck = seconds(server["environment"]["STRATAGEM_LAME_DUCK"])
            self.assertGreater(seconds(server["stop_grace_period"]), lame_duck + 10)


class Watched(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="stratagem-dashboards-")
        # A file that may change has numbers of its own.
        tenants = Path(cls.folder.name) / "tenants.toml"
        tenants.write_text("")
        flags = ["--slots", "1", "--lame-duck", "0ms", "--tenants", str(tenants), "--jobs"]
        jobs = f"{cls.folder.name}/jobs-"
        cls.replicas = [Replica(name, [*flags, jobs + name]) for name in "abc"]
        cls.balancer = HaProxy(cls.replicas)
        eventually("all are up", lambda: cls.balancer.up() == {0, 1, 2})
        cls.behind = Client(cls.balancer.address)
        cls.seeds = itertools.count()
        cls.direct = Client(cls.replicas[0].address, options={"grpc.enable_retries": 0})

    @classmethod
    def tearDownClass(cls):
        cls.behind.close()
        cls.direct.close()
        cls.balancer.close()
        for replica in cls.replicas:
            replica.process.kill()
        cls.folder.cleanup()

    def calls_of_every_kind(self):
        """Answers, shared ones too, a search that nobody wants any more, and a refusal."""
        fresh = [next(self.seeds) for _ in range(6)]
        for seed in (*fresh, fresh[0]):
            options = {"max_iterations": 100_000, "seed": seed}
            self.behind.call(methods.AllocateTasks, {"problem": problem(4), "options": options})
        # It uses all of its time. From cancelled searches alone the server would learn that the next one ends
        # soon, and let the call below in.
        options = {"time_budget": "0.020s"}
        self.direct.call(methods.AllocateTasks, {"problem": problem(60), "options": options})
        # It gives way to none of a lower class.
        options = {"time_budget": "300s", "priority": "PRIORITY_HIGH"}
        endless = {"problem": problem(60), "options": options}
        freed = self.freed()
        stream = self.direct.stream(methods.StreamAllocateTasks, endless, timeout=300)
        self.assertTrue(next(stream).HasField("plan"))
        # The only slot is busy for longer than this one can wait.
        waits = {"problem": problem(5), "options": {"time_budget": "0.020s"}}
        with self.assertRaises(CallError) as refused:
            self.direct.call(methods.AllocateTasks, waits)
        self.assertEqual(refused.exception.code, grpc.StatusCode.UNAVAILABLE)
        stream.close()
        # Else the next one finds it busy for 300 s, and is refused.
        eventually("the slot is free again", lambda: self.freed() > freed)
        counted = lambda: any("stratagem_known_jobs" in key for key in self.replicas[0].metrics())
        eventually("jobs are counted", counted)

    def freed(self):
        """How often the slot of the first replica became free because nobody wanted the search any more."""
        return self.replicas[0].total("stratagem_cancel_to_free_seconds_count") or 0

    def test_every_metric_that_is_asked_for_is_there(self):
        self.calls_of_every_kind()
        pages = [fetch(self.balancer.metrics_url)]
        pages += ["\n".join(replica.metrics()) for replica in self.replicas]
        there = set(METRIC.findall("\n".join(pages)))
        self.assertGreater(len(named()), 15)
        self.assertEqual(named() - there, set())

    def test_every_alert_says_what_to_do(self):
        page = "docs/how-to/answer-alerts.md"
        text = (ROOT / page).read_text()
        for rule in alerts():
            anchor = f"{page}#{rule['alert'].lower()}"
            self.assertEqual(rule["annotations"]["runbook"], anchor)
            self.assertIn(f"\n## {rule['alert']}\n", text)

    def test_every_panel_has_data(self):
        if TOOLS is None:
            self.skipTest("there is no Prometheus")
        with tempfile.TemporaryDirectory(prefix="stratagem-prometheus-") as folder:
            prometheus, address = self.prometheus(Path(folder))
            try:
                for title, query in (*panels(), *scaling()):
                    self.ask(prometheus, address, title, query)
            finally:
                prometheus.kill()

    def prometheus(self, folder):
        """A Prometheus with the configuration that is deployed; addresses and pace differ."""
        config = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())
        config["global"] = {"scrape_interval": "250ms", "evaluation_interval": "1s"}
        config["rule_files"] = [str(ALERTS)]
        targets = {
            "stratagem": [f"127.0.0.1:{one.metrics_port}" for one in self.replicas],
            "haproxy": [self.balancer.metrics_url.split("/")[2]],
        }
        for job in config["scrape_configs"]:
            (static,) = job["static_configs"]
            self.assertEqual(len(static["targets"]), len(targets[job["job_name"]]))
            static["targets"] = targets[job["job_name"]]
        (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
        address = f"127.0.0.1:{free_ports(1)[0]}"
        command = [f"{TOOLS}/prometheus", f"--config.file={folder}/prometheus.yml"]
        command += [f"--storage.tsdb.path={folder}/data", f"--web.listen-address={address}"]
        return Process("prometheus", command), address

    def ask(self, prometheus, address, title, query):
        """Waits until a query has a value, while calls go on."""
        query = query.replace("$__rate_interval", "10s").replace("$instance", ".*")
        self.assertNotIn("$", query)
        url = f"http://{address}/api/v1/query?query={quote(query)}"

        def value():
            prometheus.check_running()
            page = fetch(url)
            if page is None:
                return None
            values = [one["value"][1] for one in json.loads(page)["data"]["result"]]
            if any(one != "NaN" for one in values):
                return True
            self.calls_of_every_kind()
            return None

        eventually(f"{title!r} has data: {query}", value)


if __name__ == "__main__":
    TOOLS = sys.argv[1] if len(sys.argv) > 1 else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
