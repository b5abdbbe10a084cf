/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
name: scopes
build_options: -cl-std=CL3.0
global_size: 64
local_size: 8

[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: whole_device
kernel_name: whole_device
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: work_group
kernel_name: work_group
expect_finding: race global 78
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: group_of_its_own
kernel_name: group_of_its_own
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: one_of_two
kernel_name: one_of_two
expect_finding: race global 91-94
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: wide_then_narrow
kernel_name: wide_then_narrow
expect_finding: race global 100-102
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: narrow_and_read
kernel_name: narrow_and_read
expect_finding: race global 108-112
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: local_memory
kernel_name: local_memory
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: counted
kernel_name: counted
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: counted_and_written
kernel_name: counted_and_written
expect_finding: race global 132
[test]
arg_in: 0 buffer int[64] repeat 0
arg_in: 1 buffer int[64] repeat 0
name: set_up
kernel_name: set_up
expect_finding: race global 138-140
!*/
/* Atomics of OpenCL 2.0: whose scope is too small for who uses them, and such
 * as order nothing, for nobody looks at what they return. */
#define RELAXED memory_order_relaxed
typedef volatile global atomic_int counters;

kernel void whole_device(counters *a, global int *b)
{
	atomic_fetch_add_explicit(a, 1, RELAXED, memory_scope_device);
}

kernel void work_group(counters *a, global int *b)
{
	atomic_fetch_add_explicit(a, 1, RELAXED, memory_scope_work_group);
}

kernel void group_of_its_own(counters *a, global int *b)
{
	int g = get_group_id(0);

	atomic_fetch_add_explicit(&a[g], 1, RELAXED, memory_scope_work_group);
}

kernel void one_of_two(counters *a, global int *b)
{
	if (get_group_id(0) == 1)
		atomic_fetch_add_explicit(a, 1, RELAXED,
					  memory_scope_work_group);
	else
		atomic_fetch_add_explicit(a, 1, RELAXED, memory_scope_device);
}

kernel void wide_then_narrow(counters *a, global int *b)
{
	if (get_local_id(0) == 0)
		atomic_fetch_add_explicit(a, 1, RELAXED, memory_scope_device);
	if (get_global_id(0) == 0)
		atomic_fetch_add_explicit(a, 1, RELAXED, memory_scope_work_group);
}

kernel void narrow_and_read(counters *a, global int *b)
{
	if (get_group_id(0) == 0)
		atomic_fetch_add_explicit(a, 1, RELAXED,
					  memory_scope_work_group);
	else
		b[get_global_id(0)] = ((global int *)a)[0];
}

kernel void local_memory(counters *a, global int *b)
{
	local atomic_int sum;

	if (get_local_id(0) == 0)
		atomic_init(&sum, 0);
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_fetch_add_explicit(&sum, 1, RELAXED, memory_scope_work_group);
}

kernel void counted(counters *a, global int *b)
{
	atomic_fetch_add(&a[get_local_id(0)], 1);
	b[get_global_id(0)] = 1;
}

kernel void counted_and_written(counters *a, global int *b)
{
	atomic_fetch_add(a, 1); b[0] = get_global_id(0);
}

kernel void set_up(counters *a, global int *b)
{
	if (get_global_id(0) == 0)
		atomic_init(a, 0);
	else
		atomic_fetch_add(a, 1);
}
