/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_words
global_size: 2

[test]
arg_in:  0 buffer uchar[8] 97 98 32 99 0 97 32 98	# "ab c", "a b" without its end
arg_in:  1 buffer int[2] 0 5
arg_in:  2 int 8
arg_out: 3 buffer int[2] 2 2
!*/
/* Twin of text_end_bug: a text also ends where the buffer does. */
kernel void count_words(global const uchar *text, global const int *first,
			int size, global int *words)
{
	int count = 1;

	for (int i = first[get_global_id(0)]; i < size && text[i]; i++)
		if (text[i] == ' ')
			count++;
	words[get_global_id(0)] = count;
}
