/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scores
global_size: 2
expect_finding: wrong-result

[test]
name: the host's struct is padded, an int and a long
arg_in:  0 buffer ulong[4] 1 100 2 200
arg_out: 1 buffer ulong[2] 101 202
!*/
/*
 * The other way round: the host's compiler padded (16 bytes), the kernel says
 * packed (12 bytes).
 */
struct __attribute__((packed)) entry {
	uint id;
	ulong value;
};

kernel void scores(global const struct entry *entries, global ulong *output)
{
	size_t gid = get_global_id(0);

	output[gid] = entries[gid].id + entries[gid].value;
}
