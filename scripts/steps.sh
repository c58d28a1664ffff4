# shellcheck shell=bash
# The steps of a script: runs each, and prints how long it took and how it ended. Sourced by ./demo, ./test and
# other scripts.

STEP_NAMES=()
STEP_SECONDS=()
STEP_CPU=()
STEP_RESULTS=()
# A folder for this run, removed at its end.
RUN=$(mktemp -d)
# The step that runs in the background.
BACKGROUND=
BACKGROUND_NAME=
trap '[ -z "$BACKGROUND" ] || kill "$BACKGROUND" 2>/dev/null || true; rm -rf "$RUN"' EXIT
# One line for each check that was skipped.
: >"$RUN/skips"
# The exit code of a step that was skipped as a whole.
SKIP=77

say() {
  printf '\n==> %s  (after %d s)\n' "$*" "$SECONDS"
}

# Ends everything: `die WHY`.
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Notes that something is not checked: `skipped WHAT_AND_WHY`.
skipped() {
  echo "    SKIPPED: $*"
  echo "$*" >>"$RUN/skips"
}

# Ends a step that cannot run: `skip_step WHY`.
skip_step() {
  skipped "$*"
  exit "$SKIP"
}

# Sets CPU to the processor seconds, of user and system, of all ended children of this shell.
measure_cpu() {
  times >"$RUN/times"
  CPU=$(tail -n 1 "$RUN/times" |
    awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } printf "%d", s }')
}

# Runs a command, or a function in a shell of its own: `step NAME COMMAND...`. A failure is noted and ends nothing.
step() {
  local name=$1 begin=$SECONDS cpu skips code result
  shift
  say "$name"
  measure_cpu
  cpu=$CPU
  skips=$(wc -l <"$RUN/skips")
  # Not in a condition: `set -e` would not hold inside.
  set +e
  (
    set -euo pipefail
    trap - EXIT
    "$@"
  )
  code=$?
  set -e
  skips=$(($(wc -l <"$RUN/skips") - skips))
  measure_cpu
  case $code in
    0) if [ "$skips" = 0 ]; then result=ok; else result="ok, $skips SKIPPED"; fi ;;
    "$SKIP") result=SKIPPED ;;
    *) result="FAILED ($code)" ;;
  esac
  STEP_NAMES+=("$name")
  STEP_SECONDS+=($((SECONDS - begin)))
  STEP_CPU+=($((CPU - cpu)))
  STEP_RESULTS+=("$result")
  printf '    %s: %s, %d s\n' "$name" "$result" "${STEP_SECONDS[-1]}"
}

# Like `step`, for what everything else needs: its error is the last line.
required() {
  step "$@"
  case ${STEP_RESULTS[-1]} in FAILED*) exit 1 ;; esac
}

# Starts what only later steps need: `start_in_background NAME COMMAND...`.
start_in_background() {
  local begin=$SECONDS
  BACKGROUND_NAME=$1
  shift
  say "$BACKGROUND_NAME: started in the background"
  (
    set -euo pipefail
    trap - EXIT
    "$@"
    echo "    it took $((SECONDS - begin)) s in the background"
  ) >"$RUN/background" 2>&1 &
  BACKGROUND=$!
}

# The step that waits for it.
end_background() {
  local code=0
  wait "$BACKGROUND" || code=$?
  BACKGROUND=
  required "$BACKGROUND_NAME" background_result "$code"
}

background_result() {
  cat "$RUN/background"
  return "$1"
}

# Prints a line for each step, and what was skipped.
steps_table() {
  local i
  printf '\n%-34s %7s %9s  %s\n' step seconds processor result
  for i in "${!STEP_NAMES[@]}"; do
    printf '%-34s %7d %9d  %s\n' "${STEP_NAMES[i]}" "${STEP_SECONDS[i]}" "${STEP_CPU[i]}" "${STEP_RESULTS[i]}"
  done
  measure_cpu
  printf '%-34s %7d %9d\n' total "$SECONDS" "$CPU"
  if [ -s "$RUN/skips" ]; then
    printf '\n%d SKIPPED:\n' "$(wc -l <"$RUN/skips")"
    sed 's/^/    /' "$RUN/skips"
  fi
}

# Whether no step failed.
steps_ok() {
  local result
  for result in "${STEP_RESULTS[@]}"; do
    case $result in FAILED*) return 1 ;; esac
  done
}
