#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What guard zones cost whole programs: wall-clock of fixed work beneath the
# layer, idle and with guard zones (and the ledger that they stand on), in turn,
# round after round; the median of the rounds counts. Each workload has to take
# more than a second, to find nothing, and to come to the same result.
#
#	guards.sh LAYER OPENCLAW_KERNEL KERNELS ANY_DEVICE [ROUNDS [WORKLOAD...]]
#
# KERNELS: the folder kernels/ of the sources. ANY_DEVICE: any_device.so.
# WORKLOAD: names or patterns of those below; default: all. What is not
# installed (Debian: clpeak hashcat x264 ffmpeg python3-pyopencl
# python-pyopencl-doc) is left out, and that is said.
set -eu

layer=$(realpath "$1") kernel=$(realpath "$2") kernels=$(realpath "$3")
any_device=$(realpath "$4") rounds=${5-5}
shift $(($# < 5 ? $# : 5))
chosen=${*:-*}
examples=${OPENCLAW_BENCH_EXAMPLES-/usr/share/doc/python-pyopencl-doc/examples}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS
export LC_ALL=C

# Caches are filled before anything is measured, and are nobody else's.
mkdir "$work/home" "$work/off" "$work/on"
export HOME="$work/home" XDG_CACHE_HOME="$work/home" \
	XDG_DATA_HOME="$work/home" POCL_CACHE_DIR="$work/home/pocl"
for session in off on; do
	: >"$work/$session/rules"
	mkdir "$work/$session/blobs"
done
printf 'version=1\nrecord=none\n' >"$work/off/config"
printf 'version=1\nrecord=none\nledger=sites\nguards=1\n' >"$work/on/config"
cd "$work"

# ---- workloads -------------------------------------------------------------

needs()
{
	for word; do
		case $word in
		/*) [ -e "$word" ] ;;
		*) command -v "$word" >/dev/null ;;
		esac && continue
		reason="$word is not here"
		return 1
	done
}

# hashcat is done when the keys are, whatever it finds: it ends with 1.
crack()
{
	hashcat -a 3 -m "$1" --force -D 1,2 --potfile-disable --session bench \
		--self-test-disable -n 64 -u 256 -T 1 "$2" "$3" >log 2>&1 ||
		[ $? = 1 ]
	grep -a -o -e '^Status.*' -e '^Progress.*' -e '^Recovered\..*' log
}

digits() { printf "%0$1d" 1; }

film()
{
	[ -e clip.y4m ] || ffmpeg -hide_banner -loglevel error -f lavfi \
		-i testsrc2=size=640x360:rate=30 -frames:v 60 \
		-pix_fmt yuv420p clip.y4m
}

# filter FRAMES FILTER
filter()
{
	ffmpeg -hide_banner -loglevel error -init_hw_device opencl=gpu:0.0 \
		-filter_hw_device gpu -f lavfi \
		-i testsrc2=size=640x360:rate=30 -frames:v "$1" -vf \
		"format=yuv420p,hwupload,$2,hwdownload,format=yuv420p" \
		-f framemd5 - 2>log
}

example()
{
	PYOPENCL_CTX=0 PYOPENCL_NO_CACHE=1 /usr/bin/python3 -W ignore \
		"$examples/$1" >log 2>&1
}

encode()
{
	film
	x264 --opencl --opencl-clbin "$work/home/x264" --threads 1 \
		--preset fast -o out.264 clip.y4m 2>log
	grep -o -e 'OpenCL acceleration enabled' -e 'encoded [0-9]* frames' log
}

# clw FILE REPEAT: a kernel file with one test, its data made at random.
clw()
{
	"$kernel" --file "$1" --test "$("$kernel" --file "$1" --list)" \
		--repeat "$2" --seed 1 >log 2>&1
	tail -n 1 log
}

# Files of our own that are as large as programs' kernels are.
write_clw()
{
	cat >saxpy.clw <<END
/*!
[config]
kernel_name: saxpy
global_size: 4194304

[test]
arg_in:  0 buffer float[4194304] random
arg_in:  1 buffer float[4194304] random
arg_in:  2 float 2
!*/
kernel void saxpy(global float *y, global const float *x, float a)
{
	y[get_global_id(0)] += a * x[get_global_id(0)];
}
END
	cat >matrix.clw <<END
/*!
[config]
kernel_name: multiply
global_size: 512 512
local_size: 16 16

[test]
arg_in:  0 buffer float[262144] random
arg_in:  1 buffer float[262144] random
arg_in:  2 buffer float[262144] undefined
arg_in:  3 int 512
!*/
kernel void multiply(global const float *a, global const float *b,
		     global float *c, int n)
{
	int x = get_global_id(0), y = get_global_id(1);
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[y * n + i] * b[i * n + x];
	c[y * n + x] = sum;
}
END
	cat >stencil.clw <<END
/*!
[config]
kernel_name: blur
global_size: 2048 2048

[test]
arg_in:  0 buffer float[4194304] random
arg_in:  1 buffer float[4194304] undefined
arg_in:  2 int 2048
!*/
kernel void blur(global const float *in, global float *out, int n)
{
	int x = get_global_id(0), y = get_global_id(1);
	float sum = 0;

	for (int j = max(y - 2, 0); j <= min(y + 2, n - 1); j++)
		for (int i = max(x - 2, 0); i <= min(x + 2, n - 1); i++)
			sum += in[j * n + i];
	out[y * n + x] = sum / 25;
}
END
}

again()
{
	count=$1
	shift
	while [ "$count" -gt 0 ]; do
		"$@" || return
		count=$((count - 1))
	done
}

# What clpeak measures, without the figures.
peak() { clpeak "$@" | sed 's/:.*//'; }

workloads='clpeak_global clpeak_transfer clpeak_latency hashcat_md5
	hashcat_sha1 hashcat_sha256 x264_lookahead ffmpeg_avgblur
	ffmpeg_unsharp ffmpeg_nlmeans pyopencl_demo_array
	pyopencl_elementwise pyopencl_n_body pyopencl_pi
	pyopencl_struct_reduce clw_saxpy clw_matrix clw_stencil
	clw_process_pixels'

# Sets reason where it cannot run here.
can_run()
{
	case $1 in
	clpeak_*) needs clpeak ;;
	hashcat_*) needs hashcat ;;
	x264_*) needs x264 ffmpeg ;;
	ffmpeg_*) needs ffmpeg ;;
	pyopencl_*) needs /usr/bin/python3 "$examples/demo.py" ;;
	esac
}

