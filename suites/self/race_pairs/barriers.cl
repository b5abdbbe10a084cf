/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers that are missing, too late, or of the wrong memory. See pairs.sh. */

kernel void tree(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = b[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 4; step > 0; step /= 2) {
		if (lid < step)
			t[lid] += t[lid + step];	//!
		OK(barrier(CLK_LOCAL_MEM_FENCE));
	}
	if (lid == 0)
		a[get_group_id(0)] = t[0];
}

kernel void tree_result(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = b[get_global_id(0)];
	for (int step = 4; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < step)
			t[lid] += t[lid + step];	//!
	}
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	if (lid == 7)
		a[get_group_id(0)] = t[0];		//!
}

/* The last steps rely on work-items that run in step. */
kernel void tree_unrolled(ARGS)
{
	int lid = get_local_id(0);
	volatile local int *v = t;

	t[lid] = b[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		v[lid] += v[lid + 4];			//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	if (lid < 2)
		v[lid] += v[lid + 2];			//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	if (lid < 1)
		a[get_group_id(0)] = v[0] + v[1];	//!
}

kernel void wrong_fence_local(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = lid;					//!
	barrier(EITHER(CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE));
	a[get_global_id(0)] = t[lid ^ 1];		//!
}

kernel void wrong_fence_global(ARGS)
{
	int gid = get_global_id(0);

	a[gid] = gid;					//!
	barrier(EITHER(CLK_LOCAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE));
	a[gid + 64] = a[gid ^ 1];			//!
}

kernel void no_fence(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = lid;					//!
	barrier(EITHER(0, CLK_LOCAL_MEM_FENCE));
	a[get_global_id(0)] = t[7 - lid];		//!
}

kernel void fence_is_no_barrier(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = lid;					//!
	BUG(mem_fence(CLK_LOCAL_MEM_FENCE));
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	a[get_global_id(0)] = t[7 - lid];		//!
}

/* The next round's writes meet this round's reads. */
kernel void back_edge(ARGS)
{
	int lid = get_local_id(0), sum = 0;

	for (int i = 0; i < 3; i++) {
		t[lid] = b[lid + i];			//!
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += t[lid ^ 1];			//!
		OK(barrier(CLK_LOCAL_MEM_FENCE));
	}
	a[get_global_id(0)] = sum;
}

kernel void double_buffer(ARGS)
{
	int lid = get_local_id(0), from = 0;

	t[lid] = b[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 1; step < 8; step *= 2) {
		int to = EITHER(from, 8 - from);

		t[to + lid] = t[from + lid] +		//!
			(lid >= step ? t[from + lid - step] : 0);	//!
		from = to;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	a[get_global_id(0)] = t[from + lid];
}

kernel void first_fills(ARGS)
{
	local int shared_value;

	if (get_local_id(0) == 0)
		shared_value = b[get_group_id(0)];	//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	a[get_global_id(0)] = shared_value;		//!
}

kernel void only_where_large(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = lid;					//!
	if (n > EITHER(100, 10))
		barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = t[lid ^ 1];		//!
}

void shift(local int *p, int at)
{
	int kept = p[(at + 1) % 8];			//!

	OK(barrier(CLK_LOCAL_MEM_FENCE));
	p[at] = kept;					//!
}

kernel void callee(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	shift(t, lid);
	a[get_global_id(0)] = t[lid];
}

kernel void scan_hillis(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = b[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 1; step < 8; step *= 2) {
		int more = lid >= step ? t[lid - step] : 0;	//!

		OK(barrier(CLK_LOCAL_MEM_FENCE));
		t[lid] += more;				//!
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	a[get_global_id(0)] = t[lid];
}

kernel void scan_blelloch(ARGS)
{
	int lid = get_local_id(0);

	t[2 * lid] = b[lid];
	t[2 * lid + 1] = b[lid];
	for (int step = 1, left = 8; left > 0; step *= 2, left /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < left)
			t[step * (2 * lid + 2) - 1] += t[step * (2 * lid + 1) - 1];	//!
	}
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	if (lid == 1)
		t[15] = 0;				//!
	for (int left = 1, step = 8; left <= 8; left *= 2, step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < left) {
			int low = step * (2 * lid + 1) - 1, kept = t[low];

			t[low] = t[step * (2 * lid + 2) - 1];
			t[step * (2 * lid + 2) - 1] += kept;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = t[lid];
}

kernel void odd_even_sort(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = b[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < 8; i++) {
		if (lid % 2 == i % 2 && lid < 7 && t[lid] > t[lid + 1]) {	//!
			int kept = t[lid];	//!

			t[lid] = t[lid + 1];	//!
			t[lid + 1] = kept;	//!
		}
		OK(barrier(CLK_LOCAL_MEM_FENCE));
	}
	a[get_global_id(0)] = t[lid];			//!
}

kernel void async_early(ARGS)
{
	int lid = get_local_id(0);
	event_t done = async_work_group_copy(t, b, 8, 0);	//!

	OK(wait_group_events(1, &done));
	a[get_global_id(0)] = t[lid];			//!
	BUG(wait_group_events(1, &done));
}

kernel void async_source(ARGS)
{
	int lid = get_local_id(0), group = get_group_id(0) * 8;
	event_t done;

	t[lid] = lid;					//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	done = async_work_group_copy(a + group, t, 8, 0);	//!
	wait_group_events(1, &done);
}

kernel void async_reuse(ARGS)
{
	int lid = get_local_id(0), group = get_group_id(0) * 8;
	event_t done;

	t[lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	done = async_work_group_copy(a + group, t, 8, 0);	//!
	OK(wait_group_events(1, &done));
	t[lid] = 0;					//!
	BUG(wait_group_events(1, &done));
}

kernel void tiles(ARGS)
{
	int lid = get_local_id(0), sum = 0;
	local int rows[8], columns[8];

	for (int i = 0; i < 2; i++) {
		rows[lid] = b[lid + i];			//!
		barrier(CLK_LOCAL_MEM_FENCE);
		columns[lid] = b[lid + 8 * i];		//!
		OK(barrier(CLK_LOCAL_MEM_FENCE));
		for (int k = 0; k < 8; k++)
			sum += rows[k] * columns[k];	//!
		OK(barrier(CLK_LOCAL_MEM_FENCE));
	}
	a[get_global_id(0)] = sum;
}

/* What a barrier orders is not the other access of a race. */
kernel void read_then_atomic(ARGS)
{
	int group = get_group_id(0) * 8, sum = 0;

	a[group + get_local_id(0)] = 1;
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		sum = a[group];				//!
	OK(barrier(CLK_GLOBAL_MEM_FENCE));
	atomic_add(&a[group], 1);			//!
	b[get_global_id(0)] = sum;
}
