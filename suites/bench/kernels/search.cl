/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a short string begins within a long one.
 * bench: search global=524288 local=64 z:16 i:262144:67372036 i:4:67372036 =1048576 =4
 */
__kernel void search(__global uint *hits, __global const uchar *text,
		     __constant uchar *word, uint length, uint word_length)
{
	uint at = get_global_id(0), k = 0;

	if (at + word_length > length)
		return;
	while (k < word_length && (text[at + k] & 3) == (word[k] & 3))
		k++;
	if (k == word_length)
		atomic_inc(&hits[at & 15]);
}
