"""The Debian packages, installed in fresh roots: `packages.py PROGRAMS_FOLDER`.

The folder has both programs and, in examples/, those that write the manual: what cargo leaves there after
`cargo build --bins --examples -p stratagem-server -p stratagem-cli`.

Roots are made by mmdebstrap from the sources of this machine, and need the user root. One is retained as an archive in .tools/packages; tests unpack it. Everything
that runs in a root is in namespaces that end with the test, mounts included.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from stage import PATIENCE_S, ROOT, Process, eventually, fetch, run

PROGRAMS = None
# Both packages by name, made twice.
PACKAGES, AGAIN = {}, {}
# The folder of this run, which ends with it.
RUN = None
PLACE = ROOT / ".tools/packages"
# From its start to the first plan.
DEV_ANSWERS_WITHIN_S = 10
# In tenths, as systemd-analyze takes it.
EXPOSURE_MAX = 20
# Besides what apt needs: the manager of services, for its checks and to be started, and man.
INCLUDED = "systemd-sysv,man-db"
# Without waiting for the disk: what is installed here lasts for a test.
INSTALL = "apt-get install --yes --no-install-recommends -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io"
ENVIRONMENT = {
    "DEBIAN_FRONTEND": "noninteractive",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}
# Where Debian's own tools leave traces of any package that was there.
TRACES = (
    "etc/passwd-",
    "etc/group-",
    "etc/shadow-",
    "etc/gshadow-",
    "etc/subuid-",
    "etc/subgid-",
    "run/",
    "var/cache/",
    "var/lib/apt/",
    "var/lib/dpkg/",
    "var/log/",
    "srv/",
)
# The first process of a root: makes what a container has, and becomes the manager of services.
BOOT = """
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
# Never that of this machine: the manager makes and removes files there.
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do cp -a "/dev/$node" dev/; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
if [ "$2" = unified ]; then
  mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mount -t tmpfs tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
  mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
