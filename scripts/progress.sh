# shellcheck shell=bash
# Sourced by ./demo: how far a build is, and about how long the rest takes.

# Reads what `cargo build --message-format=json-render-diagnostics` writes, one line a compiled unit. A unit counts with
# the seconds that it took where scripts/compile-seconds.txt was made; the pace is that of this machine.
progress() {
  local line name count weight total=0 compiled=0 last=$SECONDS begin=$SECONDS left
  local -A weights
  while read -r name count weight; do
    [ "$name" != "#" ] || continue
    # Tenths of seconds: bash has no fractions. 09 is no octal number.
    weights[$name]=$((10#${weight/./}))
    total=$((total + count * weights[$name]))
  done <scripts/compile-seconds.txt
  while IFS= read -r line; do
    [[ $line == '{"reason":"compiler-artifact"'* && $line =~ \"package_id\":\"[^\"]*[/#]([A-Za-z0-9_-]+)[@#] ]] || continue
    weight=${weights[${BASH_REMATCH[1]}]:-${weights['*']}}
    if [[ $line == *'"fresh":true'* ]]; then
      total=$((total - weight))
      continue
    fi
    compiled=$((compiled + weight))
    [ $((SECONDS - last)) -ge 10 ] || continue
    last=$SECONDS
    # The list may be older than the dependencies.
    [ "$compiled" -lt "$total" ] || total=$((compiled + 1))
    left=$(((total - compiled) * (SECONDS - begin) / compiled))
    printf '    %3d %% compiled, about %d min %02d s left\n' \
      $((100 * compiled / total)) $((left / 60)) $((left % 60))
  done
}
