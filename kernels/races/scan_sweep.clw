/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: exclusive_scan
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[8] 3 1 7 0 4 1 6 3
arg_out: 1 buffer int[8] 0 3 4 11 11 15 16 22
!*/
/* Twin of scan_sweep_bug: each step down begins with a barrier. */
kernel void exclusive_scan(global const int *input, global int *output)
{
	local int tree[8];
	int lid = get_local_id(0), stride = 1;

	tree[2 * lid] = input[2 * lid];
	tree[2 * lid + 1] = input[2 * lid + 1];
	for (int count = 4; count > 0; count /= 2, stride *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < count)
			tree[stride * (2 * lid + 2) - 1] +=
				tree[stride * (2 * lid + 1) - 1];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid == 3)
		tree[7] = 0;
	for (int count = 1; count <= 4; count *= 2) {
		stride /= 2;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < count) {
			int right = stride * (2 * lid + 2) - 1;
			int left = stride * (2 * lid + 1) - 1;
			int sum = tree[left] + tree[right];

			tree[left] = tree[right];
			tree[right] = sum;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	output[2 * lid] = tree[2 * lid];
	output[2 * lid + 1] = tree[2 * lid + 1];
}
