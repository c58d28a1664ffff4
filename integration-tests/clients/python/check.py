"""Checks a problem before it is sent, by the rules in the contract.

Usage: check.py PROBLEM. PROBLEM is JSON of the planner `allocation`.
"""

import sys
from pathlib import Path

import protovalidate
from google.protobuf import json_format
from stratagem.v1 import allocation_pb2


def main(path):
    problem = json_format.Parse(Path(path).read_text(), allocation_pb2.AllocationProblem())
    request = allocation_pb2.AllocateTasksRequest(problem=problem)
    for violation in protovalidate.collect_violations(request):
        steps = []
        for step in violation.proto.field.elements:
            index = f"[{step.index}]" if step.HasField("index") else ""
            steps.append(step.field_name + index)
        print(".".join(steps), violation.proto.rule_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
