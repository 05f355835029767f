#!/usr/bin/env bash
# Builds the standard deck pack from nothing: the same commands on a laptop and on a GPU machine.
#
#   models/train.sh WORK [REAL]
#
# WORK  folder for fetched deck art and fonts, runs and crops (about 5 GB)
# REAL  folder of labelled real training photos with a labels.json (optional; see README, credits):
#       its empty tables become backgrounds; two thirds of its indices train the reader, the rest
#       calibrate the scores
#
# DEVICE=0 trains on the first GPU (default: cpu, bfloat16). WORKERS, IMAGES, SCENES,
# PASSES, HARDER and MORE set how much. Everything is repeatable from its seeds and goes on where it was stopped: a finished
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
    --out "$work/locate" "${photos[@]}" --images "${IMAGES:-110000}" --device "$device" --workers "$workers"
echo "== crops"
"$python" -m vision.training.crops --assets "$work/assets" --out "$work/crops" "${photos[@]}" \
    --scenes "${SCENES:-21500}" --workers "$workers"
step "first reader" "$work/first" "$python" -m vision.training.read --crops "$work/crops" --out "$work/first" \
    --passes "${PASSES:-560000}" --epoch 40000 --device "$device"
"$python" -m vision.training.pack --locate "$work/locate/weights/last.pt" \
    --read "$work/first/weights/last.pt" --out "$work/pack"

# Indices as this first pack places them, what it takes for indices where there are none, and real
# indices with their names make the reader that ships.
echo "== harder crops"
"$python" -m vision.training.crops --assets "$work/assets" --out "$work/harder" "${photos[@]}" --deck "$work/pack" \
    --scenes "${HARDER:-35000}" --seed 61 --workers "$workers"
harvest=()
if [ -n "$real" ]; then
    "$python" -m vision.training.harvest --deck "$work/pack" --photos "$real" --out "$work/harvest"
    harvest=(--harvest "$work/harvest" --times 2)
fi
step reader "$work/read" "$python" -m vision.training.read --crops "$work/harder" "${harvest[@]}" \
    --weights "$work/first/weights/last.pt" --out "$work/read" --passes "${MORE:-4500000}" --epoch 40000 \
    --rate 0.001 --device "$device"
"$python" -m vision.training.pack --locate "$work/locate/weights/last.pt" \
    --read "$work/read/weights/last.pt" --out models/standard --data models/standard.json
[ -z "$real" ] || "$python" -m vision.training.calibrate --deck models/standard --photos "$real"
