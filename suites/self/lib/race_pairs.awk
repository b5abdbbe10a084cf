# SPDX-License-Identifier: Apache-2.0
# Makes a kernel file of one of suites/self/race_pairs, one test a kernel:
#
#	awk -v bug=1 -v lines=FILE -f race_pairs.awk NAME.cl >NAME_bug.clw
#
# bug=1: BUG(words) is kept, OK(words) is not, and EITHER(words, others) is its
# first; else the other way round. A kernel's races are at lines that end in
# "//!", between the end of the kernel before it and its own; lines: where to
# write "KERNEL LINE" for each. "//: KEY: VALUE" is of the next kernel's test.
function range(i,    first, end) {
	for (k = before[i] + 1; k <= last[i]; k++) {
		first = first ? first : marks[k]
		end = marks[k]
		if (lines)
			print names[i], marks[k] + head_lines >lines
	}
	return first + head_lines (end > first ? "-" end + head_lines : "")
}
/^\/\/: / { keys[count + 1] = keys[count + 1] "\n" substr($0, 5) }
/\/\/!/ { marks[++marked] = NR }
/^kernel void / {
	name = $3
	sub(/\(.*/, "", name)
	before[++count] = last[count - 1]
	names[count] = name
	is_kernel = 1
}
/^}/ && is_kernel {
	last[count] = marked
	is_kernel = 0
}
{ text[NR] = $0 }
END {
	for (i = 1; i <= count; i++)
		head_lines += 8 + gsub(/\n/, "\n", keys[i])
	head_lines += 10 + bug
	print "/*!\n[config]\nglobal_size: 32\nlocal_size: 8"
	if (bug)
		print "allow_finding: wrong-result\nallow_finding: uninitialized-read"
	else
		print "# no bug"
	for (i = 1; i <= count; i++) {
		print "[test]\nname: " names[i] "\nkernel_name: " names[i] keys[i]
		print "arg_in: 0 buffer int[256] repeat 0"
		print "arg_in: 1 buffer int[256] repeat 1 2 3 0 5 6 7 4"
		print "arg_in: 2 local int[128]\narg_in: 3 int 20"
		print (bug ? "expect_finding: race " range(i) : "# no race")
	}
	print "!*/"
	print "#define ARGS global int *a, global int *b, local int *t, int n"
	print "#define EITHER(bug, ok) " (bug ? "bug" : "ok")
	print "#define BUG(...) " (bug ? "__VA_ARGS__" : "")
	print "#define OK(...) " (bug ? "" : "__VA_ARGS__")
	for (i = 1; i <= NR; i++)
		print text[i]
}
