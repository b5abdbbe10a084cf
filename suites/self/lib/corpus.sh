# SPDX-License-Identifier: Apache-2.0
# For scripts that run a corpus of small host programs, built as they stand and
# with -DPLANTED (suites/lifetime/lifetime.h): after lib.sh, with $sources and
# $programs, their directories.
#
#	names [PREFIX]			of the sources
#	planted [PREFIX]		of the planted twins
#	mark_of NAME MARK		the words of the first comment "MARK: ..."
#	line_of NAME MARK		the line below it
#	has_note NAME NOTE		" * NOTE: " in the first comment
#	find_oclgrind			icd/oclgrind.icd in the working directory,
#					where oclgrind is
#	run_all DIRECTORY PROGRAM...	"./one DIRECTORY PROGRAM", which leaves
#					DIRECTORY/PROGRAM.{status,out,err}
#	status_of, show, lacks, ends_well DIRECTORY PROGRAM

source_of()
{
	ls "$sources/${1%_planted}.c" "$sources/${1%_planted}.cc" 2>/dev/null
}

names()
{
	for file in "$sources/${1-}"*.c "$sources/${1-}"*.cc; do
		[ -e "$file" ] || continue
		file=${file##*/}
		echo "${file%.*}"
	done
}

planted() { for name in $(names "${1-}"); do echo "${name}_planted"; done; }

count() { names "$1" | wc -l; }

mark_of()
{
	sed -n "s|^[[:blank:]]*/\* $2: \(.*\) \*/\$|\1|p" "$(source_of "$1")" |
		head -n 1
}

line_of()
{
	awk -v mark="/\\\\* $2: " '$0 ~ mark { print FNR + 1; exit }' \
		"$(source_of "$1")"
}

has_note() { grep -q "^ \* $2: " "$(source_of "$1")"; }

find_oclgrind()
{
	for file in ${OPENCLAW_OCLGRIND_ICD:+"$OPENCLAW_OCLGRIND_ICD"} \
		/usr/lib/oclgrind/liboclgrind-rt-icd.so \
		/usr/lib/*/oclgrind/liboclgrind-rt-icd.so; do
		[ -e "$file" ] && mkdir -p icd &&
			echo "$file" >icd/oclgrind.icd && return
	done
	return 1
}

# As many at a time as there are processors.
run_all()
{
	directory=$1
	shift
	mkdir -p "$directory"
	printf "$directory %s\n" "$@" |
		xargs -n 2 -P "$(getconf _NPROCESSORS_ONLN)" ./one 2>/dev/null
}

status_of() { cat "$1/$2.status"; }

show()
{
	echo "$2: status $(status_of "$1" "$2")"
	head -n 20 "$1/$2.out" "$1/$2.err"
	return 1
}

# Skipped for want of what its comment says?
lacks() { has_note "$2" Needs && [ "$(status_of "$1" "$2")" = 77 ]; }

ends_well()
{
	lacks "$1" "$2" && return 0
	case $(status_of "$1" "$2") in
	0) return 0 ;;
	12[4-7] | 137) ;;	# it did not run, or hung
	*) case $2 in *_planted) has_note "$2" Undefined && return 0 ;; esac ;;
	esac
	show "$1" "$2"
}
