#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does a device model do what was recorded of the device? Runs device_faults
# under the model for each line of a recording, the trigger injected, and
# compares. Exit status 0: all match, 1: some do not.
#
#	fidelity.sh OPENCLAW HELPERS MODEL RECORDING...
#
# openclaw-device-faults is beside openclaw, fidelity in HELPERS. open/ has what
# was recorded and is not all modelled yet.
set -u
openclaw=$1 helpers=$2 model=$3
program=$(dirname "$openclaw")/openclaw-device-faults
shift 3
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-fidelity.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$work/cache"
POCL_CACHE_DIR=$work/cache
export POCL_CACHE_DIR

# run TRIGGER FIRST [openclaw's options]: one line, or none.
run()
{
	trigger=$1 first=$2
	shift 2
	timeout -k 5 120 "$openclaw" inject --model "$model" "$@" -- \
		"$program" --injected "$trigger" "$first" \
		2>>"$work/log"
}

status=0
for recording; do
	sed 's/^{"trigger":"\([^"]*\)","first":"\([^"]*\)".*/\1 \2/' \
		"$recording" >"$work/runs"
	while read -r trigger first; do
		launch='clEnqueueNDRangeKernel:kernel=trigger' again=
		case $trigger in
		two_*) again="--model $model" ;;
		esac
		case ${trigger#two_} in
		slow | oom_lazy | overmax | user_event | fork | fork_parent)
			run "$trigger" "$first" $again ;;
		misaligned | trap)
			run "$trigger" "$first" $again \
				--fault "$launch:gpu-crash=${trigger#two_}" ;;
		*) run "$trigger" "$first" $again \
			--fault "$launch:gpu-crash" ;;
		esac
	done <"$work/runs" >"$work/told"
	echo "${recording##*/}:"
	"$helpers/fidelity" "$recording" "$work/told" || status=1
done
[ $status = 0 ] || sed '/INJECTED/d;s/^/# /' "$work/log" | sort | uniq -c | head
exit $status
