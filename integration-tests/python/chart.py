"""The chart for Kubernetes, by Helm's own engine: `chart.py`. Asks no cluster."""

import copy
import os
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import helm_python as helm
import kubernetes_validate
import yaml

from dashboards import METRIC
from stage import ROOT

CHART = ROOT / "deploy/chart"
# The oldest version that the chart promises, and a new one.
VERSIONS = ("1.30", "1.37")
OURS = {"listen", "metrics_listen", "lame_duck", "drain_timeout"}
EVERYTHING = {
    "image": {"digest": "sha256:" + "0123456789abcdef" * 4, "pullSecrets": [{"name": "key"}]},
    "settings": {
        "queue_max": 64,
        "nodes_max": 2_000_000,
        "budget_max": "1h",
        "web": "*",
        "jobs": "nats://nats.games:4222",
        "jobs_replicas": 3,
        "memory_max": 2_000_000_000,
        "otlp_endpoint": "http://collector.observability:4317",
        "trace_ratio": "0.1",
    },
    "jobsSecret": "nats",
    "networkPolicy": {
        "broker": [{"podSelector": {"matchLabels": {"app": "nats"}}}],
        "collector": [{"podSelector": {"matchLabels": {"app": "collector"}}}],
    },
    "files": [{"name": "tls", "secret": "plans-tls"}],
    "drain": {"preStopSeconds": 7, "lameDuckSeconds": 3, "timeoutSeconds": 40},
    "service": {"type": "LoadBalancer", "port": 443, "annotations": {"a/b": "c"}},
    "serviceAccount": {"annotations": {"a/b": "c"}},
    "podAnnotations": {"a/b": "c"},
    "podLabels": {"team": "games"},
    "nodeSelector": {"kubernetes.io/arch": "amd64"},
    "tolerations": [{"key": "games", "operator": "Exists"}],
    "affinity": {"podAntiAffinity": {}},
    "priorityClassName": "play",
    "autoscaling": {"enabled": True},
    "podDisruptionBudget": {"maxUnavailable": "34%"},
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
}
WRONG = [
    {"replica": 3},
    {"replicas": 0},
    {"settings": {"queue_maximum": 3}},
    {"settings": {"queue_max": "many"}},
    {"settings": {"listen": "0.0.0.0:1"}},
    {"settings": {"budget_max": "one minute"}},
    {"settings": {"web": "everybody"}},
    {"image": {"digest": "latest"}},
    {"drain": {"timeoutSeconds": "10s"}},
    {"files": [{"name": "a b", "secret": "c"}]},
    {"podDisruptionBudget": {"maxUnavailable": 0}},
    {"networkPolicy": {"clients": [{}]}},
    {"networkPolicy": {"broker": "nats"}},
    {"settings": {"jobs_replicas": 7}},
    {"settings": {"trace_ratio": "2"}},
    {"settings": {"otlp_endpoint": "collector:4317"}},
    {"topologySpread": [{"key": "zone"}]},
]


def render(values=None):
    """All objects that a release with these values has, by kind and name."""
    with helm.Chart.load(str(CHART)) as chart:
        files = chart.render(values or {}, name="prod", namespace="games")
    objects = {}
    for name, text in sorted(files.items()):
        if name.endswith(".yaml"):
            for one in filter(None, yaml.safe_load_all(text)):
                key = one["kind"], one["metadata"]["name"]
                assert key not in objects, key
                objects[key] = one
    return objects


def pod(objects):
    return objects["Deployment", "prod-stratagem"]["spec"]["template"]["spec"]


def environment(objects):
    (container,) = pod(objects)["containers"]
    return {one["name"]: one["value"] for one in container["env"]}


