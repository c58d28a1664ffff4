# shellcheck shell=bash
# Sourced by ./test after setup.sh: real tools that check what is in deploy/, and the programs that are deployed behind
# them. Where a tool cannot be had, its check is SKIPPED.

DEPLOY_VENV=.tools/deploy
CLIENT_VENV=.tools/client
PROMETHEUS=.tools/prometheus/usr/bin
NATS=.tools/nats/usr/sbin/nats-server
NODE=.tools/node

# Whether a package of the system could be installed: `try_apt PACKAGE...`.
try_apt() {
  (apt_install "$@") || echo "    $*: cannot be had"
}

# Balancers, a broker, Prometheus, a browser and linters. None of them has to be there.
setup_deploy() {
  command -v shellcheck >/dev/null || try_apt shellcheck
  command -v haproxy >/dev/null || [ -x /usr/sbin/haproxy ] || try_apt haproxy
  # For packages: fresh roots, and what finds the libraries that programs need.
  command -v mmdebstrap >/dev/null || try_apt mmdebstrap
  command -v dpkg-shlibdeps >/dev/null || try_apt dpkg-dev
  command -v objdump >/dev/null || try_apt binutils
  [ -x "$PROMETHEUS/promtool" ] || get_unpacked prometheus .tools/prometheus || echo "    prometheus: cannot be had"
  [ -x "$NATS" ] || get_nats || get_unpacked nats-server .tools/nats || echo "    nats-server: cannot be had"
  has_chromium || try_apt chromium
  # Network namespaces, which only root may make.
  [ "$(id -u)" != 0 ] || command -v ip >/dev/null || try_apt iproute2
  get_locked clients/js "$NODE" || echo "    Node 20 and its packages: cannot be had"
  if ! cmp -s scripts/requirements-deploy.txt "$DEPLOY_VENV/requirements-deploy.txt"; then
    echo "    installing with pip into $DEPLOY_VENV: $(grep -v '^[#-]' scripts/requirements-deploy.txt | paste -sd' ')"
    rm -rf "$DEPLOY_VENV"
    # Made by the Python that made the first, which has pip.
    if "$(readlink -f "$VENV/bin/python")" -m venv "$DEPLOY_VENV" &&
      "$DEPLOY_VENV/bin/pip" install --quiet --disable-pip-version-check -r scripts/requirements-deploy.txt; then
      cp scripts/requirements-deploy.txt "$DEPLOY_VENV/requirements-deploy.txt"
    else
      echo "    not all of them can be had"
      rm -rf "$DEPLOY_VENV"
    fi
  fi
}

