/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: set_components
global_size: 8
local_size: 8
expect_finding: race global 30
allow_finding: wrong-result

[test]
arg_in:  0 buffer int4[2] repeat 0
arg_out: 0 buffer int4[2] 0 1 2 3 4 5 6 7
!*/
/*
 * Four work-items set a component each of one vector. It reads as if they
 * touched different memory, but the vector is loaded, changed and stored
 * whole, and takes the others' components back. "data[i].x = gid" is no way
 * out: pocl stores that component alone, but NVIDIA's driver (580, an H100)
 * stores the whole vector and loses half of the components.
 */
constant int4 units[4] = {
	(int4)(1, 0, 0, 0), (int4)(0, 1, 0, 0),
	(int4)(0, 0, 1, 0), (int4)(0, 0, 0, 1),
};

kernel void set_components(global int4 *data)
{
	uint gid = get_global_id(0);

	data[gid / 4] += units[gid % 4] * (int)gid;
}