class Rendered(unittest.TestCase):
    def test_helm_has_nothing_to_complain_of(self):
        found = helm.lint(str(CHART), strict=True)
        self.assertEqual(found["total_charts_linted"], 1)
        # 1 is advice, such as to have an icon.
        serious = [message for message in found["messages"] if message["severity"] > 1]
        self.assertEqual((serious, found["errors"]), ([], []))

    def test_every_object_is_one_that_kubernetes_knows(self):
        for values in ({}, EVERYTHING):
            objects = render(values)
            self.assertGreaterEqual(len(objects), 6)
            for (kind, _), one in objects.items():
                if kind == "ServiceMonitor":  # Known to its operator only.
                    continue
                for version in VERSIONS:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        kubernetes_validate.validate(one, version, strict=True)

    def test_wrong_values_are_refused(self):
        with helm.Chart.load(str(CHART)) as chart:
            for values in WRONG:
                with self.subTest(values=values), self.assertRaises(helm.HelmError):
                    chart.validate_schema(chart.merge_values(copy.deepcopy(values)))
            chart.validate_schema(chart.merge_values(copy.deepcopy(EVERYTHING)))

    def test_the_schema_knows_every_setting_of_the_server(self):
        schema = yaml.safe_load((CHART / "values.schema.json").read_text())
        known = set(schema["properties"]["settings"]["properties"])
        printed = self.server({}, "--print-config").stdout
        there = {line.split(" = ")[0] for line in printed.splitlines()}
        self.assertEqual(known, there - OURS)
        self.assertLess(OURS, there)

    def test_the_server_takes_the_settings_that_are_rendered(self):
        for values in ({}, EVERYTHING):
            run = self.server(environment(render(values)), "--check-config")
            self.assertEqual(run.returncode, 0, run.stderr)
        printed = self.server(environment(render(EVERYTHING)), "--print-config").stdout
        for line in ("nodes_max = 2000000", "memory_max = 2000000000", "trace_ratio = 0.1", 'lame_duck = "3s"', 'drain_timeout = "40s"'):
            self.assertIn(f"{line}\n", printed)

    def server(self, env, flag):
        program = Path(os.environ["STRATAGEM_BIN_DIR"]) / "stratagem-server"
        return subprocess.run(
            [program, flag], env=env, capture_output=True, text=True, check=False, timeout=60
        )

    def test_pods_have_time_to_drain(self):
        for values in ({}, EVERYTHING):
            one = pod(render(values))
            (container,) = one["containers"]
            before = container["lifecycle"]["preStop"]["sleep"]["seconds"]
            env = environment(render(values))
            seconds = [int(env[f"STRATAGEM_{n}"][:-1]) for n in ("LAME_DUCK", "DRAIN_TIMEOUT")]
            self.assertGreater(one["terminationGracePeriodSeconds"], before + sum(seconds))
            liveness = container["livenessProbe"]
            patience = liveness["periodSeconds"] * liveness["failureThreshold"]
            self.assertGreater(patience, sum(seconds), "nobody who drains is restarted")

    def test_files_of_secrets_are_where_settings_name_them(self):
        path = "/etc/stratagem/tls/tls.crt"
        values = {"files": EVERYTHING["files"], "settings": {"tls_cert": path, "tls_key": path}}
        one = pod(render(values))
        (container,) = one["containers"]
        (mount,) = container["volumeMounts"]
        self.assertTrue(path.startswith(mount["mountPath"] + "/"))
        self.assertEqual(one["volumes"], [{"name": "tls", "secret": {"secretName": "plans-tls"}}])
        # Kubernetes asks gRPC without TLS only.
        self.assertEqual(container["readinessProbe"]["httpGet"], {"path": "/ready", "port": "metrics"})
        (plain,) = pod(render())["containers"]
        self.assertEqual(plain["readinessProbe"]["grpc"], {"port": 50051})

    def test_pods_have_no_rights(self):
        one = pod(render())
        (container,) = one["containers"]
        self.assertTrue(one["securityContext"]["runAsNonRoot"])
        self.assertFalse(one["automountServiceAccountToken"])
        security = container["securityContext"]
        self.assertTrue(security["readOnlyRootFilesystem"])
        self.assertFalse(security["allowPrivilegeEscalation"])
        self.assertEqual(security["capabilities"], {"drop": ["ALL"]})
        policy = render()["NetworkPolicy", "prod-stratagem"]["spec"]
        self.assertEqual((policy["egress"], len(policy["ingress"])), ([], 2))
        broker, collector, names = render(EVERYTHING)["NetworkPolicy", "prod-stratagem"]["spec"]["egress"]
        self.assertEqual([one["port"] for one in broker["ports"]], [4222])
        self.assertEqual([one["port"] for one in collector["ports"]], [4317])
        self.assertEqual({one["port"] for one in names["ports"]}, {53})

    def test_credentials_come_from_a_secret(self):
        objects = render(EVERYTHING)
        (container,) = pod(objects)["containers"]
        (mount,) = (one for one in container["volumeMounts"] if one["name"] == "jobs")
        path = environment(objects)["STRATAGEM_JOBS_CREDENTIALS"]
        self.assertEqual(path, f"{mount['mountPath']}/nats.creds")
        (volume,) = (one for one in pod(objects)["volumes"] if one["name"] == mount["name"])
        self.assertEqual(volume["secret"]["secretName"], "nats")

    def test_everything_finds_the_pods(self):
        objects = render(EVERYTHING)
        labels = objects["Deployment", "prod-stratagem"]["spec"]["template"]["metadata"]["labels"]
        selectors = [
            objects["Service", "prod-stratagem"]["spec"]["selector"],
            objects["Service", "prod-stratagem-pods"]["spec"]["selector"],
            objects["PodDisruptionBudget", "prod-stratagem"]["spec"]["selector"]["matchLabels"],
            objects["NetworkPolicy", "prod-stratagem"]["spec"]["podSelector"]["matchLabels"],
        ]
        for selector in selectors:
            self.assertLessEqual(selector.items(), labels.items())
        service = objects["Service", "prod-stratagem-pods"]["metadata"]["labels"]
        monitor = objects["ServiceMonitor", "prod-stratagem"]["spec"]["selector"]["matchLabels"]
        self.assertLessEqual(monitor.items(), service.items())
        one = objects["Service", "prod-stratagem"]["metadata"]["labels"]
        self.assertFalse(monitor.items() <= one.items(), "pods are read once")

    def test_who_scales_by_load_has_no_fixed_number(self):
        fixed = render()
        self.assertEqual(fixed["Deployment", "prod-stratagem"]["spec"]["replicas"], 3)
        self.assertNotIn(("HorizontalPodAutoscaler", "prod-stratagem"), fixed)
        scaled = render(EVERYTHING)
        self.assertNotIn("replicas", scaled["Deployment", "prod-stratagem"]["spec"])
        scaler = scaled["HorizontalPodAutoscaler", "prod-stratagem"]["spec"]
        asked = set(METRIC.findall(yaml.safe_dump(scaler["metrics"])))
        rules = yaml.safe_load((ROOT / "deploy/prometheus/adapter.yml").read_text())
        made = {rule["name"]["as"] for rule in rules["rules"]["custom"]}
        self.assertEqual(asked, made, "deploy/prometheus/adapter.yml makes what the chart asks for")
        pods = scaler["metrics"][1]["object"]["describedObject"]["name"]
        self.assertIn(("Service", pods), scaled)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