# The package of clients/python from its wheel, in a fresh environment that also sees the packages of .tools/deploy.
setup_client() {
  local pip=("$DEPLOY_VENV/bin/python" -m pip --disable-pip-version-check) here=$PWD
  [ -x "$DEPLOY_VENV/bin/python" ] || skip_step "clients/python: there is no $DEPLOY_VENV"
  rm -rf "$CLIENT_VENV"
  "${pip[@]}" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$RUN/wheels" ./clients/python
  "$DEPLOY_VENV/bin/python" -m venv --without-pip "$CLIENT_VENV"
  (cd "$CLIENT_VENV"/lib/python*/site-packages && echo "$here/$DEPLOY_VENV"/lib/python*/site-packages >deploy.pth)
  # Without an index: what the wheel depends on has to be there.
  "${pip[@]}" --python "$CLIENT_VENV/bin/python" install --quiet --no-index "$RUN"/wheels/*.whl
}

# Packages of npm, as the lock file of a folder has them: `get_locked SOURCE FOLDER`. The copy is made last: it marks a
# folder that is complete.
get_locked() {
  ! cmp -s "$1/package-lock.json" "$2/complete.json" || return 0
  rm -rf "$2"
  command -v npm >/dev/null || return 1
  # What the packages need.
  [ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] || return 1
  echo "    installing with npm into $2: $1/package-lock.json"
  mkdir -p "$2"
  cp "$1/package.json" "$1/package-lock.json" "$2"
  npm ci --prefix "$2" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null || return 1
  cp "$1/package-lock.json" "$2/complete.json"
}

# Unpacked instead of installed: as packages they would start services of their own. `get_unpacked PACKAGE FOLDER`.
get_unpacked() {
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  rm -rf "$2"
  mkdir -p "$2"
  (cd "$2" && apt-get download -qq "$1" 2>/dev/null) || return 1
  dpkg-deb -x "$2/$1"_*.deb "$2"
  rm "$2/$1"_*.deb
}

# NATS that syncs before it acknowledges: 2.10 of Debian 13, since Debian 12 has 2.9.
get_nats() {
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg apt="$RUN/apt-13"
  [ -e "$keys" ] || return 1
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb [signed-by=$keys] http://deb.debian.org/debian trixie main" >"$apt/sources.list"
  printf '%s\n' "Dir::Etc::sourcelist \"$apt/sources.list\";" 'Dir::Etc::sourceparts "-";' \
    "Dir::State::lists \"$apt/lists\";" "Dir::Cache \"$apt/cache\";" >"$apt/apt.conf"
  APT_CONFIG="$apt/apt.conf" apt-get update -qq 2>/dev/null && APT_CONFIG="$apt/apt.conf" get_unpacked nats-server .tools/nats
}

# Whether there is a NATS that knows `sync_interval: always`.
has_syncing_nats() {
  [ -x "$NATS" ] && [ "$(printf '%s\n' v2.10 "$("$NATS" --version | cut -d' ' -f2)" | sort -V | head -n 1)" = v2.10 ]
}

# `with_deploy_tools PROGRAM ARGUMENTS...`: one of those in .tools/deploy.
with_deploy_tools() {
  local program=$1
  shift
  if [ -x "$DEPLOY_VENV/bin/$program" ]; then
    "$DEPLOY_VENV/bin/$program" "$@"
  else
    skipped "$program $*: there is no $program"
  fi
}

# What the programs are made of: nothing that is not allowed, and a list of it that tools can read.
made_of() {
  local list
  with_deploy_tools cargo-deny --offline --locked --all-features check --hide-inclusion-graph bans licenses sources
  skipped "advisories, whose database is on the network: cargo deny check advisories"
  if [ ! -x "$DEPLOY_VENV/bin/python" ]; then
    skipped "bill of materials: there is no cyclonedx-python-lib"
    return
  fi
  list=$(mktemp)
  "$DEPLOY_VENV/bin/python" scripts/sbom.py >"$list"
  "$DEPLOY_VENV/bin/python" - "$list" <<'EOF'
import json, sys
from pathlib import Path
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text = Path(sys.argv[1]).read_text()
wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
bill = json.loads(text)
known = {part["bom-ref"] for part in bill["components"]} | {"stratagem"}
named = {ref for one in bill["dependencies"] for ref in (one["ref"], *one["dependsOn"])}
assert wrong is None, wrong
assert known == named, known ^ named
bare = [p["name"] for p in bill["components"] if "licenses" not in p]
assert not bare, bare
print(f"    bill of materials: {len(known)} parts, each with a licence")
EOF
  rm "$list"
}

# The files of deploy/, each by the tool that reads it.
deployment_is_sound() {
  with_deploy_tools hadolint Dockerfile
  with_deploy_tools docker-compose -f deploy/compose.yaml config --quiet
  if has_syncing_nats; then
    "$NATS" -t -c deploy/nats/nats.conf
  else
    skipped "deploy/nats/nats.conf: there is no nats-server 2.10"
  fi
  with_deploy_tools envoy --mode validate --log-level error -c deploy/envoy/envoy.yaml
  if [ -x "$PROMETHEUS/promtool" ]; then
    "$PROMETHEUS/promtool" check config deploy/prometheus/prometheus.yml
    "$PROMETHEUS/promtool" test rules deploy/prometheus/alerts.test.yml
  else
    skipped "deploy/prometheus: there is no promtool"
  fi
}

# Tests in Python, with the package of clients/python and the programs of .tools/deploy; what they skip is counted:
# `python_tests FILE [ARGUMENT...]`.
python_tests() {
  local line
  [ -x "$CLIENT_VENV/bin/python" ] || skip_step "$1: there is no $CLIENT_VENV"
  PATH="$PWD/$DEPLOY_VENV/bin:$PATH" "$CLIENT_VENV/bin/python" "integration-tests/python/$1" "${@:2}" 2>&1 |
    tee "$RUN/${1##*/}.out"
  # unittest prints `name (place) ... skipped 'reason'`; what is no test of its own prints SKIPPED.
  while IFS= read -r line; do skipped "$1: $line"; done < <(
    grep -E "^ *SKIPPED|\.\.\. skipped " "$RUN/${1##*/}.out" | sed 's/^ *SKIPPED:* *//'
  )
}

