"""A client that knows nothing but an address: it learns every message and method by reflection.

Usage: foreign_client.py HOST:PORT
Prints "ok STEP" for each step that went as it should; ends with a traceback at the first that
did not.
"""

import sys

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from grpc_status import rpc_status

PATIENCE_S = 30
PLANNERS = ("Allocation", "Temporal", "Narrative", "Patrol", "Puzzle")


class Service:
    """The methods of a service, made from what the server says about itself."""

    def __init__(self, channel, pool, name):
        self._descriptor = pool.FindServiceByName(name)
        self._channel = channel

    def request(self, method, value):
        """A request message, from its JSON form."""
        kind = self._descriptor.FindMethodByName(method).input_type
        return json_format.ParseDict(value, message_factory.GetMessageClass(kind)())

    def call(self, method, value, timeout=PATIENCE_S, **options):
        """Calls a unary method, or returns the iterator of a streaming one."""
        descriptor = self._descriptor.FindMethodByName(method)
        answer = message_factory.GetMessageClass(descriptor.output_type)
        streams = descriptor.server_streaming
        make = self._channel.unary_stream if streams else self._channel.unary_unary
        stub = make(
            f"/{self._descriptor.full_name}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )
        return stub(self.request(method, value), timeout=timeout, **options)


def problem(tasks):
    """Two agents and a number of tasks on a grid."""
    places = [{"point": {"x": i * 7 % 10, "y": i * 3 % 10}} for i in range(tasks)]
    return {
        "agents": [{"id": name, "start": {"point": {}}} for name in ("ann", "bob")],
        "tasks": [
            {"id": f"t{i}", "place": place, "service_duration": "1s"}
            for i, place in enumerate(places)
        ],
    }


def levels(objective):
    return list(objective.levels)


def check_health(channel):
    stub = health_pb2_grpc.HealthStub(channel)
    planners = [f"stratagem.v1.{name}Service" for name in PLANNERS]
    for service in ["", *planners]:
        answer = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE_S)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING, (service, answer)


def check_unary(allocation):
    request = {"problem": problem(6), "options": {"max_iterations": "2000"}}
    for compression in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        answer = allocation.call("AllocateTasks", request, compression=compression)
        assert levels(answer.report.objective)[0] == 0.0, answer.report
        done = [stop.task_id for route in answer.plan.routes for stop in route.stops]
        assert sorted(done) == [f"t{i}" for i in range(6)], done
    return answer


def check_stream(allocation):
    options = {"max_iterations": "300", "time_budget": "20s"}
    request = {"problem": problem(30), "options": options}
    steps = list(allocation.call("StreamAllocateTasks", request))
    offers = [levels(step.event.objective) for step in steps[:-1] if step.HasField("plan")]
    assert all(worse > better for worse, better in zip(offers, offers[1:])), offers
    assert [step.HasField("report") for step in steps] == [False] * (len(steps) - 1) + [True]
    assert not offers or levels(steps[-1].report.objective) <= offers[-1]


def check_verify(planning, answer):
    plan = json_format.MessageToDict(answer.plan)
    request = {"problem": {"allocation": problem(6)}, "plan": {"allocation": plan}}
    verdict = planning.call("VerifyPlan", request)
    assert verdict.valid and not verdict.partial, verdict
    assert levels(verdict.objective) == levels(answer.report.objective)


def failure(call):
    try:
        call()
    except grpc.RpcError as error:
        return error
    raise AssertionError("the call should have failed")


def check_mistakes(allocation):
    wrong = problem(3)
    wrong["tasks"][1]["id"] = "t0"
    wrong["tasks"][2]["place"]["point"]["x"] = "NaN"
    error = failure(lambda: allocation.call("AllocateTasks", {"problem": wrong}))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
    found = []
    for detail in rpc_status.from_call(error).details:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            found += [violation.field for violation in bad.field_violations]
    assert found == ["problem.tasks[2].place.point.x", "problem.tasks[1].id"], found


def check_deadline(allocation):
    # The server answers with its best before the client's own timer goes off.
    request = {"problem": problem(30), "options": {"time_budget": "60s"}}
    answer = allocation.call("AllocateTasks", request, timeout=5.0)
    assert answer.HasField("plan")


def check_cancel(allocation):
    request = {"problem": problem(30), "options": {"time_budget": "60s"}}
    stream = allocation.call("StreamAllocateTasks", request)
    assert next(stream).HasField("plan")
    stream.cancel()
    assert failure(lambda: list(stream)).code() == grpc.StatusCode.CANCELLED


