"""What needs no server: requests from dicts, errors, the choice of plans, and jobs."""

import inspect
import json
import os
import unittest
from datetime import timedelta
from importlib import resources
from pathlib import Path

import grpc
from google.protobuf.any_pb2 import Any
from google.rpc import code_pb2, error_details_pb2, status_pb2
from stratagem import AsyncClient, CallError, Client, Mistake, Tls, _connection, _jobs, methods, v1
from stratagem._aio import AsyncJobs
from stratagem._client import Jobs
from stratagem._error import Patience
from stratagem._follow import Best
from stratagem._method import Method, Search, Unary

ROOT = Path(__file__).resolve().parents[3]


def step(*levels, report=None, heartbeat=False):
    """A response with a plan of that objective; none without levels."""
    made = v1.AllocateTasksResponse()
    made.event.heartbeat = heartbeat
    if levels:
        made.event.objective.levels.extend(levels)
        made.plan.routes.add(agent_id=str(levels))
    if report:
        made.report.stop_reason = report
        made.report.objective.CopyFrom(made.event.objective)
        made.report.gap = 0.5
    return made


class Failed(grpc.RpcError):
    """The error of a call, as grpc raises it."""

    def __init__(self, code, *details):
        self._code, self._details = code, details

    def code(self):
        return self._code

    def details(self):
        return "no"

    def trailing_metadata(self):
        status = status_pb2.Status(code=code_pb2.INVALID_ARGUMENT)
        for detail in self._details:
            packed = Any()
            packed.Pack(detail)
            status.details.append(packed)
        bytes_ = status.SerializeToString()
        return (("x-request-id", "7"), ("grpc-status-details-bin", bytes_))


class Requests(unittest.TestCase):
    def test_all_methods_of_the_contract_are_there(self):
        modules = vars(v1).values()
        files = [one.DESCRIPTOR for one in modules if inspect.ismodule(one)]
        services = [service for file in files for service in file.services_by_name.values()]
        named = {f"/{one.full_name}/{m.name}": m for one in services for m in one.methods}
        found = {one.path: one for one in vars(methods).values() if isinstance(one, Method)}
        self.assertGreater(len(found), 40)
        self.assertEqual(set(found), set(named))
        for path, method in found.items():
            types = (named[path].input_type, named[path].output_type)
            self.assertEqual((method.request.DESCRIPTOR, method.response.DESCRIPTOR), types)
            self.assertEqual(isinstance(method, Unary), not named[path].server_streaming)
            reports = "report" in types[1].fields_by_name
            self.assertEqual(isinstance(method, Search), reports and named[path].server_streaming)

    def test_a_request_is_made_of_dicts_messages_and_durations(self):
        plan = v1.PatrolPlan(routes=[v1.PatrolRoute(guard_id="ann")])
        request = methods.GeneratePatrol.parse(
            {
                "problem": {"vertices": ({"id": "a"},)},
                "options": {"timeBudget": timedelta(milliseconds=16), "max_iterations": 5},
                "previous_plan": plan,
            }
        )
        self.assertEqual(request.problem.vertices[0].id, "a")
        self.assertEqual(request.options.time_budget.ToMilliseconds(), 16)
        self.assertEqual(request.options.max_iterations, 5)
        self.assertEqual(request.previous_plan, plan)
        self.assertIs(methods.GeneratePatrol.parse(request), request)

    def test_a_request_that_is_none_is_refused_with_the_field(self):
        for wrong in ({"problems": {}}, {"problem": {"tasks": [{"id": 7}]}}, {"problem": 7}):
            with self.assertRaisesRegex(ValueError, "no AllocateTasksRequest: .*(problem|id)"):
                methods.AllocateTasks.parse(wrong)

    def test_each_method_that_searches_can_be_a_job(self):
        for field in v1.JobRequest.DESCRIPTOR.fields:
            request = getattr(v1, field.message_type.name)()
            made = _jobs.creation(methods.AllocateTasks, request, {"deadline": 0.5, "keep": 2})
            self.assertEqual(made.request.WhichOneof("method"), field.name)
            self.assertEqual(made.deadline_duration.ToMilliseconds(), 500)
            self.assertEqual(made.keep_duration.ToSeconds(), 2)
        other = _jobs.creation(methods.AllocateTasks, request, {})
        self.assertNotEqual(other.request_id, made.request_id)
        with self.assertRaises(ValueError):
            _jobs.creation(methods.GetJob, v1.GetJobRequest(), {})

    def test_calls_of_both_clients_have_the_same_parameters(self):
        def calls(kind):
            public = {name: one for name, one in vars(kind).items() if not name.startswith("_")}
            found = {name: inspect.signature(one).parameters for name, one in public.items()}
            return {name: [str(one) for one in them.values()] for name, them in found.items()}

        self.assertEqual(calls(Client), calls(AsyncClient))
        self.assertEqual(calls(Jobs), calls(AsyncJobs))
        both = (inspect.signature(one).parameters for one in (Client, AsyncClient))
        self.assertEqual(*map(list, both))


