# shellcheck shell=bash
# Sourced by ./demo and ./test: says what is being done, and how long each step took.

STEP_NAMES=()
STEP_SECONDS=()
STEP_RESULTS=()

say() {
  printf '\n==> %s  (after %d s)\n' "$*" "$SECONDS"
}

# Ends everything: `die WHY`.
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Runs a command, or a function in a shell of its own: `step NAME COMMAND...`. A failure is noted, not fatal.
step() {
  local name=$1 begin=$SECONDS code
  shift
  say "$name"
  # Not in a condition: `set -e` would not hold inside.
  set +e
  (
    set -euo pipefail
    "$@"
  )
  code=$?
  set -e
  STEP_NAMES+=("$name")
  STEP_SECONDS+=($((SECONDS - begin)))
  if [ "$code" = 0 ]; then STEP_RESULTS+=(ok); else STEP_RESULTS+=("FAILED ($code)"); fi
  printf '    %s: %s, %d s\n' "$name" "${STEP_RESULTS[-1]}" "${STEP_SECONDS[-1]}"
}

# Like `step`, for what everything else needs.
required() {
  step "$@"
  [ "${STEP_RESULTS[-1]}" = ok ] || die "$1: cannot go on without"
}

# Prints a line for each step.
steps_table() {
  local i total=0
  printf '\n%-34s %7s  %s\n' step seconds result
  for i in "${!STEP_NAMES[@]}"; do
    printf '%-34s %7d  %s\n' "${STEP_NAMES[i]}" "${STEP_SECONDS[i]}" "${STEP_RESULTS[i]}"
    total=$((total + STEP_SECONDS[i]))
  done
  printf '%-34s %7d\n' total "$total"
}

# Whether every step so far went well.
steps_ok() {
  local result
  for result in "${STEP_RESULTS[@]}"; do
    [ "$result" = ok ] || return 1
  done
}