# Its result on stdout.
run_workload()
{
	case $1 in
	clpeak_global) peak --global-bandwidth ;;
	clpeak_transfer) peak --transfer-bandwidth ;;
	clpeak_latency) again 5 peak --kernel-latency ;;
	hashcat_md5) crack 0 "$(digits 32)" '?l?l?l?l?l?d' ;;
	hashcat_sha1) crack 100 "$(digits 40)" '?l?l?l?l?l?d' ;;
	hashcat_sha256) crack 1400 "$(digits 64)" '?l?l?l?l?l?d' ;;
	x264_lookahead) encode ;;
	ffmpeg_avgblur) filter 20 avgblur_opencl=sizeX=9 ;;
	ffmpeg_unsharp) filter 60 unsharp_opencl=lx=9:ly=9 ;;
	ffmpeg_nlmeans) filter 8 nlmeans_opencl=p=3:r=5 ;;
	pyopencl_demo_array) again 3 example demo_array.py ;;
	pyopencl_elementwise) again 2 example demo_elementwise.py ;;
	pyopencl_n_body) again 8 example n-body.py ;;
	pyopencl_pi) example pi-monte-carlo.py ;;
	pyopencl_struct_reduce) again 5 example demo-struct-reduce.py ;;
	clw_saxpy) clw saxpy.clw 20 ;;
	clw_matrix) clw matrix.clw 20 ;;
	clw_stencil) clw stencil.clw 10 ;;
	clw_process_pixels) clw "$kernels/full_size/process_pixels_full.clw" 20 ;;
	esac
}

# ---- measuring -------------------------------------------------------------

# numbers FILE OFFSET COUNT: 64-bit numbers of a file of findings
# (faults/shared/found_format.h).
numbers() { od -An -v -w$(($3 * 8)) -t u8 -j "$2" -N $(($3 * 8)) "$1"; }

