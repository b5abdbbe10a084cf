#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What probes in kernels cost: each kernel of suites/bench/kernels, and of
# further directories, as it is, with coverage (hit, count) and with each check
# of the sanitizer, one after the other, round after round; the shortest time of each
# counts. A kernel of which all has run in the launches before runs as it is
# (hit); "going" is the same for kernels that never get there. The time is the
# device's own (an event's); "wall" is from the call to the end of clFinish.
# Against Oclgrind, where it is here, with a part of the work-items only. A kernel
# whose results with probes are others is named, and makes the end status 1.
#
#	kernels.sh OPENCLAW BENCH_KERNELS [DIRECTORY...]
#
# MODES [plain hit going count asan races barriers init]; plain is needed. With
# "all" (the last four at once) Oclgrind looks for races and uninitialised values,
# too, and is compared with that.
# CLOCK=cpu: the process's processor time in place of the device's, for a driver
# that is the CPU on a machine that does other work, too.
# ROUNDS [3], TIMES [5] launches a round, PART [64]: work-items by this for
# Oclgrind, 0: without it; OPTIONS for all builds; KEEP=DIR keeps the lists.
set -eu

openclaw=$(realpath "$1") bench=$(realpath "$2")
shift 2
rounds=${ROUNDS-3} times=${TIMES-5} part=${PART-64}
LC_ALL=C
export LC_ALL
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

for directory; do
	find "$(realpath "$directory")" -name '*.cl' | sort
done >"$work/files"
[ -s "$work/files" ] || {
	echo "kernels.sh: no .cl files in: $*" >&2
	exit 64
}

# under MODE: how a program is run in it.
# shellcheck disable=SC2046
under()
{
	mode=$1
	shift
	case $mode in
	plain) "$@" ;;
	hit) "$openclaw" cover --quiet --force -o "$work/hit" -- "$@" ;;
	going) OPENCLAW_INSTRUMENT=$work/going "$openclaw" cover --quiet \
		--force -o "$work/hit" -- "$@" ;;
	count) "$openclaw" cover --quiet --force --count -o "$work/count" \
		-- "$@" ;;
	asan) "$openclaw" check --kernels --error-exitcode 0 --force \
		-o "$work/asan" -- "$@" ;;
	races | barriers | init) "$openclaw" check --kernels="$mode" \
		--error-exitcode 0 --force -o "$work/$mode" -- "$@" ;;
	all) "$openclaw" check --kernels=bounds,races,barriers,init \
		--error-exitcode 0 --force -o "$work/$mode" -- "$@" ;;
	oclgrind) OCL_ICD_VENDORS=$work/oclgrind "$@" ;;
	esac
}

# measure MODE LIST WORDS...: adds to LIST.
measure()
{
	mode=$1 list=$2
	shift 2
	# shellcheck disable=SC2046
	under "$mode" "$bench" ${CLOCK:+-c} "$@" ${OPTIONS:+-o "$OPTIONS"} \
		$(cat "$work/files") >>"$work/$list" 2>"$work/$list.err" || {
		echo "kernels.sh: $mode failed:" >&2
		tail -n 5 "$work/$list.err" >&2
	}
}

# Of a map that does not say what a kernel can come to nothing is complete.
helper=${OPENCLAW_INSTRUMENT-$(dirname "$openclaw")/openclaw-instrument}
cat >"$work/going" <<END
#!/bin/sh
"$helper" "\$@" || exit
[ "\$1" = --names ] || sed -i '/^reach /d' "\$2.map"
END
chmod +x "$work/going"

modes=${MODES-plain hit going count asan races barriers init}
beside=asan
case " $modes " in
*' all '*)
	beside=all OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1
	export OCLGRIND_DATA_RACES OCLGRIND_UNINITIALIZED
	;;
esac
round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	for mode in $modes; do
		measure "$mode" "$mode.list" -r "$times"
	done
done

# Where is Oclgrind's own driver? In the place that "openclaw doctor" names.
oclgrind=
if [ "$part" != 0 ]; then
	oclgrind=$("$openclaw" doctor 2>/dev/null |
		sed -n 's|.* \(/[^ ]*oclgrind[^ ]*\.so\).*|\1|p' | head -n 1)
fi
if [ "$oclgrind" ]; then
	mkdir "$work/oclgrind"
	echo "$oclgrind" >"$work/oclgrind/oclgrind.icd"
	for mode in plain $beside oclgrind; do
		measure "$mode" "$mode.part" -r 1 -d "$part"
	done
