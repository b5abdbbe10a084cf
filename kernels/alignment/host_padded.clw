/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scores
global_size: 2

[test]
name: the host's struct is padded, an int and a long
arg_in:  0 buffer ulong[4] 1 100 2 200
arg_out: 1 buffer ulong[2] 101 202
!*/
/* Twin of host_padded_bug: the padding is written out on both sides. */
struct entry {
	uint id;
	uint padding;
	ulong value;
};

kernel void scores(global const struct entry *entries, global ulong *output)
{
	size_t gid = get_global_id(0);

	output[gid] = entries[gid].id + entries[gid].value;
}
