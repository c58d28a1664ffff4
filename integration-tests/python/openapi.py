"""The document /openapi.json against what a server takes and gives: `openapi.py [TEST ...]`."""

import copy
import json
import unittest
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from jsonschema import Draft202012Validator
from stage import PATIENCE_S, ROOT, Replica, fetch

EXAMPLES = sorted((ROOT / "proto/examples").glob("*/*.json"))
# Mistakes that an example is spoiled with, by the path of the value; None removes it.
MISTAKES = {
    "a number out of range": ("agents/0/speed", 1001),
    "a number that is none": ("agents/0/speed", "fast"),
    "a negative time": ("tasks/0/service_duration", "-1s"),
    "a time without a unit": ("tasks/0/service_duration", "5"),
    "an id that is missing": ("tasks/0/id", None),
    "an id that is too long": ("tasks/0/id", "x" * 101),
    "agents that are missing": ("agents", None),
    "agents that are too few": ("agents", []),
    "an enum without such a value": ("travel", {"euclidean": {"rounding": "UPWARDS"}}),
    "a place of two kinds": ("tasks/0/place", {"point": {}, "location_id": "gate"}),
    "a place of no kind": ("tasks/0/place", {}),
}


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Replica("server")
        cls.document = json.loads(fetch(f"http://{cls.server.address}/openapi.json"))
        cls.schemas = cls.document["components"]["schemas"]

    @classmethod
    def tearDownClass(cls):
        cls.server.process.kill()

    def wrong(self, schema, value):
        """The mistakes in a value of a schema, by its name or as it is."""
        if isinstance(schema, str):
            schema = {"$ref": f"#/components/schemas/{schema}"}
        validator = Draft202012Validator(schema | {"components": self.document["components"]})
        return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]

    def call(self, path, request):
        """The answer of a method, both in the schemas of its path."""
        operation = self.document["paths"][path]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        self.assertEqual(self.wrong(schema, request), [])
        ((kind, content),) = operation["responses"]["200"]["content"].items()
        answer = fetch(f"http://{self.server.address}{path}", json.dumps(request).encode())
        answers = answer.splitlines() if "ndjson" in kind else [answer]
        answers = [json.loads(one) for one in answers]
        for one in answers:
            self.assertEqual(self.wrong(content["schema"], one), [], path)
        return answers[-1]

    def refused(self, path, request):
        """What the server says of a request that it does not take."""
        address = f"http://{self.server.address}{path}"
        asked = Request(address, json.dumps(request).encode(), {"Content-Type": "application/json"})
        with self.assertRaises(HTTPError) as refusal:
            build_opener(ProxyHandler({})).open(asked, timeout=PATIENCE_S)
        with refusal.exception as answer:
            self.assertEqual(answer.code, 400)
            return json.load(answer)

    def test_schemas_are_schemas(self):
        for name, schema in self.schemas.items():
            with self.subTest(name):
                Draft202012Validator.check_schema(schema)

    def test_every_example_is_of_its_schema(self):
        self.assertGreater(len(EXAMPLES), 20)
        for file in EXAMPLES:
            with self.subTest(file.stem):
                problem = {file.parent.name: json.loads(file.read_text())}
                self.assertEqual(self.wrong("AnyProblem", problem), [])

    def test_what_the_schema_refuses_the_server_refuses(self):
        example = json.loads((ROOT / "proto/examples/allocation/raid.json").read_text())
        for what, (path, value) in MISTAKES.items():
            with self.subTest(what):
                spoiled = copy.deepcopy(example)
                *inner, last = [int(step) if step.isdigit() else step for step in path.split("/")]
                place = spoiled
                for step in inner:
                    place = place[step]
                if value is None:
                    del place[last]
                else:
                    place[last] = value
                self.assertNotEqual(self.wrong("AllocationProblem", spoiled), [])
                request = {"problem": spoiled, "options": {"validate_only": True}}
                error = self.refused("/stratagem.v1.AllocationService/AllocateTasks", request)
                self.assertEqual(self.wrong("Error", error), [])

    def test_answers_are_of_their_schemas(self):
        self.call("/stratagem.v1.ServerService/GetServerInfo", {})
        names = self.call("/stratagem.v1.ServerService/ListExamples", {"page_size": 1000})
        for example in names["examples"]:
            self.call("/stratagem.v1.ServerService/GetExample", {"name": example["name"]})
        problem = json.loads((ROOT / "proto/examples/allocation/raid.json").read_text())
        options = {"max_iterations": 50, "time_budget": "60s", "seed": 1}
        for method in ("AllocateTasks", "StreamAllocateTasks"):
            path = f"/stratagem.v1.AllocationService/{method}"
            self.call(path, {"problem": problem, "options": options})


if __name__ == "__main__":
    unittest.main(verbosity=2)
