/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: read_stamps
global_size: 2

[test]
name: an int, then a long, without padding
arg_in:  0 buffer uint[6] 1 0x11 0x22 2 0x33 0x44
arg_out: 1 buffer ulong[2] 0x2200000011 0x4400000033
!*/
/* Twin of packed_long_bug: the member is read as a member. */
struct __attribute__((packed)) event {
	uint id;
	ulong stamp;
};

kernel void read_stamps(global const struct event *events,
			global ulong *stamps)
{
	size_t gid = get_global_id(0);

	stamps[gid] = events[gid].stamp;
}
