# SPDX-License-Identifier: Apache-2.0
# What openclaw-instrument does (kernels/instrument/unit/map.h), to texts that are
# written for it: a kernel's head is one line, "__kernel void NAME(A, B)", and
# the next line is "{". Mode hit and count: one counter a kernel, how often it
# was entered. Mode asan: work-item 0 finds something wrong with each pointer
# among the arguments, to tell of its size.
#
#	awk -f fake_instrument.awk -v out=OUT REQUEST
#
# Exit status 3 where the text has the word REFUSE_ME. The twin of a kernel
# small cannot be launched as the test does, that of a kernel broken not built.

function name_of(text)			# an argument's
{
	sub(/^.*[^A-Za-z_0-9]/, "", text)
	return text
}

function space_of(text)
{
	return text ~ /__local/ ? "local" : text ~ /__global/ ? "global" : \
		text ~ /__constant/ ? "constant" : ""
}

function kernel(line,	name, inside, arguments, count, i, hidden, at)
{
	name = line
	sub(/\(.*/, "", name)
	sub(/^.* /, "", name)
	inside = line
	sub(/^[^(]*\(/, "", inside)
	sub(/\)$/, "", inside)
	count = split(inside, arguments, /, /)
	hidden = "__global uint *__claw_p"
	map = map "kernel " name " " count " " count "\n"
	checks = ""
	at = count + 1
	if (asan) {
		hidden = hidden ", uint __claw_launch"
		map = map "launch " name " " at++ "\n"
	}
	for (i = 1; asan && i <= count; i++) {
		if (!space_of(arguments[i]) || arguments[i] !~ /\*/)
			continue
		hidden = hidden ", ulong __claw_n" i - 1
		map = map "size " name " " at++ " " i - 1 " " \
			space_of(arguments[i]) "\n"
		checks = checks " claw_tell(__claw_p, CLAW_A + " accesses \
			", __claw_launch, " i ", __claw_n" i - 1 ");"
		map = map "access " accesses++ " 0 " line_number " " i " read " \
			space_of(arguments[i]) " 4 " name " " \
			name_of(arguments[i]) " *\n"
	}
	sub(/\)$/, (count ? ", " : "") hidden ")", line)
	if (name == "small")		# what it is launched with is refused
		line = "__attribute__((reqd_work_group_size(1, 1, 1)))\n" line
	if (name == "broken")
		line = "this is not C\n" line
	if (!asan)
		checks = " claw_hit(__claw_p, CLAW_C + " counters ");"
	map = map "function " counters " 0 " line_number " " line_number " " \
		name "\nline 0 " line_number " " counters "\n"
	counters++
	return line
}

function block(text)			# one line of it
{
	if (in_source) {
		line_number++
		if (text ~ /REFUSE_ME/)
			refused = line_number
		if (text ~ /^#include/) {
			name = text
			gsub(/^#include "|"$/, "", name)
			text = headers[name]
		} else if (text ~ /^__kernel /) {
			text = kernel(text)
		} else if (text == "{" && checks) {
			text = "{" checks
			checks = ""
		}
		source = source text "\n"
	} else if (in_header) {
		headers[in_header] = headers[in_header] text "\n"
	}
}

BEGIN { accesses = counters = left = 0 }
left > 0 {
	left -= length($0) + 1
	block($0)
	next
}
$1 == "mode" { if ($2 == "asan") asan = 1; else mode = $2 }
$1 == "macro" && $3 != "" { macros[$2] = $3 }
$1 == "header" { left = $3 + 1; in_header = $2; in_source = 0 }
$1 == "options" { left = $2 + 1; in_header = ""; in_source = 0 }
$1 == "source" { left = $2 + 1; in_header = ""; in_source = 1 }

END {
	if (refused) {
		print "<source>:" refused ":1: a word that nobody likes"
		exit 3
	}
	if (macros["VALUE"] == "")	# as preprocessing would do it
		macros["VALUE"] = "VALUE"
	gsub(/VALUE/, macros["VALUE"], source)
	gsub(/\n#[^\n]*/, "\n", source)
	if (asan)
		print "static void claw_tell(volatile __global uint *p, uint access, " \
			"uint launch, uint object, ulong bytes)\n{\n" \
			"	volatile __global uint *r;\n" \
			"	uint k;\n\n" \
			"	if (get_global_id(0) != 0)\n		return;\n" \
			"	if (atomic_inc(p + p[2] + access) >= p[5])\n" \
			"		return;\n" \
			"	k = atomic_inc(p);\n" \
			"	if (k >= p[1])\n		return;\n" \
			"	r = p + p[3] + k * 16;\n" \
			"	r[1] = access;\n	r[2] = launch;\n" \
			"	r[3] = object;\n	r[4] = 12;\n	r[5] = 0;\n" \
			"	r[6] = (uint)bytes;\n" \
			"	r[7] = (uint)(bytes >> 32);\n" \
			"	r[8] = r[9] = r[10] = 0;\n" \
			"	r[11] = r[12] = r[13] = 0;\n" \
			"	r[14] = 0x1000;\n	r[15] = 0;\n" \
			"	r[0] = 1;\n}\n" >(out ".cl")
	else if (mode == "count")
		print "static void claw_hit(volatile __global uint *p, uint n)\n{\n" \
			"	atomic_inc(p + 16 + n);\n}\n" >(out ".cl")
	else
		print "static void claw_hit(volatile __global uint *p, uint n)\n{\n" \
			"	atomic_or(p + 16 + n / 32, 1u << n % 32);\n}\n" \
			>(out ".cl")
	printf "%s", source >(out ".cl")
	print "openclaw-map 1\ncounters " counters + 0 "\naccesses " \
		accesses + 0 "\nfile 0 <source>\n" map >(out ".map")
}
