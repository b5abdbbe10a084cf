/* SPDX-License-Identifier: Apache-2.0 */
/* Local memory that is nearly each work-item's own. See pairs.sh. */

kernel void next_element(ARGS)
{
	local int own[16];
	int lid = get_local_id(0);

	own[lid] = lid;					//!
	BUG(own[lid + 1] = 3 * lid);			//!
	a[get_global_id(0)] = own[lid];			//!
}

kernel void part_of_own(ARGS)
{
	local int own[8];
	int lid = get_local_id(0);

	own[lid % EITHER(4, 8)] = lid;			//!
	a[get_global_id(0)] = own[lid % EITHER(4, 8)];	//!
}

//: global_size: 8 4
//: local_size: 4 2
kernel void two_dimensions(ARGS)
{
	local int own[8];
	int lid = get_local_id(0) + EITHER(0, 4 * get_local_id(1));

	own[lid] = get_local_id(1);			//!
	a[get_global_id(0) + 8 * get_global_id(1)] = own[lid];	//!
}

//: global_size: 8 4
//: local_size: 4 2
kernel void transposed(ARGS)
{
	local int own[4][8];
	int x = get_local_id(0), y = get_local_id(1);

	own[y][x] = x;					//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	a[get_global_id(0) + 8 * get_global_id(1)] = own[x % 2][y];	//!
}

kernel void barrier_in_one_branch(ARGS)
{
	local int own[8];
	int lid = get_local_id(0), sum = 0;

	for (int i = 0; i < 2; i++) {
		own[lid] = i;				//!
		if (i < n || EITHER(0, 1))
			barrier(CLK_LOCAL_MEM_FENCE);
		sum += own[lid ^ 1];			//!
		if (i == EITHER(1, 0))
			barrier(CLK_LOCAL_MEM_FENCE);
	}
	a[get_global_id(0)] = sum;
}

kernel void read_then_own(ARGS)
{
	local int own[8];
	int lid = get_local_id(0), sum;

	own[lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = own[EITHER(0, lid)];			//!
	own[lid] = sum + 1;				//!
	a[get_global_id(0)] = own[lid];
}

kernel void wrapping_index(ARGS)
{
	local int own[256];
	EITHER(uchar, ushort) at = get_local_id(0) * 64;

	own[at / 2] = get_local_id(0);			//!
	a[get_global_id(0)] = own[at / 2];		//!
}

kernel void through_pointer(ARGS)
{
	int lid = get_local_id(0);
	local int *p = t + lid;

	*p = lid;					//!
	BUG(p[1] = lid * 5 + 1);			//!
	OK(p[16] = lid);
	a[get_global_id(0)] = *p;			//!
}

kernel void bounded(ARGS)
{
	int lid = get_local_id(0);

	for (int i = lid; i < 16; i += EITHER(4, 8))
		t[i] = lid;				//!
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = t[15 - lid];
}

kernel void bitonic(ARGS)
{
	int lid = get_local_id(0);

	t[lid] = b[lid];				//!
	for (int size = 2; size <= 8; size *= 2)
		for (int step = size / 2; step > 0; step /= 2) {
			int other = lid ^ step, low, high;

			OK(barrier(CLK_LOCAL_MEM_FENCE));
			if (other > lid) {
				low = t[lid];		//!
				high = t[other];	//!
				t[lid] = min(low, high);	//!
				t[other] = max(low, high);	//!
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = t[lid];
}

//: global_size: 4 4
//: local_size: 4 4
kernel void matrix(ARGS)
{
	local int x[4][4], y[4][4];
	int i = get_local_id(0), k = get_local_id(1), sum = 0;

	for (int at = 0; at < 8; at += 4) {
		x[k][i] = b[k * 8 + at + i];		//!
		y[k][i] = b[(at + k) * 4 + i];		//!
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int m = 0; m < 4; m++)
			sum += x[k][m] * y[m][i];	//!
		OK(barrier(CLK_LOCAL_MEM_FENCE));
	}
	a[k * 4 + i] = sum;
}

kernel void halo_of_tile(ARGS)
{
	local int tile[10];
	int lid = get_local_id(0);

	tile[lid + 1] = b[get_global_id(0)];
	if (lid == 0)
		tile[0] = 0;				//!
	if (lid == 7)
		tile[EITHER(0, 9)] = 1;			//!
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = tile[lid] + tile[lid + 2];
}

kernel void broadcast_row(ARGS)
{
	local int pivot[2];
	int lid = get_local_id(0), sum = 0;

	for (int i = 0; i < 4; i++) {
		if (lid == i)
			pivot[EITHER(0, i % 2)] = i;	//!
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += pivot[EITHER(0, i % 2)];		//!
	}
	a[get_global_id(0)] = sum;
}

kernel void any_of(ARGS)
{
	local int any;
	int lid = get_local_id(0);

	if (lid == 0)
		any = 0;				//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	if (b[lid] > 4)
		any = 1;				//!
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = any;
}
