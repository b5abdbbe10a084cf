/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: wait_for_start
global_size: 4
timeout: 30s

[test]
name: started
arg_in:  0 buffer int[1] 1
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] repeat 1

[test]
name: never started
arg_in:  0 buffer int[1] 0
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] repeat -1
!*/
/* Twin of endless_bug: looks a thousand times, then says that it gave up. */
kernel void wait_for_start(global volatile int *start, global int *output)
{
	int looks = 1000;

	while (*start == 0 && --looks > 0)
		;
	output[get_global_id(0)] = looks > 0 ? 1 : -1;
}
