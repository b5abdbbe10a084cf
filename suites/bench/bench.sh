#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the layer costs, in ns a call: each configuration in turn, round after
# round, so that whatever else the machine does meets all of them; the best
# round counts. Differences are to a layer that does nothing but call on.
#
# Below the table: references of a million live objects, of one object in eight
# threads, and what ten million objects that are made and released leave.
#
#	bench.sh LAYER NULL_LAYER BENCH_CALLS STUB_ICD [ROUNDS]
#
# OPENCLAW_BENCH_ICD=native measures on the system's driver, not the stub.
set -eu

layer=$1 null_layer=$2 bench=$3 stub=$4 rounds=${5-7}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS

if [ "${OPENCLAW_BENCH_ICD-stub}" = stub ]; then
	mkdir "$work/vendors"
	echo "$stub" >"$work/vendors/stub.icd"
	OCL_ICD_VENDORS=$work/vendors
	export OCL_ICD_VENDORS
fi

mkdir "$work/idle" "$work/ring" "$work/counts" "$work/sites" "$work/traced" \
	"$work/captured" "$work/metered"
for session in idle ring counts sites traced captured metered; do
	: >"$work/$session/rules"
done
echo 'version=1' >"$work/idle/config"
printf 'version=1\nledger=counts\n' >"$work/counts/config"
printf 'version=1\nledger=sites\n' >"$work/sites/config"
printf 'version=1\nledger=sites\nmeters=1\n' >"$work/metered/config"
printf 'version=1\ncapture=none\n' >"$work/traced/config"
printf 'version=1\ncapture=hash\n' >"$work/captured/config"
printf 'version=1\nrecord=last\nrecord_capacity=4096\nrecord_queries=1\n' \
	>"$work/ring/config"

# Twenty rules for each function that is measured, none of which fires.
twenty()
{
	for function in clRetainMemObject clReleaseMemObject clSetKernelArg \
		clCreateBuffer clEnqueueNDRangeKernel clFinish; do
		i=0
		while [ $i -lt 20 ]; do
			i=$((i + 1))
			printf '%s:oom-host:%s%d;' $function "$1" $((i + $2))
		done
	done
}
far=$(twenty when= 1000000000)
elsewhere=$(twenty thread= 20)

words=
measure()
{
	name=$1
	shift
	env "$@" "$bench" $words | sed "s/^/$name /" >>"$work/figures"
	rm -f "$work"/*/journal.* "$work"/*/ledger.* "$work"/*/trace.* \
		"$work"/*/contents.* "$work"/*/meters.*
}

# Idle, and with each way of keeping the ledger.
measure_ledgers()
{
	measure null OPENCL_LAYERS="$null_layer"
	for session in idle counts sites; do
		measure $session OPENCL_LAYERS="$layer" \
			OPENCLAW_SESSION="$work/$session"
	done
}

round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	measure direct A=
	measure null OPENCL_LAYERS="$null_layer"
	measure idle OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/idle"
	measure icd OCL_ICD_VENDORS="$layer" OPENCLAW_SESSION="$work/idle" \
		OPENCLAW_ICD_TARGET="${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"
	measure others OPENCL_LAYERS="$layer" \
		OPENCLAW_FAULTS='clCreateImage:oom;clEnqueueMapImage:null;clLinkProgram:hang'
	measure far OPENCL_LAYERS="$layer" OPENCLAW_FAULTS="$far"
	measure elsewhere OPENCL_LAYERS="$layer" OPENCLAW_FAULTS="$elsewhere"
	measure ring OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/ring"
	measure counts OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/counts"
	measure sites OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/sites"
	measure metered OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/metered"
	measure traced OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/traced"
	measure captured OPENCL_LAYERS="$layer" \
		OPENCLAW_SESSION="$work/captured"
done
mv "$work/figures" "$work/table"

awk -v rounds="$rounds" '
	!(($1, $2) in best) || $3 < best[$1, $2] { best[$1, $2] = $3 }
	!($2 in seen) { seen[$2] = 1; calls[++call_count] = $2 }
	END {
		count = split("direct null idle icd others far elsewhere ring counts sites metered traced captured", names)
		says["direct"] = "no layer"
		says["null"] = "do-nothing layer"
		says["idle"] = "openclaw, idle"
		says["icd"] = "openclaw as an ICD, idle"
		says["others"] = "rules for other functions"
		says["far"] = "20 rules a function, when= far off"
		says["elsewhere"] = "20 rules a function, other threads"
		says["ring"] = "journal of the last 4096 calls"
		says["counts"] = "ledger"
		says["sites"] = "ledger with sites"
		says["metered"] = "ledger with sites, and meters"
		says["traced"] = "capture: calls, no contents"
		says["captured"] = "capture: calls and contents"
		printf "ns a call, best of %d rounds (difference to the do-nothing layer)\n%-36s", rounds, ""
		for (j = 1; j <= call_count; j++)
			printf " %18s", calls[j]
		print ""
		for (i = 1; i <= count; i++) {
			printf "%-36s", says[names[i]]
			for (j = 1; j <= call_count; j++) {
				ns = best[names[i], calls[j]]
				printf " %9.1f", ns
				if (i > 2)
					printf " (%+6.1f)", ns - best["null", calls[j]]
				else
					printf "         "
			}
			print ""
		}
	}' "$work/table"

round=0
while [ $round -lt 3 ]; do
	round=$((round + 1))
	for words in live shared; do
		measure_ledgers
	done
done
awk '
	!(($1, $2) in best) || $3 < best[$1, $2] { best[$1, $2] = $3 }
	END {
		split("idle counts sites", names)
		print "\nns a call, best of 3 rounds (difference to the idle layer)"
		split("random shared", what)
		says["random"] = "a reference of one of 1,000,000, at random"
		says["shared"] = "a reference of one object, 8 threads"
		for (j = 1; j <= 2; j++) {
			printf "%-44s null %.1f", says[what[j]], best["null", what[j]]
			for (i = 1; i <= 3; i++)
				printf "  %s %.1f (%+.1f)", names[i], best[names[i], what[j]], \
					best[names[i], what[j]] - best["idle", what[j]]
			print ""
		}
	}' "$work/figures"

: >"$work/figures"
words=cycles
for session in idle counts sites; do
	measure $session OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/$session"
done
awk '
	{ kib[$1, $2] = $3 }
	END {
		print "\nKiB before and after 10,000,000 objects"
		split("idle counts sites", names)
		for (i = 1; i <= 3; i++)
			printf "%-8s files %d to %d, memory %d to %d\n", names[i], \
				kib[names[i], "files-before"], kib[names[i], "files-after"], \
				kib[names[i], "memory-before"], kib[names[i], "memory-after"]
	}' "$work/figures"
