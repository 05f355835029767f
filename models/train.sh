#!/usr/bin/env bash
# Builds the standard deck pack from nothing: the same commands on a laptop and on a GPU machine.
#
#   models/train.sh WORK [REAL]
#
# WORK  folder for fetched deck art and fonts, runs and crops (about 5 GB)
# REAL  folder of labelled real training photos with a labels.json (optional; see README, credits):
#       its empty tables become backgrounds, its cards are harvested for the reader
#
# DEVICE=0 trains on the first GPU (default: cpu, bfloat16). WORKERS, IMAGES, SCENES, PASSES and TUNE
# set how much. Everything is repeatable from its seeds and goes on where it was stopped: a finished
# step is skipped, a started one resumes. On a machine without network, carry WORK/assets there.
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:?usage: models/train.sh WORK [REAL]}
real=${2:-}
device=${DEVICE:-cpu}
workers=${WORKERS:-2}
python=${PYTHON:-python3}
photos=()
[ -z "$real" ] || photos=(--real "$real")
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$workers}

# step NAME FOLDER COMMAND...: runs a training command, with --resume when it was started before
step() {
    local name=$1 folder=$2
    shift 2
    [ ! -e "$folder/done" ] || return 0
    echo "== $name"
    if [ -e "$folder/weights/last.pt" ]; then "$@" --resume; else "$@"; fi
    touch "$folder/done"
}

step locator "$work/locate" "$python" -m vision.training.locate --assets "$work/assets" \
    --out "$work/locate" "${photos[@]}" --images "${IMAGES:-48000}" --device "$device" --workers "$workers"
echo "== crops"
"$python" -m vision.training.crops --assets "$work/assets" --out "$work/crops" "${photos[@]}" \
    --scenes "${SCENES:-21500}" --workers "$workers"
step reader "$work/read" "$python" -m vision.training.read --crops "$work/crops" --out "$work/read" \
    --passes "${PASSES:-800000}" --epoch 40000 --device "$device"
final="$work/read"
if [ -n "$real" ]; then
    "$python" -m vision.training.pack --locate "$work/locate/weights/last.pt" \
        --read "$work/read/weights/last.pt" --out "$work/draft"
    "$python" -m vision.training.harvest --deck "$work/draft" --photos "$real/labels.json" --out "$work/harvest"
    step "reader on real crops" "$work/tune" "$python" -m vision.training.read --crops "$work/crops" \
        --harvest "$work/harvest" --weights "$work/read/weights/last.pt" --out "$work/tune" \
        --passes "${TUNE:-240000}" --epoch 40000 --rate 0.0005 --seed 5 --device "$device"
    final="$work/tune"
fi
"$python" -m vision.training.pack --locate "$work/locate/weights/last.pt" \
    --read "$final/weights/last.pt" --out models/standard --data models/standard.json
[ -z "$real" ] || "$python" -m vision.training.calibrate --deck models/standard --photos "$real/labels.json"