fi
[ -z "${KEEP-}" ] || cp "$work"/*.list "$work"/*.part "$KEEP" 2>/dev/null || :

# ---- the table ---------------------------------------------------------------

# shellcheck disable=SC2016
table='
function least(to, key, value)
{
	if (value + 0 > 0 && (!(key in to) || value + 0 < to[key]))
		to[key] = value + 0
}

function ratio(mode, of, key, wall,   one, other)
{
	one = of SUBSEP key SUBSEP wall
	other = mode SUBSEP key SUBSEP wall
	if (!(one in best) || !(other in best))
		return 0
	return best[other] / best[one]
}

function cell(mode, of, key,   r)
{
	r = ratio(mode, of, key, 0)
	if (r)
		mean(mode, r)
	r_wall = ratio(mode, of, key, 1)
	if (r_wall)
		mean(mode " wall", r_wall)
	return r ? sprintf("%7.2f", r) : "      -"
}

function mean(of, r)
{
	logs[of] += log(r)
	numbers[of]++
	if (r > worst[of])
		worst[of] = r
}

FNR == 1 {
	mode = FILENAME
	sub(/.*\//, "", mode)
	is_part = sub(/\.part$/, "", mode)
	sub(/\.list$/, "", mode)
	if (is_part)
		mode = "part " mode
}
NF < 4 || $1 !~ /\.cl$/ { next }
{
	key = $1 " " $2
	if ($2 == "-" && is_part)
		next
	if (!(key in known)) {
		known[key] = 1
		keys[++count] = key
	}
}
$3 == "-" {
	problem[mode, key] = $0
	sub(/^[^ ]* [^ ]* - /, "", problem[mode, key])
	next
}
{
	least(best, mode SUBSEP key SUBSEP 0, $3)
	least(best, mode SUBSEP key SUBSEP 1, $4)
	if (!((mode, key) in hash))
		hash[mode, key] = $5
	else if (hash[mode, key] != $5)
		unsteady[mode, key] = 1
}
END {
	columns = split(modes, column, " ")
	printf "%-32s %10s", "kernel", "plain us"
	for (m = 2; m <= columns; m++)
		printf " %8s", column[m]
	print "  oclgrind"
	for (i = 1; i <= count; i++) {
		key = keys[i]
		name = key
		sub(/.*\//, "", name)
		sub(/\.cl /, "/", name)
		if (("plain", key) in problem) {
			printf "%-32s left out: %s\n", name,
				problem["plain", key]
			continue
		}
		line = sprintf("%-32s %10.1f", name,
			best["plain", key, 0] / 1000)
		for (m = 2; m <= columns; m++)
			line = line "  " cell(column[m], "plain", key)
		r = ratio("part oclgrind", "part " beside, key, 1)
		if (r)
			mean("oclgrind", r)
		print line (r ? sprintf(" %9.1f", r) : "         -")
		for (m = columns; m > 1; m--) {
			mode = column[m]
			if ((mode, key) in problem)
				wrong[++wrongs] = name ", " mode ": " \
					problem[mode, key]
			else if (!(("plain", key) in unsteady) &&
				 hash[mode, key] != hash["plain", key])
				wrong[++wrongs] = name ", " mode \
					": other results"
		}
	}
	print ""
	column[columns + 1] = "oclgrind"
	for (m = 2; m <= columns + 1; m++) {
		mode = column[m]
		if (!numbers[mode])
			continue
		printf "%-9s %s %6.2f over %d kernels, at most %.2f", mode,
			mode == "oclgrind" ? "times " beside ":" : \
			"times plain:", exp(logs[mode] / numbers[mode]),
			numbers[mode], worst[mode]
		if (numbers[mode " wall"])
			printf " (wall: %.2f)",
				exp(logs[mode " wall"] / numbers[mode " wall"])
		print mode == "oclgrind" ? \
			", with a part of the work-items, wall" : ""
	}
	for (i = 1; i <= wrongs; i++)
		print "WRONG: " wrong[i]
	exit wrongs > 0
}'
set --
for mode in $modes; do
	set -- "$@" "$work/$mode.list"
done
[ -z "$oclgrind" ] || set -- "$@" "$work/plain.part" "$work/$beside.part" \
	"$work/oclgrind.part"
"$openclaw" info --list 2>/dev/null | head -n 4 || :
awk -v modes="$modes" -v beside="$beside" "$table" "$@"
