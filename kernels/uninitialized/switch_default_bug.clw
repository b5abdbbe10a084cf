/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: weights
global_size: 4
expect_finding: uninitialized-read 37
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 0 1 2 3
arg_out: 1 buffer float[4] 1 2 4 0
!*/
/* A switch without a default, and a value that no case names. */
/* Not inline, or the compiler leaves out what nobody set before a tool sees it. */
__attribute__((noinline))
void weigh(int class, float *weight)
{
	switch (class) {
	case 0:
		*weight = 1;
		break;
	case 1:
		*weight = 2;
		break;
	case 2:
		*weight = 4;
		break;
	}
}

kernel void weights(global const int *classes, global float *output)
{
	size_t gid = get_global_id(0);
	float weight;

	weigh(classes[gid], &weight);
	output[gid] = weight;	/* bug */
}
