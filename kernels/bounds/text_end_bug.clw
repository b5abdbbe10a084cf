/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_words
global_size: 2
expect_finding: invalid-read global 23
allow_finding: invalid-read global
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[8] 97 98 32 99 0 97 32 98	# "ab c", "a b" without its end
arg_in:  1 buffer int[2] 0 5
arg_in:  2 int 8
arg_out: 3 buffer int[2] 2 2
!*/
/* Texts end with a 0; the last one does not, and the loop reads on. */
kernel void count_words(global const uchar *text, global const int *first,
			int size, global int *words)
{
	int count = 1;

	for (int i = first[get_global_id(0)]; i < 16 && text[i]; i++)	/* bug */
		if (text[i] == ' ')
			count++;
	words[get_global_id(0)] = count;
}