class Errors(unittest.TestCase):
    def test_an_error_has_all_details(self):
        bad = error_details_pb2.BadRequest()
        bad.field_violations.add(field="problem", reason="REQUIRED", description="is required")
        parts = {"mistake_count": "1"}
        info = error_details_pb2.ErrorInfo(reason="INVALID_REQUEST", metadata=parts)
        delay = error_details_pb2.RetryInfo()
        delay.retry_delay.FromMilliseconds(250)
        error = CallError.of(Failed(grpc.StatusCode.INVALID_ARGUMENT, bad, info, delay))
        self.assertEqual(error.code, grpc.StatusCode.INVALID_ARGUMENT)
        self.assertEqual(error.mistakes, [Mistake("problem", "REQUIRED", "is required")])
        self.assertEqual((error.reason, error.metadata), ("INVALID_REQUEST", parts))
        self.assertEqual((error.retry_delay, error.request_id), (0.25, "7"))
        self.assertEqual(str(error), "INVALID_REQUEST: no\n  problem: is required (REQUIRED)")

    def test_calls_are_repeated_only_where_a_server_is_lost_and_time_is_left(self):
        lost = CallError.of(Failed(grpc.StatusCode.UNAVAILABLE))
        panicked = CallError(grpc.StatusCode.INTERNAL, "", "SEARCH_PANICKED")
        late = CallError(grpc.StatusCode.UNAVAILABLE, "", "QUEUE_FULL", retry_delay=5)
        self.assertGreater(Patience(10).pause(lost), 0)
        self.assertGreater(Patience(None).pause(None), 0)
        self.assertEqual(Patience(10).pause(late), 5)
        self.assertIsNone(Patience(3).pause(late))
        self.assertIsNone(Patience(0).pause(lost))
        for code in ("INVALID_ARGUMENT", "UNAUTHENTICATED", "RESOURCE_EXHAUSTED"):
            self.assertIsNone(Patience(10).pause(CallError(grpc.StatusCode[code], "")))
        self.assertIsNone(Patience(10).pause(panicked))
        # Watching without a limit makes calls that have one.
        passed = CallError(grpc.StatusCode.DEADLINE_EXCEEDED, "", "DEADLINE_PASSED")
        self.assertGreater(Patience(None).pause(passed), 0)
        self.assertIsNone(Patience(0).pause(passed))


class Plans(unittest.TestCase):
    def taken(self, best, *steps):
        taken = [one for given in steps for one in best.take(given)]
        return [(list(one.event.objective.levels), one.HasField("report")) for one in taken]

    def test_only_better_plans_and_the_report_are_handed_on(self):
        best = Best()
        given = [step(0, 9), step(0, 9), step(0, 9, heartbeat=True), step(1, 2), step(0, 8)]
        found = self.taken(best, *given, step(0, 8, report=v1.STOP_REASON_DEADLINE))
        self.assertEqual(found, [([0, 9], False), ([0, 8], False), ([0, 8], True)])
        self.assertTrue(best.ended)

    def test_the_report_of_a_server_that_drains_is_kept_back(self):
        best = Best()
        drained = step(3, report=v1.STOP_REASON_DRAINING)
        self.assertEqual(self.taken(best, step(5), drained), [([5], False), ([3], False)])
        self.assertFalse(best.ended)
        (last,) = best.close(CallError(grpc.StatusCode.UNAVAILABLE, ""))
        self.assertEqual(last.report.stop_reason, v1.STOP_REASON_DRAINING)
        self.assertEqual(last.plan.routes[0].agent_id, "(3,)")

    def test_the_last_plan_is_the_best_of_all_servers(self):
        for worse in ([4], []):
            best = Best()
            best.take(step(3))
            (last,) = best.take(step(*worse, report=v1.STOP_REASON_DEADLINE))
            self.assertEqual(last.plan.routes[0].agent_id, "(3,)")
            self.assertEqual(last.report.stop_reason, v1.STOP_REASON_DEADLINE)
            self.assertEqual(last.report.objective.levels, [3])
            self.assertFalse(last.report.HasField("gap"))

    def test_a_plan_without_an_objective_is_a_plan(self):
        best, made = Best(), v1.AllocateTasksResponse()
        made.plan.routes.add(agent_id="ann")
        self.assertEqual(self.taken(best, made), [([], False)])
        self.assertEqual(best.close(CallError(grpc.StatusCode.UNAVAILABLE, "")), [])

    def test_a_request_for_a_job_can_be_repeated(self):
        given = v1.CreateJobRequest()
        made = _jobs.repeatable(given)
        self.assertTrue(made.request_id)
        self.assertFalse(given.request_id)
        self.assertIs(_jobs.repeatable(made), made)

    def test_a_search_without_a_plan_ends_with_its_report_or_error(self):
        best, error = Best(), CallError(grpc.StatusCode.UNAVAILABLE, "")
        self.assertEqual(self.taken(best, step(report=v1.STOP_REASON_DRAINING)), [])
        self.assertEqual(len(best.close(None)), 1)
        with self.assertRaises(CallError):
            Best().close(error)
        found = self.taken(Best(), step(report=v1.STOP_REASON_PROVED))
        self.assertEqual(found, [([], True)])


class Connections(unittest.TestCase):
    def test_the_service_config_is_the_one_that_is_deployed(self):
        deployed = json.loads((ROOT / "deploy/service-config.json").read_text())
        shipped = resources.files("stratagem").joinpath("service-config.json").read_text()
        self.assertEqual(json.loads(shipped), deployed)
        config = lambda round_robin: json.loads(
            dict(_connection.options("a:1", round_robin, {}))["grpc.service_config"]
        )
        self.assertEqual(config(False), deployed)
        self.assertEqual(config(True)["loadBalancingConfig"], [{"round_robin": {}}])

    def test_options_of_the_caller_come_before_those_of_the_package(self):
        chosen = dict(_connection.options("a:1", False, {"grpc.keepalive_time_ms": 7}))
        self.assertEqual(chosen["grpc.keepalive_time_ms"], 7)
        self.assertNotIn("grpc.default_authority", chosen)
        self.assertIn("grpc.default_authority", dict(_connection.options("a,b", False, {})))

    def test_a_file_that_is_not_there_is_an_error(self):
        with self.assertRaises(OSError):
            Client("127.0.0.1:1", tls=Tls(ca=os.devnull + "/no"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
