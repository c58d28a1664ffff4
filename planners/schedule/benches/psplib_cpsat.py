"""The files of the bench `psplib` with OR-Tools CP-SAT, one worker, next to ours, in turn.

    pip install ortools
    cargo bench -p stratagem-schedule --bench psplib --no-run    # names the program
    STRATAGEM_PSPLIB=FOLDER python psplib_cpsat.py PROGRAM

`STRATAGEM_PSPLIB_SECONDS` is what each may take, 10 by default. Prints a table in Markdown: processor time first, since a
busy machine makes long solves wait more than short ones. Making CP-SAT's model is not counted.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from ortools.sat.python import cp_model


def numbers(line):
    """All words of a line as numbers, none when one is not."""
    try:
        return [int(word) for word in line.split()]
    except ValueError:
        return []


def part(lines, title):
    """The lines of numbers that follow a title."""
    begin = next(i for i, line in enumerate(lines) if line.startswith(title)) + 1
    while not numbers(lines[begin]):
        begin += 1
    end = begin
    while end < len(lines) and numbers(lines[end]):
        end += 1
    return [numbers(line) for line in lines[begin:end]]


def model_of(path):
    """The usual model: an interval for each job, a cumulative for each resource."""
    lines = path.read_text().splitlines()
    jobs = part(lines, "REQUESTS/DURATIONS")
    horizon = sum(job[2] for job in jobs)
    model = cp_model.CpModel()
    starts = [model.new_int_var(0, horizon, "") for _ in jobs]
    spans = [
        model.new_fixed_size_interval_var(start, job[2], "")
        for start, job in zip(starts, jobs)
    ]
    for job, _, _, *followers in part(lines, "PRECEDENCE RELATIONS"):
        for follower in followers:
            model.add(starts[follower - 1] >= starts[job - 1] + jobs[job - 1][2])
    for resource, capacity in enumerate(part(lines, "RESOURCEAVAILABILITIES")[0]):
        held = [(span, job[3 + resource]) for span, job in zip(spans, jobs)]
        held = [(span, amount) for span, amount in held if amount]
        model.add_cumulative([span for span, _ in held], [a for _, a in held], capacity)
    makespan = model.new_int_var(0, horizon, "")
    for start, job in zip(starts, jobs):
        model.add(makespan >= start + job[2])
    model.minimize(makespan)
    return model


def theirs(path, seconds):
    """Makespan, bound, wall and processor time in milliseconds."""
    model = model_of(path)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    wall, processor = time.perf_counter(), time.process_time()
    status = solver.solve(model)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    known = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    makespan = round(solver.objective_value) if known else None
    bound = round(solver.best_objective_bound)
    return makespan, bound, wall * 1e3, processor * 1e3


def ours(program, name):
    """The same of our program."""
    output = subprocess.run([program, f"={name}"], capture_output=True, text=True, check=True)
    row = next(line for line in output.stdout.splitlines() if line.startswith(f"| {name} |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    makespan = None if cells[1] == "-" else int(cells[1])
    return makespan, int(cells[2]), float(cells[4]), float(cells[5])


def totals(title, rows, published):
    """How many were proved, and how long it took."""
    proved = sum(makespan == bound for makespan, bound, _, _ in rows.values())
    wrong = 0
    for name, (makespan, bound, _, _) in rows.items():
        least, best = published[name]
        wrong += bound > best or (makespan is not None and makespan < least)
    total = sum(makespan for makespan, _, _, _ in rows.values() if makespan is not None)
    line = f"{title}: {proved} of {len(rows)} proved, {wrong} wrong, makespans {total} in all"
    for what, at in (("CPU", 3), ("wall", 2)):
        times = [row[at] for row in rows.values()]
        median, longest = statistics.median(times), max(times)
        line += f"; {what} median {median:.2f} ms, max {longest:.1f} ms, sum {sum(times):.0f} ms"
    print(line)


def published_of(folder):
    """For each file the best bound and the best makespan that are published."""
    optima = folder / "optima.json"
    if optima.exists():
        return {name: (value, value) for name, value in json.loads(optima.read_text()).items()}
    bounds = json.loads((folder / "bounds.json").read_text())
    return {name: (row["lower_bound"], row["best_known"]) for name, row in bounds.items()}


def main():
    folder = pathlib.Path(os.environ["STRATAGEM_PSPLIB"])
    seconds = float(os.environ.get("STRATAGEM_PSPLIB_SECONDS", "10"))
    program = sys.argv[1]
    published = published_of(folder)
    names = sorted((path.stem for path in folder.glob("*.sm")), key=lambda n: (len(n), n))
    print("| file | published | ours | CP-SAT | ours, CPU ms | CP-SAT, CPU ms | ratio |")
    print("|---|---|---|---|---|---|---|")
    us, them = {}, {}
    for name in names:
        us[name] = ours(program, name)
        them[name] = theirs(folder / f"{name}.sm", seconds)
        shown = [m if m == b else f"{m} ({b})" for m, b, _, _ in (us[name], them[name])]
        cpu = us[name][3], them[name][3]
        ratio = cpu[1] / cpu[0] if cpu[0] else float("inf")
        print(
            f"| {name} | {published[name][1]} | {shown[0]} | {shown[1]} "
            f"| {cpu[0]:.2f} | {cpu[1]:.2f} | {ratio:.0f} |",
            flush=True,
        )
    print()
    totals("ours", us, published)
    totals("CP-SAT, one worker", them, published)
    ratios = [them[name][3] / us[name][3] for name in names if us[name][3]]
    print(f"CP-SAT's CPU time is {statistics.median(ratios):.1f} times ours at the median")


if __name__ == "__main__":
    main()
