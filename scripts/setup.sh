# shellcheck shell=bash
# Sourced by ./demo and ./test after steps.sh: installs what is missing, and only that.
#
# Given: a Rust toolchain, and root or sudo where something is missing. Packages of the system come from apt, Python
# packages go into .tools/venv. Nothing needs a protoc or OpenSSL.

RUST_MIN=1.90
# Of a clean build with all tests and lints, and what they write.
ROOM_GB=8
VENV=.tools/venv

# Installs packages of a Debian or Ubuntu: `apt_install PACKAGE...`.
apt_install() {
  local sudo=()
  command -v apt-get >/dev/null || die "please install $* and start again (there is no apt-get here)"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "please install $* and start again (neither root nor sudo)"
    sudo=(sudo)
  fi
  echo "    installing with apt-get: $*"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# A Rust toolchain is given; in a fresh shell it may not be on the path yet.
find_rust() {
  command -v cargo >/dev/null || PATH="$HOME/.cargo/bin:$PATH"
  command -v cargo >/dev/null || die "there is no cargo; https://rustup.rs installs it"
}

setup_rust() {
  local version component
  version=$(rustc --version | cut -d' ' -f2)
  [ "$(printf '%s\n' "$RUST_MIN" "$version" | sort -V | head -n1)" = "$RUST_MIN" ] ||
    die "rustc $version is too old, $RUST_MIN is needed: rustup update stable"
  for component in "$@"; do
    cargo "$component" --version >/dev/null 2>&1 || rustup component add "${component/fmt/rustfmt}"
  done
  echo "    rustc $version"
  tell_room
}

# A disk that fills up shows as any failure of anything: the room is told before.
tell_room() {
  local free_kb
  free_kb=$(df -Pk . | awk 'NR == 2 { print $4 }')
  echo "    $((free_kb / 1048576)) GB are free on this disk"
  [ "$free_kb" -ge $((ROOM_GB * 1048576)) ] || echo "    warning: a clean build and all tests take $ROOM_GB GB"
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

# ring and zstd-sys compile C; Rust itself links with cc. HiGHS (engines/milp) is C++ built by cmake with make, which
# takes minutes; then bindgen reads its header with libclang. All of them are looked for before anything is built.
setup_c() {
  local missing=()
  command -v cc >/dev/null || missing+=(gcc libc6-dev)
  command -v c++ >/dev/null || missing+=(g++)
  command -v make >/dev/null || missing+=(make)
  command -v "${CMAKE:-cmake}" >/dev/null || missing+=(cmake)
  has_libclang || missing+=(libclang1)
  [ "${#missing[@]}" = 0 ] || apt_install "${missing[@]}"
  echo "    $(cc --version | head -n1), $("${CMAKE:-cmake}" --version | head -n1), libclang"
}

# The foreign client of the tests, and buf.
setup_python() {
  local python=python3
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
    "$VENV/bin/pip" install --quiet --disable-pip-version-check -r scripts/requirements.txt
    cp scripts/requirements.txt "$VENV/requirements.txt"
  fi
  echo "    $("$VENV/bin/python" --version), buf $("$VENV/bin/buf" --version)"
}

# All crates of this kind of machine at once, with patience for slow registries.
setup_crates() {
  # For all platforms: what checks licences looks at them all, without a network.
  CARGO_NET_RETRY=10 cargo fetch --locked --quiet
}

# Where cargo puts what it builds.
target_folder() {
  cargo metadata --no-deps --offline --format-version 1 | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}