def network():
    """A teammate follows us within 2 to 5 s; we close the door 3 to 9 s after that."""
    kinds = {"we": "CONTROLLABLE", "they": "UNCONTROLLABLE"}
    events = {"leave": "we", "follow": "they", "close": "we"}
    links = [
        ("leave", "follow", "2s", "5s"),
        ("follow", "close", "3s", "9s"),
        ("origin", "leave", "0s", "1s"),
    ]
    return {
        "agents": [{"id": i, "kind": f"TEMPORAL_AGENT_KIND_{kind}"} for i, kind in kinds.items()],
        "events": [{"id": i, "agent_id": agent} for i, agent in events.items()],
        "links": [
            {"from_event_id": begin, "to_event_id": end, "lower": lower, "upper": upper}
            for begin, end, lower, upper in links
        ],
        "horizon_offset": "60s",
    }


def check_temporal(temporal, planning):
    answer = temporal.call("CheckStrongControllability", {"problem": network()})
    names = answer.DESCRIPTOR.fields_by_name["verdict"].enum_type.values_by_name
    holds, fails = (names[f"TEMPORAL_VERDICT_{n}"].number for n in ("HOLDS", "FAILS"))
    assert answer.verdict == holds, answer
    times = {e.event_id: e.time_offset.seconds for e in answer.plan.events}
    assert times == {"leave": 0, "close": 8}, times
    plan = {"temporal": json_format.MessageToDict(answer.plan)}
    verdict = planning.call("VerifyPlan", {"problem": {"temporal": network()}, "plan": plan})
    assert verdict.valid, verdict
    hasty = network()
    hasty["links"][1]["upper"] = "4s"
    answer = temporal.call("CheckControllability", {"problem": hasty})
    assert [finding.verdict for finding in answer.findings] == [holds, fails], answer
    assert answer.findings[1].conflict.members, answer


def quest(chooser):
    """After a search of 10 to 60 s home within 60 to 80, by a long way or by a short one."""
    links = [
        ("origin", "home", "60s", "80s"),
        ("found", "ride", "0s", "1s"),
        ("ride", "home", "48s", "60s"),
        ("found", "walk", "0s", "1s"),
        ("walk", "home", "10s", "40s"),
    ]
    search = {"id": "search", "from_event_id": "origin", "to_event_id": "found"}
    options = [{"id": way, "event_ids": [way]} for way in ("ride", "walk")]
    return {
        "events": [{"id": i} for i in ("found", "ride", "walk", "home")],
        "links": [
            {"from_event_id": begin, "to_event_id": end, "lower": lower, "upper": upper}
            for begin, end, lower, upper in links
        ],
        "contingent_links": [search | {"lower": "10s", "upper": "60s"}],
        "choices": [
            {"id": "way", "chooser": f"NARRATIVE_CHOOSER_{chooser}", "options": options}
        ],
    }


def check_narrative(narrative, planning):
    answer = narrative.call("ScheduleNarrative", {"problem": quest("SYSTEM")})
    ways = {pick.option_id for policy in answer.plan.policies for pick in policy.picks}
    assert ways == {"ride", "walk"}, answer
    plan = {"narrative": json_format.MessageToDict(answer.plan)}
    request = {"problem": {"narrative": quest("SYSTEM")}, "plan": plan}
    verdict = planning.call("VerifyPlan", request)
    assert verdict.valid, verdict
    steps = list(narrative.call("StreamScheduleNarrative", {"problem": quest("PLAYER")}))
    last = steps[-1]
    assert last.conflict.members and not last.HasField("plan"), last
    picks = [change.system_choice_id for r in last.relaxations for change in r.changes]
    assert "way" in picks, last.relaxations


def fence(posts):
    """Posts in a ring, two guards at the first, and a thief who needs two seconds."""
    ids = [f"p{i}" for i in range(posts)]
    return {
        "vertices": [{"id": one} for one in ids],
        "edges": [
            {"from_vertex_id": ids[i - 1], "to_vertex_id": ids[i]} for i in range(posts)
        ],
        "guards": [{"id": name, "start_vertex_id": "p0"} for name in ("ann", "bob")],
        "intruder": {"motion": "PATROL_MOTION_STATIONARY", "penetration_duration": "2s"},
    }


