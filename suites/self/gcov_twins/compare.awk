# SPDX-License-Identifier: Apache-2.0
# What gcov says of the twins (its text, -t -b -c) and what openclaw says of
# the kernels (coverage.info), line by line and branch by branch. Prints what
# differs, and how many lines and branches were compared.
#
#	awk -v mode=count|hit -f compare.awk GCOV coverage.info
#
# "truth: N" in a line of a kernel stands against gcov's count, "branches: A B"
# behind it against its branches. The brackets that end functions are left out.
function base(path)
{
	sub(/.*\//, "", path)
	return path
}

# In hit mode there is only whether. A sorted list of the counts of a line.
function count(number)
{
	return mode == "hit" ? (number > 0) + 0 : number + 0
}

function sorted(list, parts, n, i, k, swap, made)
{
	n = split(list, parts, " ")
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && parts[k] + 0 < parts[k - 1] + 0; k--) {
			swap = parts[k]
			parts[k] = parts[k - 1]
			parts[k - 1] = swap
		}
	for (i = 1; i <= n; i++)
		made = made " " count(parts[i])
	return made
}

# gcov: "  COUNT:  LINE:TEXT", then "branch  0 taken 3 (fallthrough)"
FNR == NR && /^branch/ {
	if (at in want && !(at in fixed))
		branches[at] = branches[at] " " ($3 == "taken" ? $4 : 0)
	next
}
FNR == NR {
	if (!match($0, /^ *[-#=0-9]+\*?: *[0-9]+:/))
		next
	split($0, field, ":")
	line = field[2] + 0
	text = substr($0, RLENGTH + 1)
	if (line == 0) {
		if (text ~ /^Source:/)
			file = base(substr(text, 8))
		next
	}
	at = file ":" line
	source[at] = text
	number = field[1]
	gsub(/[ *]/, "", number)
	if (text ~ /truth: [0-9]/) {
		fixed[at] = 1
		number = text
		sub(/.*truth: /, "", number)
		if (number ~ /branches:/) {
			branches[at] = number
			sub(/.*branches: /, "", branches[at])
			gsub(/[^0-9 ].*/, "", branches[at])
			sub(/ *$/, "", branches[at])
		} else {
			delete fixed[at]
		}
	}
	if (number ~ /^-/ || text ~ /^}/)
		next
	want[at] = number ~ /^[#=]/ ? 0 : count(number)
	next
}

/^SF:/ { file = base(substr($0, 4)) }
/^DA:/ {
	split(substr($0, 4), field, ",")
	at = file ":" field[1]
	if (source[at] !~ /^}/)
		have[at] = count(field[2])
}
/^BRDA:/ {
	split(substr($0, 6), field, ",")
	at = file ":" field[1]
	have_branches[at] = have_branches[at] " " field[4]
}

function differ(what, at, one, other)
{
	printf "%s %s: gcov \"%s\", openclaw \"%s\": %s\n", what, at, one,
		other, source[at]
	differences++
}

END {
	for (at in have)
		files[substr(at, 1, index(at, ":") - 1)] = 1
	for (at in want) {
		if (at ~ /^twins(_host\.h|\.c|\.list|\.names):/)
			continue
		lines++
		if (!(at in have))
			differ("line", at, want[at], "")
		else if (have[at] != want[at])
			differ("line", at, want[at], have[at])
		if (at in branches)
			number_of_branches += split(branches[at], field, " ")
		if (sorted(branches[at]) != sorted(have_branches[at]))
			differ("branches", at, sorted(branches[at]),
			       sorted(have_branches[at]))
	}
	for (at in have)
		if (!(at in want))
			differ("line", at, "", have[at])
	for (file in files)
		number_of_files++
	printf "%d files, %d lines, %d branches, %d differences\n",
		number_of_files, lines, number_of_branches, differences
	exit differences > 0 || lines == 0
}