# The packages of clients/, and the contract for callers in JSON.
documented_clients() {
  python_tests openapi.py
  python_tests dispatch_vectors.py
  python_tests ../../clients/python/tests/test_stratagem.py
  python_tests ../../clients/python/tests/test_session.py
  python_tests python_client.py
  python_tests clients.py
  node -e 'process.exit(+(process.versions.node.split(".")[0] < 18))' 2>/dev/null ||
    { skipped "clients/js: there is no Node 18" && return; }
  node --test --test-reporter=spec clients/js/tests/*.test.js
  [ -e "$NODE/complete.json" ] || { skipped "js_client.py: there is no $NODE" && return; }
  python_tests js_client.py "$PWD/$NODE/node_modules"
}

# Three servers behind a balancer that needs a program: `behind HaProxy|Envoy|Nobody PROGRAM`.
behind() {
  PATH="$PATH:/usr/sbin"
  command -v "$2" >/dev/null || skip_step "behind $1: there is no $2"
  python_tests balancers.py "$1"
}

# Whether there is a browser, under any of its names.
has_chromium() {
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null
}

# The playground as people use it: real pages, a real server.
in_a_browser() {
  has_chromium || skip_step "playground in a browser: there is no chromium"
  "$VENV/bin/python" integration-tests/python/playground.py
}

# The playground's modules, without a browser.
without_a_browser() {
  command -v node >/dev/null || skip_step "modules of the playground: there is no node"
  "$VENV/bin/python" integration-tests/python/pages.py
}

# Servers that share jobs, and what happens when any of them, or their broker, dies: a few rounds.
faults() {
  python_tests faults.py --rounds 6 --jobs 30
  python_tests faults.py --brokers 3 --rounds 4 --jobs 15
  python_tests faults.py --brokers 0 --rounds 6 --jobs 30
}

# Dashboards and alerts, asked for at servers that run.
dashboards() {
  PATH="$PATH:/usr/sbin"
  command -v haproxy >/dev/null || skip_step "dashboards: there is no haproxy"
  if [ -x "$PROMETHEUS/prometheus" ]; then python_tests dashboards.py "$PROMETHEUS"; else python_tests dashboards.py; fi
}

# Scripts, by shellcheck.
scripts_are_sound() {
  command -v shellcheck >/dev/null || skip_step "scripts: there is no shellcheck"
  shellcheck -x demo test .ci/run scripts/*.sh scripts/freeze deploy/image deploy/package \
    deploy/packages/{postinst,prerm,postrm}
}

# Workflows of a public forge, by their schema and a linter of their own. They are not run here.
workflows_are_sound() {
  with_deploy_tools check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
  with_deploy_tools zizmor --offline --quiet --min-severity low .github/workflows
}

# Packages, installed in fresh roots, one of them with a running systemd.
packages() {
  python_tests packages.py "$STRATAGEM_BIN_DIR"
}

# The image from the programs under test, and the stack of deploy/compose.yaml.
image() {
  python_tests image.py
}

# What a registry checks before it takes crates: metadata, versions and files, without compiling them again.
publishable() {
  cargo package --workspace --locked --no-verify --allow-dirty --quiet --exclude stratagem-integration-tests
}
