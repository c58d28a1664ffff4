# shellcheck shell=bash
# The tools that a build and the tests need: checks for Rust, C and C++ compilers, Python and crates, and installs what is
# missing. Sourced after steps.sh by ./demo, ./test and other scripts.
#
# Rust has to be there. Packages of the system come from apt, as root or with sudo; Python packages go into .tools/venv.
# Neither protoc nor OpenSSL is needed. After an error a second start continues with what is still missing.

RUST_MIN=1.90
VENV=.tools/venv

# The first error that apt-get or pip printed into a file.
first_error() {
  grep -m 1 -E '^(E:|ERROR:|error:)' "$1" || tail -n 1 "$1"
}

# Installs packages of a Debian or Ubuntu: `apt_install PACKAGE...`.
apt_install() {
  local sudo=() log
  command -v apt-get >/dev/null || die "there is no apt-get here: please install $* and start again"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "neither root nor sudo: please install $* and start again"
    sudo=(sudo)
  fi
  echo "    installing with apt-get: $*"
  log=$(mktemp -p "$RUN")
  { "${sudo[@]}" apt-get update -qq && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@"; } >"$log" 2>&1 ||
    die "apt-get cannot install $*: $(first_error "$log"); install them by hand, or try again when the network is back"
}

# In a fresh shell the toolchain may not be on the path yet.
find_rust() {
  command -v cargo >/dev/null || PATH="$HOME/.cargo/bin:$PATH"
  command -v cargo >/dev/null || die "there is no cargo: install Rust with https://rustup.rs and start again"
}

# The toolchain and its components: `setup_rust [COMPONENT...]`, as in `setup_rust fmt clippy`.
setup_rust() {
  local version component
  version=$(rustc --version 2>"$RUN/rustc" | cut -d' ' -f2) || version=
  [ -n "$version" ] || die "rustc does not run ($(head -n 1 "$RUN/rustc")): rustup default stable installs a toolchain"
  [ "$(printf '%s\n' "$RUST_MIN" "$version" | sort -V | head -n1)" = "$RUST_MIN" ] ||
    die "rustc $version is too old, $RUST_MIN is needed: rustup update stable, then start again"
  for component in "$@"; do
    cargo "$component" --version >/dev/null 2>&1 || rustup component add "${component/fmt/rustfmt}" ||
      die "there is no cargo $component: install it and start again"
  done
  echo "    rustc $version"
}

# A full disk shows as any failure of anything, so that its room is checked first: `check_room GB`, of a clean build.
check_room() {
  local target free_kb used_kb=0 needed_kb
  target=$(target_folder)
  if [ -d "$target" ]; then used_kb=$(du -sk "$target" | cut -f1); fi
  free_kb=$(df -Pk . | awk 'NR == 2 { print $4 }')
  [ ! -d "$target" ] || free_kb=$(df -Pk "$target" | awk 'NR == 2 { print $4 }')
  needed_kb=$(($1 * 1048576 - used_kb))
  [ "$free_kb" -ge "$needed_kb" ] ||
    die "$((free_kb / 1024)) MB of disk are free and $((needed_kb / 1024)) MB are needed for $target: make room, or set CARGO_TARGET_DIR, and start again"
  echo "    $((free_kb / 1048576)) GB of disk are free"
}

# Whether bindgen will find libclang: where it is told to look, or where it looks.
has_libclang() {
  local library
  for library in "${LIBCLANG_PATH:-/nowhere}"/libclang*.so* \
    /usr/lib/llvm*/lib/libclang*.so* /usr/lib*/libclang*.so* /usr/lib/*-linux-gnu/libclang*.so* \
    /usr/local/lib*/libclang*.so* /usr/local/llvm*/lib*/libclang*.so*; do
    # libclang-cpp is another library, and a pattern that matches nothing stays as it is.
    case $library in *libclang-cpp*) continue ;; esac
    if [ -e "$library" ]; then return; fi
  done
  return 1
}

# Rust links with cc, and ring compiles C.
setup_c() {
  command -v cc >/dev/null || apt_install gcc libc6-dev
  echo "    $(cc --version | head -n1)"
}

# HiGHS (feature `milp`) is C++ that cmake and make build for minutes; then bindgen reads its header with libclang.
setup_solver() {
  local missing=()
  command -v c++ >/dev/null || missing+=(g++)
  command -v make >/dev/null || missing+=(make)
  command -v "${CMAKE:-cmake}" >/dev/null || missing+=(cmake)
  has_libclang || missing+=(libclang1)
  [ "${#missing[@]}" = 0 ] || apt_install "${missing[@]}"
  echo "    $(c++ --version | head -n1), $("${CMAKE:-cmake}" --version | head -n1), libclang"
}

# The foreign client of the tests, and buf.
setup_python() {
  local python=python3 log
  # Debian splits the module venv: without ensurepip it makes environments without pip.
  python3 -c 'import ensurepip, venv' 2>/dev/null || {
    apt_install python3 python3-venv
    python=/usr/bin/python3
  }
  # The copy is made last: it marks an environment that is complete and of these versions.
  if ! cmp -s scripts/requirements.txt "$VENV/requirements.txt"; then
    echo "    installing with pip into $VENV: $(grep -v '^#' scripts/requirements.txt | paste -sd' ')"
    rm -rf "$VENV"
    "$python" -m venv "$VENV"
    log=$(mktemp -p "$RUN")
    "$VENV/bin/pip" install --quiet --disable-pip-version-check -r scripts/requirements.txt >"$log" 2>&1 ||
      die "pip cannot install scripts/requirements.txt: $(first_error "$log"); try again when the network is back"
    cp scripts/requirements.txt "$VENV/requirements.txt"
  fi
  echo "    $("$VENV/bin/python" --version), buf $("$VENV/bin/buf" --version)"
}

# All crates before the first is compiled: `setup_crates [ARGUMENT OF cargo fetch...]`.
setup_crates() {
  CARGO_NET_RETRY=5 cargo fetch --locked --quiet "$@" 2>"$RUN/fetch" ||
    die "crates cannot be fetched ($(grep -v '^$' "$RUN/fetch" | tail -n 1 | sed 's/^ *//')): start again when the network is back; what has arrived is kept"
}

# The kind of machine that cargo builds for, as in x86_64-unknown-linux-gnu.
host() {
  rustc -vV | sed -n 's/^host: //p'
}

# Where cargo puts what it builds.
target_folder() {
  cargo metadata --no-deps --offline --format-version 1 | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}
