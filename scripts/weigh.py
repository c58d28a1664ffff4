"""Seconds of compiling by package, for the progress of ./demo.

cargo build --profile fast-build --timings --bins -p stratagem-server -p stratagem-cli    # from nothing, on idle cores
python3 scripts/weigh.py REPORT.html >scripts/compile-seconds.txt
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

# Packages whose units take less, in seconds, share a line.
LEAST = 0.5


def main():
    report = Path(sys.argv[1]).read_text()
    units = json.loads(re.search(r"UNIT_DATA = (\[.*?\]);\n", report, re.S).group(1))
    packages = defaultdict(list)
    for unit in units:
        # What a build script takes is that of its package; only what is compiled is an artifact.
        seconds = packages[unit["name"]]
        if "(run)" in unit["target"]:
            seconds[-1:] = [unit["duration"] + sum(seconds[-1:])]
        else:
            seconds.append(unit["duration"])
    rest = []
    print("# package artifacts seconds-of-each; made by scripts/weigh.py")
    for name, seconds in sorted(packages.items()):
        mean = sum(seconds) / len(seconds)
        if mean < LEAST:
            rest += seconds
        else:
            print(name, len(seconds), f"{mean:.1f}")
    print("*", len(rest), f"{sum(rest) / len(rest):.1f}")


if __name__ == "__main__":
    main()
