"""One peer, one problem: reads JSON from standard input, writes its routes as JSON.

Run by compare.py in an environment where the peer is installed. Times and distances are tenths,
rounded down, as in the exact literature; limits are processor time, where the peer lets us count it.
"""

import json
import math
import sys
import time


def matrix(nodes):
    """Distances in tenths, rounded down exactly."""
    return [
        [math.isqrt(100 * ((a["x"] - b["x"]) ** 2 + (a["y"] - b["y"]) ** 2)) for b in nodes]
        for a in nodes
    ]


class Processor:
    """Says stop when the process has been on a processor for so many seconds."""

    def __init__(self, seconds):
        self.end = time.process_time() + seconds

    def __call__(self, *_):
        return time.process_time() >= self.end


def pyvrp(problem, distances):
    """PyVRP, both generations. Since places are apart from who is there, clients are numbered from 0."""
    import numpy
    import pyvrp

    depot, *tasks = problem["nodes"]
    table = numpy.array(distances)
    is_new = hasattr(pyvrp, "Location")

    def place(number):
        node = problem["nodes"][number]
        return [number] if is_new else [node["x"], node["y"]]

    clients = [
        pyvrp.Client(
            *place(number),
            delivery=[task["demand"]],
            service_duration=10 * task["service"],
            tw_early=10 * task["ready"],
            tw_late=10 * task["due"],
        )
        for number, task in enumerate(tasks, start=1)
    ]
    fleet = pyvrp.VehicleType(
        problem["vehicles"],
        [problem["capacity"]],
        tw_early=10 * depot["ready"],
        tw_late=10 * depot["due"],
    )
    parts = {
        "clients": clients,
        "depots": [pyvrp.Depot(*place(0))],
        "vehicle_types": [fleet],
        "distance_matrices": [table],
        "duration_matrices": [table],
    }
    if is_new:
        parts["locations"] = [pyvrp.Location(n["x"], n["y"]) for n in problem["nodes"]]
    data = pyvrp.ProblemData(**parts)
    stop = Processor(problem["seconds"])
    result = pyvrp.solve(data, stop, seed=problem["seed"], display=False)
    routes = result.best.routes()
    if not is_new:
        return [list(route.visits()) for route in routes]
    steps = [[step for step in route if step.is_client()] for route in routes]
    return [[step.idx + 1 for step in route] for route in steps]


def ortools(problem, distances):
    """OR-Tools: cheapest insertion, then guided local search. Tasks may be left out, at a price above
    any tour: without that it returns nothing where vehicles are few."""
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    nodes, vehicles = problem["nodes"], problem["vehicles"]
    manager = pywrapcp.RoutingIndexManager(len(nodes), vehicles, 0)
    routing = pywrapcp.RoutingModel(manager)
    place = manager.IndexToNode
    routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(distances))
    demand = routing.RegisterUnaryTransitVector([node["demand"] for node in nodes])
    routing.AddDimension(demand, 0, problem["capacity"], True, "load")
    lasts = [[10 * a["service"] + way for way in row] for a, row in zip(nodes, distances)]
    horizon = 10 * nodes[0]["due"]
    routing.AddDimension(routing.RegisterTransitMatrix(lasts), horizon, horizon, False, "time")
    times = routing.GetDimensionOrDie("time")
    for node in range(1, len(nodes)):
        index = manager.NodeToIndex(node)
        times.CumulVar(index).SetRange(10 * nodes[node]["ready"], 10 * nodes[node]["due"])
        routing.AddDisjunction([index], 10_000_000)
    routing.AddSearchMonitor(routing.solver().CustomLimit(Processor(problem["seconds"])))
    settings = pywrapcp.DefaultRoutingSearchParameters()
    first, then = routing_enums_pb2.FirstSolutionStrategy, routing_enums_pb2.LocalSearchMetaheuristic
    settings.first_solution_strategy = first.PARALLEL_CHEAPEST_INSERTION
    settings.local_search_metaheuristic = then.GUIDED_LOCAL_SEARCH
    # A limit by the clock is required; the other one comes first.
    settings.time_limit.FromSeconds(60 + 20 * math.ceil(problem["seconds"]))
    solution = routing.SolveWithParameters(settings)
    routes = []
    for vehicle in range(vehicles if solution else 0):
        index, route = solution.Value(routing.NextVar(routing.Start(vehicle))), []
        while not routing.IsEnd(index):
            route.append(place(index))
            index = solution.Value(routing.NextVar(index))
        routes.append(route)
    return [route for route in routes if route]


def vroom(problem, distances):
    """VROOM at its highest level; it stops by itself."""
    import numpy
    import vroom

    depot, *tasks = problem["nodes"]
    instance = vroom.Input()
    table = numpy.array(distances, dtype=numpy.uint32)
    instance.set_durations_matrix(profile="car", matrix_input=table)
    instance.set_costs_matrix(profile="car", matrix_input=table)
    window = vroom.TimeWindow(10 * depot["ready"], 10 * depot["due"])
    for vehicle in range(problem["vehicles"]):
        instance.add_vehicle(
            vroom.Vehicle(
                vehicle, start=0, end=0, capacity=[problem["capacity"]], time_window=window
            )
        )
    for number, task in enumerate(tasks, start=1):
        instance.add_job(
            vroom.Job(
                number,
                location=number,
                delivery=[task["demand"]],
                default_service=10 * task["service"],
                time_windows=[vroom.TimeWindow(10 * task["ready"], 10 * task["due"])],
            )
        )
    solution = instance.solve(exploration_level=5, nb_threads=1)
    routes = {}
    for _, step in solution.routes.iterrows():
        if step["type"] == "job":
            routes.setdefault(step["vehicle_id"], []).append(int(step["id"]))
    return list(routes.values())


def main():
    problem = json.load(sys.stdin)
    distances = matrix(problem["nodes"])
    peer = {"pyvrp": pyvrp, "ortools": ortools, "vroom": vroom}[problem["peer"]]
    begin = time.process_time()
    routes = peer(problem, distances)
    json.dump({"routes": routes, "cpu_s": time.process_time() - begin}, sys.stdout)


if __name__ == "__main__":
    main()
