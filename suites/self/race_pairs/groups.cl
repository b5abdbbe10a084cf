/* SPDX-License-Identifier: Apache-2.0 */
/* Work-groups, which nothing orders, and atomics. See pairs.sh. */

kernel void local_for_global(ARGS)
{
	a[EITHER(get_local_id(0), get_global_id(0))] = get_global_id(0);	//!
}

kernel void group_offset(ARGS)
{
	a[get_group_id(0) * EITHER(7, 8) + get_local_id(0)] = get_global_id(0);	//!
}

kernel void barrier_across(ARGS)
{
	int gid = get_global_id(0);

	a[gid] = gid;					//!
	barrier(CLK_GLOBAL_MEM_FENCE);
	a[64 + gid] = a[EITHER(31 - gid, gid ^ 7)];	//!
}

/* All that one group does is ordered by its barriers. */
//: global_size: 8
kernel void one_group(ARGS)
{
	int gid = get_global_id(0);

	a[gid] = gid;					//!
	OK(barrier(CLK_GLOBAL_MEM_FENCE));
	a[64 + gid] = a[7 - gid];			//!
}

kernel void halo(ARGS)
{
	int gid = get_global_id(0), lid = get_local_id(0);

	a[gid] = gid;					//!
	if (lid == EITHER(7, 8))
		a[gid + 1] = 5;				//!
}

kernel void partial_sums(ARGS)
{
	int lid = get_local_id(0), group = get_group_id(0);

	if (lid == 0)
		a[group] = group;			//!
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (group == 0 && lid == EITHER(0, 8))
		a[64] = a[0] + a[1] + a[2] + a[3];	//!
}

kernel void atomic_and_plain(ARGS)
{
	atomic_add(&a[0], 1);				//!
	a[1 + get_global_id(0)] = EITHER(a[0], atomic_add(&a[0], 0));	//!
}

kernel void counter(ARGS)
{
	BUG(a[0]++);					//!
	OK(atomic_inc(&a[0]));
}

kernel void plain_flag(ARGS)
{
	int gid = get_global_id(0);

	if (gid == 0)
		EITHER(a[0] = 1, atomic_xchg(&a[0], 1));	//!
	a[gid + 1] = EITHER(a[0], atomic_or(&a[0], 0));	//!
}

/* Who is last may add up what the others left: with plain accesses nothing of
 * OpenCL 1.2 orders that. */
kernel void last_group(ARGS)
{
	int group = get_group_id(0), lid = get_local_id(0);

	if (lid)
		return;
	EITHER(a[group] = 1, atomic_xchg(&a[group], 1));	//!
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	if (atomic_inc(&a[64]) == 3)
		for (int i = 0; i < 4; i++)
			a[65] += EITHER(a[i], atomic_add(&a[i], 0));	//!
}

/* A lock made of atomics orders no plain accesses of others. */
kernel void lock_of_atomics(ARGS)
{
	if (get_local_id(0) == 0) {
		BUG(while (atomic_cmpxchg(&a[0], 0, 1)));
		EITHER(a[1]++, atomic_inc(&a[1]));	//!
		BUG(mem_fence(CLK_GLOBAL_MEM_FENCE));
		BUG(atomic_xchg(&a[0], 0));
	}
}

kernel void worklist_push(ARGS)
{
	int gid = get_global_id(0);

	if (b[gid] % 2) {
		int slot = EITHER(a[0]++, atomic_inc(&a[0]));	//!

		a[1 + slot] = gid;			//!
	}
}

kernel void worklist_pop(ARGS)
{
	int slot = atomic_inc(&a[0]);

	a[100 + get_global_id(0)] = a[1 + slot];	//!
	a[1 + slot EITHER(+ 1, )] = -1;			//!
}

kernel void histogram(ARGS)
{
	int bin = b[get_global_id(0)] % 4;

	BUG(a[bin]++);					//!
	OK(atomic_inc(&a[bin]));
}

kernel void histogram_local(ARGS)
{
	int lid = get_local_id(0);

	if (lid < 4)
		t[lid] = 0;				//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	atomic_inc(&t[b[lid] % 4]);			//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	if (lid < 4)
		atomic_add(&a[lid], t[lid]);		//!
}

kernel void histogram_merge(ARGS)
{
	int lid = get_local_id(0);

	if (lid < 4)
		t[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&t[b[lid] % 4]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4) {
		BUG(a[lid] += t[lid]);			//!
		OK(atomic_add(&a[lid], t[lid]));
	}
}

kernel void count_then_read(ARGS)
{
	local int count;
	int lid = get_local_id(0);

	if (lid == 0)
		count = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&count);				//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	a[get_global_id(0)] = count;			//!
}

kernel void reset_for_next(ARGS)
{
	int lid = get_local_id(0), sum = 0;
	local int total;

	for (int i = 0; i < 3; i++) {
		if (lid == 0)
			total = 0;			//!
		barrier(CLK_LOCAL_MEM_FENCE);
		atomic_add(&total, lid);
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += total;				//!
		OK(barrier(CLK_LOCAL_MEM_FENCE));
	}
	a[get_global_id(0)] = sum;
}
