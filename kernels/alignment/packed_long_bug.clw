/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: read_stamps
global_size: 2
expect_finding: misaligned global 28

[test]
name: an int, then a long, without padding
arg_in:  0 buffer uint[6] 1 0x11 0x22 2 0x33 0x44
arg_out: 1 buffer ulong[2] 0x2200000011 0x4400000033
!*/
/*
 * A long of eight bytes at offset 4 of a packed struct. The struct's own members
 * may be read; a plain pointer to one of them has lost the word "packed".
 */
struct __attribute__((packed)) event {
	uint id;
	ulong stamp;
};

kernel void read_stamps(global const struct event *events,
			global ulong *stamps)
{
	size_t gid = get_global_id(0);
	global const uchar *event = (global const uchar *)&events[gid];

	stamps[gid] = *(global const ulong *)(event + 4);	/* bug */
}