def check_patrol(patrol, planning):
    answer = patrol.call("GeneratePatrol", {"problem": fence(6)})
    assert answer.evaluation.capture_probability == 1, answer
    plan = json_format.MessageToDict(answer.plan)
    request = {"problem": {"patrol": fence(6)}, "plan": {"patrol": plan}}
    assert planning.call("VerifyPlan", request).valid
    judged = patrol.call("EvaluatePatrol", {"problem": fence(6), "plan": plan})
    assert judged.evaluation == answer.evaluation, judged
    last = list(patrol.call("StreamGeneratePatrol", {"problem": fence(6)}))[-1]
    assert levels(last.report.objective) == [0], last


def played(rows, lurd):
    """Whether steps solve a board; an error when one of them cannot be made."""
    cells = {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row)}
    goals = {at for at, cell in cells.items() if cell in ".*+"}
    boxes = {at for at, cell in cells.items() if cell in "$*"}
    walls = {at for at, cell in cells.items() if cell == "#"}
    (row, column) = next(at for at, cell in cells.items() if cell in "@+")
    for letter in lurd:
        down, right = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}[letter.lower()]
        row, column = row + down, column + right
        assert (row, column) not in walls, letter
        assert ((row, column) in boxes) == letter.isupper(), letter
        if letter.isupper():
            boxes.remove((row, column))
            beyond = (row + down, column + right)
            assert beyond not in boxes | walls, letter
            boxes.add(beyond)
    return boxes == goals


def check_puzzle(puzzle, planning):
    problem = {"width": 7, "height": 7, "min_boxes": 2, "max_boxes": 2}
    request = {"problem": problem, "options": {"max_iterations": 1000, "seed": 7}}
    answer = puzzle.call("GeneratePuzzle", request)
    level = answer.plan.levels[0]
    assert played(level.rows, level.solution), level
    plan = json_format.MessageToDict(answer.plan)
    request = {"problem": {"puzzle": problem}, "plan": {"puzzle": plan}}
    assert planning.call("VerifyPlan", request).valid
    request = {"problem": problem, "options": {"max_iterations": 1000, "seed": 7}}
    last = list(puzzle.call("StreamGeneratePuzzle", request))[-1]
    assert last.plan == answer.plan, last
    board = {"problem": {"rows": list(level.rows)}}
    solved = puzzle.call("SolvePuzzle", board)
    assert played(level.rows, solved.plan.lurd), solved
    # The level's own has fewest pushes, as its weights ask for.
    assert solved.plan.push_count == level.features.pushes, solved
    later = puzzle.call("SolvePuzzle", board | {"played_moves": solved.hint.lurd})
    assert later.plan.push_count == solved.plan.push_count - 1, later
    last = list(puzzle.call("StreamSolvePuzzle", board))[-1]
    assert last.plan.push_count == solved.plan.push_count, last
    easy = {"id": "easy", "rows": ["######", "#@$ .#", "######"]}
    hard = {"id": "hard", "rows": list(level.rows), "solution": level.solution}
    said = {"harder_id": "hard", "easier_id": "easy"}
    rated = puzzle.call("RatePuzzles", {"levels": [easy, hard], "comparisons": [said]})
    assert rated.levels[0].rating.mean < 25 < rated.levels[1].rating.mean, rated


def main(address):
    with grpc.insecure_channel(address) as channel:
        pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
        allocation = Service(channel, pool, "stratagem.v1.AllocationService")
        planning = Service(channel, pool, "stratagem.v1.PlanningService")
        temporal = Service(channel, pool, "stratagem.v1.TemporalService")
        narrative = Service(channel, pool, "stratagem.v1.NarrativeService")
        patrol = Service(channel, pool, "stratagem.v1.PatrolService")
        puzzle = Service(channel, pool, "stratagem.v1.PuzzleService")
        check_health(channel)
        print("ok health", flush=True)
        answer = check_unary(allocation)
        print("ok unary", flush=True)
        check_stream(allocation)
        print("ok stream", flush=True)
        check_verify(planning, answer)
        print("ok verify", flush=True)
        check_mistakes(allocation)
        print("ok mistakes", flush=True)
        check_deadline(allocation)
        print("ok deadline", flush=True)
        check_cancel(allocation)
        print("ok cancel", flush=True)
        check_temporal(temporal, planning)
        print("ok temporal", flush=True)
        check_narrative(narrative, planning)
        print("ok narrative", flush=True)
        check_patrol(patrol, planning)
        print("ok patrol", flush=True)
        check_puzzle(puzzle, planning)
        print("ok puzzle", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
