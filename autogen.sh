#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make ./configure from configure.ac (maintainers and git checkouts only), or
# with --deps install what building and running openclaw needs.
set -eu
cd "$(dirname "$0")"

usage()
{
	cat <<-'EOT'
	usage: ./autogen.sh            make ./configure
	       ./autogen.sh --deps     install what building, running and testing need
	       ./autogen.sh --deps --ci    and what .ci/run needs beyond that
	       ./autogen.sh --deps --dry-run    only say what would be installed
	EOT
}

build_packages='gcc make autoconf automake pkg-config libc6-dev libuv1-dev
	libyaml-dev libjansson-dev libxml2-dev libdw-dev zlib1g-dev libmd-dev
	libzstd-dev libsqlite3-dev check opencl-headers ocl-icd-opencl-dev libclang-dev clang'
# frame.test compares with the packages that openclaw doctor names.
run_packages='ocl-icd-libopencl1 pocl-opencl-icd oclgrind valgrind gdb lcov'
test_packages='binutils procps clinfo clpeak hashcat libxml2-utils groff-base man-db mandoc
	python3-numpy python3-pyopencl python3-pytest zsh fish'
ci_packages='git slurm-wlm chromium chromium-driver python3-selenium tidy shellcheck
	codespell cppcheck clang-tidy pyflakes3 bear cmake libgtest-dev
	gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
	gcc-i686-linux-gnu libc6-dev-i386-cross musl-tools qemu-user-static'

show()
{
	printf '%s:\n' "$1"
	shift
	echo "$*" | fold -s -w 72 | sed 's/^/    /'
}

installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# libFuzzer, for openclaw explore and make fuzz, of the clang that the distribution has, where it is a package of
# its own: libclang-rt-14-dev. Nothing where that is not known.
fuzzer_package()
{
	depends=$(dpkg-query -W -f '${Depends}' clang 2>/dev/null ||
		apt-cache show clang 2>/dev/null | sed -n 's/^Depends: //p')
	version=$(echo "$depends" | sed -n 's/.*clang-\([0-9][0-9]*\).*/\1/p;q')
	[ -n "$version" ] || return 0
	package=libclang-rt-$version-dev
	if installed "$package" ||
			[ -n "$(apt-cache show "$package" 2>/dev/null)" ]; then
		echo "$package"
	fi
}

deps()
{
	ci=no dry=no
	for word in "$@"; do
		case $word in
		--ci) ci=yes ;;
		--dry-run) dry=yes ;;
		*) usage >&2; exit 64 ;;
		esac
	done
	build_packages="$build_packages $(fuzzer_package)"
	show 'to build openclaw (compiler, autotools, libraries)' $build_packages
	show 'to run it (an OpenCL driver for CPUs, the simulator, memcheck, a debugger, lcov)' \
		$run_packages
	show 'for make check (programs that it breaks, readers of what it writes)' \
		$test_packages
	packages="$build_packages $run_packages $test_packages"
	if [ $ci = yes ]; then
		show 'for .ci/run (coverage, a browser for reports, make lint)' \
			$ci_packages
		packages="$packages $ci_packages"
	fi
	if ! command -v apt-get >/dev/null 2>&1; then
		echo 'There is no apt-get here: please install what your system calls these.'
		exit 0
	fi
	missing=
	for package in $packages; do
		installed "$package" || missing="$missing $package"
	done
	if [ -z "$missing" ]; then
		echo 'All of them are installed.'
		exit 0
	fi
	show 'not installed yet' $missing
	[ $dry = no ] || exit 0
	sudo=
	if [ "$(id -u)" != 0 ]; then
		if ! command -v sudo >/dev/null 2>&1; then
			echo 'Neither root nor sudo: as root, run' >&2
			echo "    apt-get install --no-install-recommends$missing" >&2
			exit 1
		fi
		sudo=sudo
	fi
	$sudo apt-get update -q
	# Before that they may not have been known.
	known=$(fuzzer_package) unknown=
	for package in $missing; do
		if apt-cache policy "$package" | grep -q 'Candidate: [^(]'; then
			known="$known $package"
		else
			unknown="$unknown $package"
		fi
	done
	[ -z "$unknown" ] ||
		show 'not in this distribution; what needs them is skipped' $unknown
	[ -n "$known" ] || exit 0
	echo "+ ${sudo:+$sudo }apt-get install --no-install-recommends $known"
	$sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -q --no-install-recommends $known
}

case ${1-} in
'')	exec autoreconf -fi ;;
--deps)	shift; deps "$@" ;;
--help)	usage ;;
*)	usage >&2; exit 64 ;;
esac
