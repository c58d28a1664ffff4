"""What the programs are made of, as CycloneDX 1.6: python3 scripts/sbom.py > stratagem.cdx.json

Everything that is linked into stratagem-server and stratagem on this kind of machine, or runs when they are built, at the
versions of Cargo.lock, with licence, checksum and what needs what.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("stratagem-server", "stratagem-cli")


def cargo(*arguments):
    command = ["cargo", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def metadata():
    version = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    host = version.partition("host: ")[2].splitlines()[0]
    form = ("--locked", "--offline", "--format-version", "1", "--filter-platform", host)
    # As images and packages are built.
    return json.loads(cargo("metadata", *form, "--features", "stratagem-server/full"))


def needed(nodes, roots):
    """Ids of all packages that `roots` need to be built, and what each of them needs."""
    needs, waiting = {}, list(roots)
    while waiting:
        one = waiting.pop()
        if one not in needs:
            kept = [
                dep["pkg"]
                for dep in nodes[one]["deps"]
                # Normal and build dependencies, without those of tests.
                if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])
            ]
            needs[one] = sorted(set(kept))
            waiting += kept
    return needs


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version'].replace('+', '%2B')}"


def component(package, checksums, kind="library"):
    one = {
        "type": kind,
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
    }
    if package["description"]:
        one["description"] = " ".join(package["description"].split())
    if package["license"]:
        # Before SPDX had an "or", crates wrote a stroke.
        one["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        one["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return one


def highs(package):
    """The solver, in C++, whose sources the crate brings along, under its own version."""
    version = package["version"].partition("+")[0]
    return {
        "type": "library",
        "bom-ref": f"pkg:github/ERGO-Code/HiGHS@v{version}",
        "name": "HiGHS",
        "version": version,
        "purl": f"pkg:github/ERGO-Code/HiGHS@v{version}",
        "licenses": [{"license": {"id": "MIT"}}],
    }


def main():
    lock = (ROOT / "Cargo.lock").read_bytes()
    # Without a reader of TOML, which older Pythons do not have.
    locked = re.findall(
        r'^name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"$', lock.decode(), re.M
    )
    checksums = {(name, version): checksum for name, version, checksum in locked}
    data = metadata()
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    roots = [i for i, package in packages.items() if package["name"] in PROGRAMS]
    assert len(roots) == len(PROGRAMS), roots
    needs = needed(nodes, roots)
    links = {purl(packages[i]): [purl(packages[d]) for d in deps] for i, deps in needs.items()}
    parts = [component(packages[i], checksums) for i in needs if i not in roots]
    for i in list(needs):
        if packages[i]["name"] == "highs-sys":
            parts.append(highs(packages[i]))
            links[purl(packages[i])].append(parts[-1]["bom-ref"])
            links[parts[-1]["bom-ref"]] = []
    version = packages[roots[0]]["version"]
    links["stratagem"] = [purl(packages[i]) for i in roots]
    parts += [component(packages[i], checksums, "application") for i in roots]
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same for the same Cargo.lock.
        "serialNumber": serial_number(lock),
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "stratagem",
                "name": "stratagem",
                "version": version,
                "licenses": [{"expression": packages[roots[0]]["license"]}],
            }
        },
        "components": sorted(parts, key=lambda part: part["bom-ref"]),
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(on)} for ref, on in sorted(links.items())
        ],
    }
    json.dump(bom, sys.stdout, indent=1)
    print()


def serial_number(lock):
    digits = hashlib.sha256(lock).hexdigest()
    parts = (digits[:8], digits[8:12], "8" + digits[13:16], "8" + digits[17:20], digits[20:32])
    return f"urn:uuid:{'-'.join(parts)}"


if __name__ == "__main__":
    main()
