/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: set_components
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int4[2] repeat 0
arg_out: 0 buffer int4[2] 0 1 2 3 4 5 6 7
!*/
/* Twin of vector_component_bug: each work-item stores its scalar only. */
kernel void set_components(global int4 *data)
{
	int gid = get_global_id(0);

	((global int *)data)[gid] = gid;
}
