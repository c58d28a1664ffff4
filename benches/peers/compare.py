"""Allocation and its peers: the same problems, the same processor time, the same run.

    cargo bench -p stratagem-allocation --bench solomon --no-run    # prints the path of OURS
    python3 benches/peers/compare.py OURS --solomon FOLDER --seconds 1,10 --seeds 1

FOLDER holds Solomon's files and best_known.csv, as for the bench itself. Without it problems in the
manner of his class R1 are made here, and gaps are to the best plan of the run. Peers come from PyPI
into environments of their own under --envs, which are kept for the next run; remove that folder
when done. Everybody gets one thread. Plans of peers are checked here, ours by our verifier.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).parent
PEERS = {
    "PyVRP 0.11.3": ("pyvrp", ["pyvrp==0.11.3"]),
    "PyVRP 0.14.1": ("pyvrp", ["pyvrp==0.14.1"]),
    "OR-Tools 9.15.6755": ("ortools", ["ortools==9.15.6755"]),
    "VROOM (pyvroom 1.15.2)": ("vroom", ["pyvroom==1.15.2"]),
}
OURS = "Stratagem"
FIELDS = ["x", "y", "demand", "ready", "due", "service"]
MADE = 4
COLUMNS = ["instance", "vehicles_exact", "distance_1dec_truncated"]


def environment(folder, packages):
    """The interpreter of an environment with these packages."""
    path = folder / packages[0].replace("==", "-")
    python = path / "bin" / "python"
    if not (path / "ready").exists():
        venv.create(path, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        (path / "ready").touch()
    return python


def read(path):
    """Capacity and nodes of a file of Solomon's."""
    capacity, nodes = 0, []
    for line in path.read_text().splitlines():
        words = line.split()
        if words and all(re.fullmatch(r"\d+", word) for word in words):
            numbers = [int(word) for word in words]
            if len(numbers) == 7:
                nodes.append(dict(zip(FIELDS, numbers[1:])))
            elif len(numbers) == 2:
                capacity = numbers[1]
    return capacity, nodes


def make(folder, tasks, vehicles):
    """Writes problems, and a table that knows no distances."""
    # Of all that the vehicles can carry two fifths are wanted.
    capacity = round(50 * tasks / vehicles)
    rows = []
    for seed in range(1, MADE + 1):
        luck = random.Random(seed)
        lines = [f"MADE{seed}", "VEHICLE", "NUMBER CAPACITY", f"{vehicles} {capacity}", "CUSTOMER"]
        lines.append("0 50 50 0 0 1000 0")
        for number in range(1, tasks + 1):
            x, y = luck.randint(0, 100), luck.randint(0, 100)
            way = math.ceil(math.hypot(x - 50, y - 50))
            middle, half = luck.randint(way, 990 - way), luck.randint(20, 60)
            ready, due = max(0, middle - half), min(990 - way, max(way, middle + half))
            lines.append(f"{number} {x} {y} {luck.randint(1, 40)} {ready} {due} 10")
        (folder / f"MADE{seed}.txt").write_text("\n".join(lines) + "\n")
        rows.append({"instance": f"MADE{seed}", "vehicles_exact": vehicles, COLUMNS[2]: None})
    return rows


def distance(problem, routes):
    """Total distance in tenths; None where a rule is broken or a task is missing."""
    nodes, total = problem["nodes"], 0
    if sorted(sum(routes, [])) != list(range(1, len(nodes))):
        return None
    if len(routes) > problem["vehicles"]:
        return None
    for route in routes:
        if sum(nodes[n]["demand"] for n in route) > problem["capacity"]:
            return None
        here, now = 0, 10 * nodes[0]["ready"]
        for there in [*route, 0]:
            a, b = nodes[here], nodes[there]
            way = math.isqrt(100 * ((a["x"] - b["x"]) ** 2 + (a["y"] - b["y"]) ** 2))
            now = max(now + 10 * a["service"] * (here != 0) + way, 10 * b["ready"])
            if now > 10 * b["due"]:
                return None
            total, here = total + way, there
    return total


def peer(python, problem):
    """Distance and processor seconds of a peer."""
    run = subprocess.run(
        [python, HERE / "solve_peer.py"], input=json.dumps(problem), capture_output=True, text=True
    )
    if run.returncode != 0:
        sys.exit(run.stderr)
    # Some say things of their own first.
    answer = json.loads(run.stdout[run.stdout.index('{"routes"') :])
    return distance(problem, answer["routes"]), answer["cpu_s"]