# measure NAME off|on: a line of the table: milliseconds, findings, buffers with
# zones, launches that were looked at and that were not; leaves NAME.off|on.
measure()
{
	layers=$layer
	[ "$1" != x264_lookahead ] || layers=$layer:$any_device
	status=0
	begin=$(date +%s%N)
	OPENCL_LAYERS=$layers OPENCLAW_SESSION="$work/$2" \
		run_workload "$1" >"$1.$2" || status=$?
	end=$(date +%s%N)
	[ $status = 0 ] || echo "$1: ended with $status $2: $(tail -n 1 log)"
	for file in "$work/$2"/found.*; do
		[ -e "$file" ] && numbers "$file" 40 10
	done | awk -v head="$1 $2 $(((end - begin) / 1000000))" '
		{ found += $1; guarded += $8; looked += $9; missed += $10 }
		END { print head, found + 0, guarded + 0, looked + 0, missed + 0 }
	' >>table
	ls "$work/$2"/journal.* >/dev/null 2>&1 || echo "$1 $2" >>unloaded
	rm -f "$work/$2"/journal.* "$work/$2"/ledger.* "$work/$2"/found.*
}

is_chosen()
{
	for pattern in $chosen; do
		# shellcheck disable=SC2254
		case $1 in $pattern) return 0 ;; esac
	done
	return 1
}

write_clw
todo=
set -f
for name in $workloads; do
	is_chosen "$name" || continue
	reason=
	if can_run "$name"; then
		todo="$todo $name"
	else
		echo "$name: left out: $reason"
	fi
done
set +f

# Thrown away: caches are filled, and the results compared.
: >unloaded
for name in $todo; do
	measure "$name" off
	sed -i '$d' table
	measure "$name" off
	measure "$name" on
	cmp -s "$name.off" "$name.on" || echo "$name: not the same result with" \
		"guard zones: $(diff "$name.off" "$name.on" | head -n 3 |
		tr '\n' ' ')"
	cp "$name.off" "$name.first"
done
sed 's/ .*/: the layer was not loaded/' unloaded | sort -u
mv table warm 2>/dev/null || exit 0

round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	for name in $todo; do
		if [ $((round % 2)) = 1 ]; then
			measure "$name" off
			measure "$name" on
		else
			measure "$name" on
			measure "$name" off
		fi
		for way in off on; do
			cmp -s "$name.first" "$name.$way" ||
				echo "$name: another result in round $round, $way"
		done
	done
done
[ -e table ] || cp warm table

awk -v rounds="$rounds" '
	function median(name, way,   i, j, n, list, swap) {
		n = count[name, way]
		for (i = 1; i <= n; i++)
			list[i] = ms[name, way, i]
		for (i = 1; i <= n; i++)
			for (j = i + 1; j <= n; j++)
				if (list[j] < list[i]) {
					swap = list[i]; list[i] = list[j]; list[j] = swap
				}
		return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
	}
	{
		if (!($1 in seen)) { seen[$1] = 1; names[++name_count] = $1 }
		ms[$1, $2, ++count[$1, $2]] = $3
		if ($2 == "on") {
			found[$1] = $4; guarded[$1] = $5; looked[$1] = $6; missed[$1] = $7
		}
	}
	END {
		printf "%-24s %8s %8s %7s %9s %9s %6s\n", "medians of " rounds " rounds", \
			"off ms", "on ms", "ratio", "guarded", "launches", "missed"
		for (i = 1; i <= name_count; i++) {
			name = names[i]
			off = median(name, "off"); on = median(name, "on")
			printf "%-24s %8d %8d", name, off, on
			if (off < 1000) {
				print "  refused: less than a second"
				continue
			}
			printf " %7.3f %9d %9d %6d%s\n", on / off, guarded[name], \
				looked[name], missed[name], \
				found[name] ? "  " found[name] " FINDINGS" : ""
			sum += log(on / off); n++
			if (looked[name]) { sum_looked += log(on / off); n_looked++ }
		}
		if (n)
			printf "geometric mean of %d: %.3f", n, exp(sum / n)
		if (n_looked)
			printf "; of the %d with launches that were looked at: %.3f", \
				n_looked, exp(sum_looked / n_looked)
		print ""
	}' table