fi
pivot_root . mnt
umount -l /mnt
exec env -i container=test PATH="$PATH" /lib/systemd/systemd --log-target=console --show-status=0
"""


class Lacking(Exception):
    """Something of the machine that is not there."""


def make_packages(out):
    """Both packages, by name."""
    run([ROOT / "deploy/package", "--programs", PROGRAMS, "--out", out])
    return {path.name.partition("_")[0]: path for path in sorted(out.glob("*.deb"))}


def fields(package):
    """The control fields of a package."""
    lines = run(["dpkg-deb", "--field", package]).stdout.splitlines()
    pairs = (line.split(": ", 1) for line in lines if not line.startswith(" "))
    return dict(pairs)


def listing(package):
    """Paths in a package, each with its mode and owner."""
    listed = run(["dpkg-deb", "--contents", package]).stdout
    rows = (line.split(maxsplit=5) for line in listed.splitlines())
    return {row[5].removeprefix("."): (row[0], row[1]) for row in rows}


def host_sources():
    """The name of this release, and the sources of its distribution that this machine uses."""
    release = dict(
        line.split("=", 1)
        for line in Path("/etc/os-release").read_text().splitlines()
        if "=" in line
    )
    codename = release.get("VERSION_CODENAME", "").strip('"')
    distribution = release.get("ID", "").strip('"')
    if not codename or shutil.which("apt-get") is None:
        raise Lacking("this is no Debian or Ubuntu")
    targets = run(["apt-get", "indextargets", "Created-By: Packages"]).stdout.split("\n\n")
    lines = []
    for target in targets:
        known = dict(re.findall(r"^([\w-]+): (.*)$", target, re.M))
        ours = known.get("Origin", "").lower() == distribution
        if ours and known["Release"].startswith(codename):
            line = f"deb {known['Repo-URI']} {known['Release']} {known['Component']}"
            lines += [line] if line not in lines else []
    if not lines:
        raise Lacking("apt-get knows no packages of this release: apt-get update")
    return codename, "\n".join(lines) + "\n"


def base():
    """The archive of a fresh root, made if it is not there."""
    if os.geteuid() != 0:
        raise Lacking("a fresh root needs the user root")
    if shutil.which("mmdebstrap") is None:
        raise Lacking("there is no mmdebstrap")
    codename, sources = host_sources()
    kind = hashlib.sha256(f"{sources}{INCLUDED}".encode()).hexdigest()[:12]
    archive = PLACE / f"{codename}-{kind}.tar"
    if not archive.exists():
        # It has its name when it is complete.
        unfinished = archive.with_suffix(".unfinished")
        listed = archive.with_suffix(".list")
        listed.write_text(sources)
        command = ["mmdebstrap", "--variant=minbase", f"--include={INCLUDED}", "--format=tar"]
        made = run([*command, codename, unfinished, listed], check=False, timeout=900)
        if made.returncode != 0:
            unfinished.unlink(missing_ok=True)
            wrong = [line for line in made.stderr.splitlines() if line.startswith("E:")]
            raise Lacking(f"mmdebstrap cannot make a root: {' '.join(wrong)[:300]}")
        unfinished.rename(archive)
    return archive


class Fresh:
    """A root in a folder of its own, with the packages in /srv."""

    def __init__(self, packages):
        archive = base()
        self.folder = Path(tempfile.mkdtemp(prefix="root-", dir=RUN.name))
        try:
            run(["tar", "--numeric-owner", "-xf", archive, "-C", self.folder])
            for package in packages:
                shutil.copy(package, self.folder / "srv")
        except BaseException:
            self.close()
            raise

    def close(self):
        run(["rm", "-rf", "--one-file-system", self.folder])

    def command(self, *words):
        """A program in the root. With its first process everything that it has started ends, and every mount."""
        proc = f"--mount-proc={self.folder / 'proc'}"
        spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", proc]
        settings = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
        return [*spaces, "chroot", self.folder, "env", "-i", *settings, *words]

    def run(self, *words, check=True):
        """What a program in the root prints, on both outputs."""
        return run(self.command(*words), check=check, stderr=subprocess.STDOUT).stdout

    def shell(self, script):
        return self.run("sh", "-ec", f"cd /srv; {script}")

    def paths(self):
        """All files and folders, without the traces that any package leaves."""
        found = run(["find", self.folder, "-xdev", "-printf", "%P\n"]).stdout.splitlines()
        return {path for path in found if not path.startswith(TRACES)}

    def text(self, path):
        return (self.folder / path).read_text()


class Booted(Fresh):
    """A root in which the manager of services is the first process, without a network but loopback."""

    def __init__(self, packages):
        super().__init__(packages)
        self._group = f"stratagem-packages-{os.getpid()}"
        try:
            self._boot()
        except BaseException:
            self.close()
            raise

    def _boot(self):
        tree = Path("/sys/fs/cgroup")
        if (tree / "cgroup.controllers").exists():
            kind, self._groups = "unified", [tree / self._group]
        elif (tree / "systemd").is_dir() and (tree / "unified").is_dir():
            kind = "hybrid"
            self._groups = [tree / part / self._group for part in ("systemd", "unified")]
        else:
            self._groups = []
            raise Lacking("there are no control groups that a manager of services could use")
        try:
            for group in self._groups:
                group.mkdir()
        except OSError as error:
            raise Lacking(f"no control group of its own: {error}") from error
        spaces = "unshare --mount --pid --fork --kill-child --uts --ipc --net --cgroup"
        enter = "".join(f"echo $$ >{group}/cgroup.procs; " for group in self._groups)
        script = f'set -e; {enter} exec {spaces} sh -c "$0" sh "$1" {kind}'
        self._process = subprocess.Popen(
            ["sh", "-c", script, BOOT, self.folder],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        begin = time.monotonic()
        while self._state() not in ("running", "degraded"):
            if self._process.poll() is not None or time.monotonic() - begin > PATIENCE_S:
                self._process.kill()
                wrong = " ".join(self._process.communicate()[0].split())
                raise Lacking(f"systemd does not start here: {wrong[-300:]}")
            time.sleep(0.1)

    def _first(self):
        """The number of the first process; None before it is there."""
        own = self._process.pid
        try:
            return Path(f"/proc/{own}/task/{own}/children").read_text().split()[0]
        except (OSError, IndexError):
            return None

    def _state(self):
        return self.run("systemctl", "is-system-running", check=False).strip()

    def command(self, *words):
        first = self._first()
        if first is None:
            return ["false"]
        settings = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
        spaces = ["nsenter", "-t", first, "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w"]
        return [*spaces, "env", "-i", *settings, *words]

    def close(self):
        if hasattr(self, "_process"):
            self._process.kill()
            self._process.communicate()
        for group in getattr(self, "_groups", []):
            if group.exists():
                # Its processes have got their signal, but may be there for a moment.
                eventually("the control group is empty", lambda one=group: removed(one))
        super().close()


def removed(group):
    """Whether a control group, and those in it, could be removed."""
    try:
        for folder, _, _ in os.walk(group, topdown=False):
            os.rmdir(folder)
    except OSError:
        return False
    return True


def setUpModule():
    """Makes the packages twice, side by side."""
    global RUN
    PLACE.mkdir(parents=True, exist_ok=True)
    # Not in /tmp, where devices may be forbidden.
    RUN = tempfile.TemporaryDirectory(prefix="run-", dir=PLACE)
    unittest.addModuleCleanup(RUN.cleanup)
    # Programs in a root that run as others have to get there.
    os.chmod(RUN.name, 0o755)
    with ThreadPoolExecutor() as both:
        first, second = both.map(make_packages, (Path(RUN.name) / "a", Path(RUN.name) / "b"))
    PACKAGES.update(first)
    AGAIN.update(second)


class Case(unittest.TestCase):
    """A test that may lack something of the machine."""

    def leave_out(self, why):
        print(f"\nSKIPPED {self.id().rpartition('.')[2]}: {why}", flush=True)
        self.skipTest(str(why))

    def fresh(self, kind=Fresh):
        """A root of its own, without our packages."""
        try:
            root = kind(PACKAGES.values())
        except Lacking as why:
            self.leave_out(why)
        self.addCleanup(root.close)
        return root


class Made(Case):
    """What is in the files."""

    def test_there_are_two_packages(self):
        self.assertEqual(set(PACKAGES), {"stratagem", "stratagem-client"})

    def test_the_same_programs_make_the_same_bytes(self):
        for name, package in PACKAGES.items():
            self.assertEqual(package.name, AGAIN[name].name)
            self.assertEqual(package.read_bytes(), AGAIN[name].read_bytes(), name)

    def test_versions_are_those_of_the_programs(self):
        printed = run([PROGRAMS / "stratagem-server", "--version"]).stdout.split()[-1]
        for name, package in PACKAGES.items():
            self.assertEqual(fields(package)["Version"], printed.replace("-", "~"), name)
            self.assertEqual(fields(package)["Package"], name)

    def test_libraries_are_those_that_the_programs_link(self):
        programs = {
            "stratagem": ["stratagem", "stratagem-server"],
            "stratagem-client": ["stratagem"],
        }
        for name, parts in programs.items():
            depends = fields(PACKAGES[name])["Depends"]
            text = "".join(run(["objdump", "-p", PROGRAMS / part]).stdout for part in parts)
            linked = set(re.findall(r"NEEDED +(\S+)", text))
            self.assertEqual("libstdc++.so.6" in linked, "libstdc++6" in depends, depends)
            self.assertEqual("libgcc_s.so.1" in linked, "libgcc-s1" in depends, depends)
            needed = max(map(version, re.findall(r"GLIBC_([\d.]+)", text)))
            (given,) = re.findall(r"libc6 \(>= ([\d.]+)\)", depends)
            self.assertGreaterEqual(version(given), needed, depends)

    def test_only_one_of_both_can_be_installed(self):
        for name, other in ("stratagem", "stratagem-client"), ("stratagem-client", "stratagem"):
            known = fields(PACKAGES[name])
            self.assertEqual((known["Conflicts"], known["Replaces"]), (other, other))

    def test_files_are_where_they_belong(self):
        files = listing(PACKAGES["stratagem"])
        for path, mode in {
            "/etc/stratagem/server.toml": "-rw-r--r--",
            "/usr/bin/stratagem": "-rwxr-xr-x",
            "/usr/bin/stratagem-server": "-rwxr-xr-x",
            "/usr/lib/systemd/system/stratagem.service": "-rw-r--r--",
            "/usr/share/doc/stratagem/copyright": "-rw-r--r--",
            "/usr/share/man/man8/stratagem-server.8.gz": "-rw-r--r--",
        }.items():
            self.assertEqual(files.get(path), (mode, "root/root"), path)
        conffiles = run(["dpkg-deb", "--info", PACKAGES["stratagem"], "conffiles"]).stdout.split()
        self.assertEqual(conffiles, ["/etc/stratagem/server.toml"])
        client = set(listing(PACKAGES["stratagem-client"]))
        self.assertIn("/usr/bin/stratagem", client)
        self.assertEqual([path for path in client if re.search("server.toml|systemd|man8", path)], [])
        self.assertNotIn("/usr/bin/stratagem-server", client)

    def test_every_command_has_a_man_page(self):
        files = listing(PACKAGES["stratagem-client"])
        commands = subcommands([])
        self.assertGreater(len(commands), 30)
        for words in commands:
            self.assertIn(f"/usr/share/man/man1/{'-'.join(['stratagem', *words])}.1.gz", files)

    def test_lintian_finds_no_errors(self):
        if shutil.which("lintian") is None:
            self.leave_out("there is no lintian")
        # The release profile strips programs; those under test may come from another profile.
        options = ["--fail-on", "error", "--allow-root", "--suppress-tags", "unstripped-binary-or-object"]
        found = run(["lintian", *options, *PACKAGES.values()], stderr=subprocess.STDOUT).stdout
        print(found.strip() or "nothing found", end=" ... ", flush=True)


def version(text):
    """A version that can be compared."""
    return tuple(int(part) for part in text.split("."))


def subcommands(words):
    """The commands of the command line below one, as lists of words, by its help."""
    page = run([PROGRAMS / "stratagem", *words, "--help"]).stdout
    # What follows examples and the like is no list of commands.
    if not re.search(r"^Usage: .*<COMMAND>$", page, re.M):
        return []
    rest = page.partition("\nCommands:\n")[2]
    names = re.findall(r"^  ([a-z-]+)(?:  |$)", rest.split("\n\n")[0], re.M)
    found = []
    for name in names:
        if name != "help":
            found += [[*words, name], *subcommands([*words, name])]
    return found


class Installed(Case):
    """What the packages do in a fresh root, in which no service is started."""

    _installed = None

    def installed(self):
        """A root with the server, which tests share that change nothing in it."""
        if Installed._installed is None:
            try:
                root = Fresh(PACKAGES.values())
            except Lacking as why:
                self.leave_out(why)
            self.addClassCleanup(root.close)
            root.shell(f"{INSTALL} ./stratagem_*.deb")
            Installed._installed = root
        return Installed._installed

    def test_dev_answers_soon(self):
        root = self.installed()
        begin = time.monotonic()
        # As any user.
        command = root.command("runuser", "-u", "nobody", "--", "stratagem", "dev")
        process = Process("stratagem dev", command)
        self.addCleanup(process.kill)

        def address():
            process.check_running()
            found = [re.match(r"http://([^/]+)/playground/", line) for line in list(process.lines)]
            return next((one[1] for one in found if one), None)

        address = eventually("it prints its address", address)
        ask = ["stratagem", "--address", f"http://{address}", "allocation", "plan", "example:tavern"]
        answer = json.loads(root.run(*ask, "-o", "json"))
        took = time.monotonic() - begin
        served = [stop for route in answer["plan"]["routes"] for stop in route["stops"]]
        self.assertEqual(len(served), 5)
        self.assertLess(took, DEV_ANSWERS_WITHIN_S)
        self.assertIn("<html", fetch(f"http://{address}/playground/") or "")
        print(f"a plan after {took:.2f} s", end=" ... ", flush=True)

    def test_man_finds_its_pages(self):
        root = self.installed()
        for section, page in ("8", "stratagem-server"), ("1", "stratagem"), ("1", "stratagem-dev"):
            self.assertIn(f"/man{section}/{page}.", root.run("man", "-w", section, page))
        text = root.run("man", "-P", "cat", "8", "stratagem-server")
        self.assertIn("--metrics-listen <HOST:PORT|off>", text)

    def test_shells_complete(self):
        root = self.installed()
        load = "for f in stratagem stratagem-server; do . /usr/share/bash-completion/completions/$f; done"
        known = root.run("bash", "-c", f"{load}; complete -p")
        self.assertRegex(known, r"(?m)^complete .* stratagem$")
        self.assertRegex(known, r"(?m)^complete .* stratagem-server$")
        script = f"{load}; COMP_WORDS=(stratagem allocation pl); COMP_CWORD=2"
        script += '; _stratagem stratagem pl allocation; echo "${COMPREPLY[@]}"'
        self.assertEqual(root.run("bash", "-c", script).strip(), "plan")
        for name in "stratagem", "stratagem-server":
            zsh = root.text(f"usr/share/zsh/vendor-completions/_{name}")
            self.assertTrue(zsh.startswith(f"#compdef {name}\n"))
            fish = root.text(f"usr/share/fish/vendor_completions.d/{name}.fish")
            self.assertIn(f"complete -c {name} ", fish)

    def test_the_service_has_a_user_and_settings(self):
        root = self.installed()
        known = root.run("getent", "passwd", "stratagem").strip().split(":")
        self.assertEqual(known[5:], ["/var/lib/stratagem", "/usr/sbin/nologin"])
        self.assertIn(" stratagem stratagem 750 ", root.run("stat", "-c", " %U %G %a ", known[5]))
        ask = ["stratagem-server", "--config", "/etc/stratagem/server.toml", "--print-config"]
        settings = root.run("runuser", "-u", "stratagem", "--", *ask)
        self.assertIn('listen = "127.0.0.1:50051"', settings)
        self.assertIn('jobs = "/var/lib/stratagem/jobs.redb"', settings)

    def test_the_unit_is_right_and_hardened(self):
        root = self.installed()
        self.assertEqual(root.run("systemd-analyze", "verify", "stratagem.service"), "")
        threshold = f"--threshold={EXPOSURE_MAX}"
        judge = ["systemd-analyze", "security", "--offline=true", "--no-pager", threshold]
        found = root.run(*judge, "stratagem.service")
        print(found.strip().splitlines()[-1], end=" ... ", flush=True)
        enabled = root.folder / "etc/systemd/system/multi-user.target.wants/stratagem.service"
        self.assertTrue(enabled.is_symlink())

    def test_removal_keeps_settings_and_jobs_and_purge_nothing(self):
        root = self.fresh()
        before, users = root.paths(), root.text("etc/passwd") + root.text("etc/group")
        root.shell(f"{INSTALL} ./stratagem_*.deb")
        jobs = root.folder / "var/lib/stratagem/jobs.redb"
        jobs.write_text("jobs")
        settings = root.folder / "etc/stratagem/server.toml"
        settings.write_text(changed := settings.read_text() + "slots = 3\n")
        root.shell(f"{INSTALL} --reinstall ./stratagem_*.deb")
        self.assertEqual(settings.read_text(), changed)
        root.shell("apt-get remove --yes stratagem")
        self.assertFalse((root.folder / "usr/bin/stratagem").exists())
        self.assertEqual((settings.read_text(), jobs.read_text()), (changed, "jobs"))
        root.shell("apt-get purge --yes stratagem")
        self.assertEqual(root.paths() - before, set())
        self.assertEqual(before - root.paths(), set())
        self.assertEqual(root.text("etc/passwd") + root.text("etc/group"), users)

    def test_each_package_replaces_the_other(self):
        root = self.fresh()
        root.shell(f"{INSTALL} ./stratagem_*.deb")
        root.shell(f"{INSTALL} ./stratagem-client_*.deb")
        self.assertFalse((root.folder / "usr/bin/stratagem-server").exists())
        self.assertIn("Usage: stratagem", root.run("stratagem", "--help"))
        self.assertIn("stratagem-dev.", root.run("man", "-w", "stratagem-dev"))
        root.shell(f"{INSTALL} ./stratagem_*.deb")
        self.assertTrue((root.folder / "usr/bin/stratagem-server").exists())
        status = root.run("dpkg-query", "-W", "-f", "${Package} ${Status}\n", "stratagem*")
        self.assertIn("stratagem install ok installed", status)
        self.assertNotIn("stratagem-client install", status)
        self.assertEqual(root.run("dpkg", "--audit"), "")


class Served(Case):
    """The service, with its whole hardening, by the manager of services."""

    def test_the_service_plans_keeps_jobs_stops_and_fails(self):
        root = self.fresh(Booted)
        root.shell(f"{INSTALL} ./stratagem_*.deb")
        self.check_active(root)
        answer = json.loads(root.run("stratagem", "allocation", "plan", "example:tavern", "-o", "json"))
        self.assertEqual(len(answer["plan"]["routes"]), 2)
        create = ["stratagem", "job", "create", "example:tavern", "--budget", "2s", "--watch"]
        root.run(*create)
        self.assertEqual(root.run("stat", "-c", "%U %a", "/var/lib/stratagem").strip(), "stratagem 750")
        root.run("systemctl", "reload", "stratagem")
        self.check_active(root)
        eventually("it has read its files", lambda: "reading files again" in self.journal(root))
        root.run("systemctl", "restart", "stratagem")
        self.check_active(root)
        jobs = json.loads(root.run("stratagem", "job", "list", "-o", "json"))
        self.assertEqual(len(jobs["jobs"]), 1, jobs)
        begin = time.monotonic()
        root.run("systemctl", "stop", "stratagem")
        took = time.monotonic() - begin
        ended = root.run("systemctl", "show", "stratagem", "-p", "Result", "-p", "ExecMainStatus")
        self.assertEqual(set(ended.split()), {"Result=success", "ExecMainStatus=0"})
        print(f"stopped within {took:.1f} s", end=" ... ", flush=True)
        # Wrong settings are not tried again.
        (root.folder / "etc/stratagem/server.toml").write_text("slot = 3\n")
        root.run("systemctl", "restart", "stratagem", check=False)
        failed = ["systemctl", "is-failed", "stratagem"]
        eventually("it has failed", lambda: root.run(*failed, check=False).strip() == "failed")
        self.assertIn("unknown field `slot`", self.journal(root))
        restarts = root.run("systemctl", "show", "stratagem", "-p", "NRestarts")
        self.assertEqual(restarts.strip(), "NRestarts=0")

    def journal(self, root):
        return root.run("journalctl", "--unit", "stratagem", "--no-pager", "--output", "cat")

    def check_active(self, root):
        state = root.run("systemctl", "is-active", "stratagem", check=False).strip()
        self.assertEqual(state, "active", self.journal(root))
        check = ["stratagem", "server", "check", "--quiet"]

        def healthy():
            ended = run(root.command(*check), check=False)
            return ended.returncode == 0

        eventually("it serves", healthy)


if __name__ == "__main__":
    PROGRAMS = Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
