#!/usr/bin/env bash
# A soak: thousands of fast games of the engine against itself in many settings. Run it on a machine that does nothing else.
#   scripts/soak.sh [GAMES] [DIRECTORY]      5000 games unless told otherwise; PGN and tables go into DIRECTORY, target/soak by default
# Threads 1 and 2, Hash 1 to 256, ponder on and off, standard chess and Chess960, with the tables of SYZYGY if that is set.
# Losses on time, illegal moves, crashes, stalls and warnings (words of the engine that do not hold) make it fail. The runner watches whether the
# machine stands still: a game that is lost on time by that alone is void and played again, and void games are counted, not failed. As root, or
# with the right to real-time priority, it sees every stall; otherwise only those for which the system counts stolen time.
# OTHER adds options to the second engine, for instance "option.EvalFile=old.nnue", and OTHER_ENGINE is another program in its place: then the
# soak is a match as well.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-5000}
directory=${2:-target/soak}
mkdir -p "$directory"
cargo build --release --quiet -p stillwater -p stillwater-lab
engine=target/release/stillwater
opponent=${OTHER_ENGINE:-$engine}
tables=${SYZYGY:-tests/data/syzygy}
part=$((games / 10))
[ "$part" -ge 2 ] || part=2
number=0
play() { # threads, hash, other hash, further options of the match
    local threads=$1 hash=$2 other=$3
    shift 3
    number=$((number + 1))
    echo "== $number: Threads $threads, Hash $hash against $other $*"
    target/release/stillwater-lab match --games $((part / 2 * 2)) --concurrency 2 --recover true --watch-stalls "$@" \
        --each "tc=0.3+0.003 option.Threads=$threads option.SyzygyPath=$tables" \
        --engine "cmd=$engine name=one option.Hash=$hash" --engine "cmd=$opponent name=two option.Hash=$other ${OTHER:-}" \
        --pgn "$directory/$number.pgn" --seed "$number" | tee "$directory/$number.txt" | tail -5
}
play 1 1 256
play 1 16 64
play 2 16 16
play 2 1 128
play 1 16 16 --variant fischerandom
play 2 64 4 --variant fischerandom
play 1 32 8 --ponder
play 2 8 32 --ponder
play 1 256 256
play 1 2 2 --variant fischerandom --ponder
target/release/stillwater-lab rate --anchor two=0 "$directory"/*.pgn
faults=$(cat "$directory"/*.pgn | grep -cE '^\[Termination "(time forfeit|illegal move|abandoned|stall)"\]' || true)
echo "games: $(cat "$directory"/*.pgn | grep -cE '^\[Result "(1-0|0-1|1/2-1/2)"\]' || true)"
echo "void games, played again: $(cat "$directory"/*.pgn | grep -c '^\[Termination "void"\]' || true)"
sed -nE 's/^stalls of .*: the machine ([0-9]+) times?(, ([0-9.]+) ms.*)?; a core .*/\1 \3/p' "$directory"/*.txt |
    awk '{ count += $1; if ($2 > longest) longest = $2 } END { printf "the machine stood still: %d times, %.1f ms at most\n", count, longest }'
echo "lost on time, illegal, crashed or stalled: $faults"
warnings=$(cat "$directory"/*.pgn | tr '\n' ' ' | grep -oE ', warning: [^,}]*' | tee "$directory/warnings.txt" | wc -l || true)
echo "warnings: $warnings"
[ "$faults" = 0 ] && [ "$warnings" = 0 ]