def ours(program, folder, name, reference, seconds, seeds):
    """Our distances in tenths, one a seed; the bench tells gaps in hundredths of a percent."""
    row = [name, reference["vehicles_exact"], reference[COLUMNS[2]]]
    with tempfile.TemporaryDirectory() as only:
        pathlib.Path(only, f"{name}.txt").write_text((folder / f"{name}.txt").read_text())
        table = "\n".join([",".join(COLUMNS), ",".join(map(str, row))])
        pathlib.Path(only, "best_known.csv").write_text(table)
        settings = {
            "STRATAGEM_PARTS": "solomon",
            "STRATAGEM_SOLOMON": only,
            "STRATAGEM_SECONDS": str(seconds),
            "STRATAGEM_THREADS": "1",
            "STRATAGEM_SEEDS": str(seeds),
        }
        env = {**os.environ, **settings}
        text = subprocess.run([program], env=env, capture_output=True, text=True, check=True).stdout
    line = next(line for line in text.splitlines() if line.startswith(f"| {name} "))
    cells = line.split("|")[3].split(", ")
    number = [re.match(r" *(-?\d+\.\d+) ", cell) for cell in cells]
    known = 10 * float(row[2])
    return [known * (1 + float(n[1]) / 100) if n else None for n in number]


def told(gap):
    return "x" if gap is None else f"{gap:.2f}"


def table(results, names, seconds):
    """results: by competitor and problem a list of gaps, None where no plan is complete."""
    print(f"\n### {seconds} s of processor time, one thread; gaps in %, x: no complete plan\n")
    print("| problem | " + " | ".join(results) + " |")
    print("|---" * (1 + len(results)) + "|")
    for name in names:
        cells = [", ".join(told(gap) for gap in results[one][name]) for one in results]
        print(f"| {name} | " + " | ".join(cells) + " |")
    for label, sum_up in [("mean of the complete", lambda g: sum(g) / len(g)), ("worst", max)]:
        cells = []
        for one in results:
            gaps = [gap for name in names for gap in results[one][name] if gap is not None]
            cells.append(f"{sum_up(gaps):.3f}" if gaps else "x")
        print(f"| {label} | " + " | ".join(cells) + " |")
    cells = [sum(gap is None for name in names for gap in results[one][name]) for one in results]
    print("| without a complete plan | " + " | ".join(map(str, cells)) + " |", flush=True)


def compare(options, folder, rows, seconds):
    results = {OURS: {}, **{name: {} for name in options.peers}}
    used = {name: 0.0 for name in options.peers}
    for row in rows:
        name = row["instance"]
        capacity, nodes = read(folder / f"{name}.txt")
        problem = {"capacity": capacity, "nodes": nodes, "vehicles": int(row["vehicles_exact"])}
        found = {}
        for one, python in options.peers.items():
            found[one] = []
            for seed in range(1, options.seeds + 1):
                asked = {"peer": PEERS[one][0], "seconds": seconds, "seed": seed}
                length, cpu_s = peer(python, {**problem, **asked})
                used[one] = max(used[one], cpu_s)
                found[one].append(length)
        lengths = [length for one in found.values() for length in one if length is not None]
        known = row[COLUMNS[2]] and 10 * float(row[COLUMNS[2]])
        reference = {**row, COLUMNS[2]: (known or min(lengths, default=10_000)) / 10}
        found[OURS] = ours(options.program, folder, name, reference, seconds, options.seeds)
        lengths += [length for length in found[OURS] if length is not None]
        known = known or min(lengths)
        for one, all_found in found.items():
            gaps = [length and 100 * (length / known - 1) for length in all_found]
            results[one][name] = gaps
        # Tables come at the end, maybe after hours: whoever waits, or stops it before, has this.
        cells = (f"{one} {', '.join(map(told, results[one][name]))}" for one in results)
        print(f"{seconds:g} s, {name}: " + "; ".join(cells), file=sys.stderr, flush=True)
    table(results, [row["instance"] for row in rows], seconds)
    print("Most processor seconds: " + ", ".join(f"{n} {s:.1f}" for n, s in used.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program", help="the bench program `solomon` of crate `allocation`")
    parser.add_argument("--solomon", type=pathlib.Path, help="folder of Solomon's files")
    parser.add_argument("--seconds", default="1,10")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--tasks", type=int, default=100, help="of each problem that is made")
    parser.add_argument("--vehicles", type=int, default=25, help="of each problem that is made")
    parser.add_argument("--instances", default="", help="beginnings of names, as in C1,R101")
    parser.add_argument("--peers", default=",".join(PEERS), help="beginnings of names")
    envs = pathlib.Path(tempfile.gettempdir(), "stratagem-peers")
    parser.add_argument("--envs", type=pathlib.Path, default=envs)
    options = parser.parse_args()
    wanted = tuple(options.peers.split(","))
    names = [name for name in PEERS if name.startswith(wanted)]
    options.peers = {name: environment(options.envs, PEERS[name][1]) for name in names}
    with tempfile.TemporaryDirectory() as made:
        folder = options.solomon or pathlib.Path(made)
        if options.solomon:
            rows = list(csv.DictReader((folder / "best_known.csv").open()))
        else:
            rows = make(folder, options.tasks, options.vehicles)
        begins = tuple(options.instances.split(","))
        rows = [r for r in rows if (folder / f"{r['instance']}.txt").exists()]
        rows = [r for r in rows if r["instance"].startswith(begins)]
        for seconds in options.seconds.split(","):
            compare(options, folder, rows, float(seconds))


if __name__ == "__main__":
    main()
