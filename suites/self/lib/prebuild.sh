# SPDX-License-Identifier: Apache-2.0
# For scripts that run many programs with a kernel each on pocl: after lib.sh,
# with POCL_CACHE_DIR set or the user's own cache. What the programs build, told
# by sources_layer.so on oclgrind's simulator, is built by helpers/prebuild, all
# in one process, which takes a sixth of the time. Without oclgrind nothing is
# prebuilt, and each program builds its own: the tests say the same.
#
#	simulator			sets $simulator, a directory for
#					OCL_ICD_VENDORS; fails without oclgrind
#	telling COMMAND...		runs it; what it builds is kept
#	prebuild			builds what was kept
#	prebuild_of PROGRAM...		all of this, for programs
prebuild_here=$(dirname "$OPENCLAW")/suites/self

simulator()
{
	for file in ${OPENCLAW_OCLGRIND_ICD:+"$OPENCLAW_OCLGRIND_ICD"} \
		/usr/lib/oclgrind/liboclgrind-rt-icd.so \
		/usr/lib/*/oclgrind/liboclgrind-rt-icd.so; do
		simulator=$work/.simulator
		[ -e "$file" ] && mkdir -p "$simulator" &&
			echo "$file" >"$simulator/oclgrind.icd" && return
	done
	return 1
}

telling()
{
	mkdir -p "$work/.sources"
	env OPENCL_LAYERS="$prebuild_here/driver/sources_layer.so" \
		CLAW_TEST_SOURCES="$work/.sources" "$@"
}

prebuild()
{
	find "$work/.sources" -type f 2>/dev/null |
		timeout -k 5 300 xargs -n 100 -P "$(getconf _NPROCESSORS_ONLN)" \
		"$prebuild_here/helpers/prebuild" >/dev/null 2>&1
	rm -rf "$work/.sources"
}

prebuild_of()
{
	simulator || return 0
	for program; do
		[ ! -x "$program" ] || OCL_ICD_VENDORS=$simulator telling \
			timeout -k 5 20 "$program" >/dev/null 2>&1 </dev/null
	done
	prebuild
	return 0
}
