# SPDX-License-Identifier: Apache-2.0
# What the scripts of libclw and pyopenclaw share: an environment of their own,
# and cases of a description, natively and on a GPU. After lib.sh.
OPENCLAW=$(realpath "$OPENCLAW")
build=$(pwd)
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OCL_ICD_VENDORS \
	CLW_DEVICE_ID CLW_LOG_LEVEL CLW_MEM_TIMEOUT_MS CLW_MAX_ALLOCATION_MB \
	CLW_RESERVE_MB CLW_PAGING CLW_WORKER CLW_WORKLOAD CLW_PROGRAM_CACHE CLW_GPU_TIMEOUT_MS PYOPENCLAW_LIBRARY
CLW_KERNEL_PATH=$srcdir/kernels/seeds
POCL_CACHE_DIR=$OPENCLAW_TEST_CACHE/POCL_CACHE_DIR
XDG_CONFIG_HOME=$work/none
PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$build/python
expects=$srcdir/suites/self/lib/expects.sh
export CLW_KERNEL_PATH POCL_CACHE_DIR XDG_CONFIG_HOME PYTHONDONTWRITEBYTECODE \
	PYTHONPATH expects
mkdir -p "$POCL_CACHE_DIR"
# shellcheck disable=SC3045
ulimit -c 0

has_device() { "$OPENCLAW" info --list >/dev/null 2>&1; }

passed()
{
	[ "$1" = PASSED ] && return
	sed -n "/^  $2 /,/^  [^ ]/p" out
	return 1
}

# cases DESCRIPTION PREFIX: each of its cases, by "openclaw test".
cases()
{
	for tool in native device; do
		status=0
		timeout -k 5 900 "$OPENCLAW" test "$1" --under $tool --force \
			-o "$work/cases" >"$work/out" 2>"$work/err" || status=$?
		if [ $tool = device ] && [ "$status" = 77 ]; then
			skip "$2 on a GPU" 'no GPU here'
			continue
		fi
		sed -n 's/^  \([^ ]*\)  *\([A-Z-]*\)$/\1 \2/p' "$work/out" >results
		ok "$2, $tool: openclaw test has cases" [ -s results ]
		while read -r name verdict; do
			if [ "$verdict" = SKIPPED ]; then
				skip "$2, $tool: $name" \
					"$(sed -n "/^  $name /{n;s/^ *//p;}" "$work/out")"
			else
				ok "$2, $tool: $name" passed "$verdict" "$name"
			fi
		done <results
	done
}
