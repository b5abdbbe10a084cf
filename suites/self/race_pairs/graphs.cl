/* SPDX-License-Identifier: Apache-2.0 */
/* Irregular kernels: neighbours of a graph in b. See pairs.sh. */

kernel void push(ARGS)
{
	int gid = get_global_id(0);

	BUG(a[b[gid]] += gid);				//!
	OK(atomic_add(&a[b[gid]], gid));
}

kernel void pull(ARGS)
{
	int gid = get_global_id(0);

	EITHER(a[gid], a[gid + 64]) = a[b[gid]] + 1;	//!
}

kernel void conditional_maximum(ARGS)
{
	int gid = get_global_id(0);

	if (EITHER(gid > a[b[gid]], atomic_max(&a[b[gid]], gid) < -1))	//!
		a[b[gid]] = gid;			//!
}

kernel void path_compression(ARGS)
{
	int gid = get_global_id(0);
	int parent = EITHER(a[gid], atomic_add(&a[gid], 0));	//!

	parent = EITHER(a[parent], atomic_add(&a[parent], 0));	//!
	EITHER(a[gid] = parent, atomic_xchg(&a[gid], parent));	//!
}

kernel void levels(ARGS)
{
	int gid = get_global_id(0);

	if (a[gid] == 0)				//!
		a[EITHER(b[gid], gid)] = n + gid;	//!
}

/* All write the same: not reported. Different values are. */
kernel void changed(ARGS)
{
	if (b[get_global_id(0)] > 2)
		a[0] = EITHER(get_global_id(0), 1);	//!
}

kernel void changed_and_read(ARGS)
{
	int gid = get_global_id(0);

	if (b[gid] > 2)
		a[0] = 1;				//!
	if (EITHER(a[0], b[0]))				//!
		a[gid + 1] = 1;
}

kernel void colour(ARGS)
{
	int gid = get_global_id(0), taken = 0;

	for (int i = 0; i < 3; i++)
		taken |= 1 << (a[(gid + i) % 32] & 7);	//!
	a[gid EITHER(, + 64)] = taken;			//!
}

kernel void independent_set(ARGS)
{
	int gid = get_global_id(0);

	if (b[gid] <= b[(gid + 1) % 32]) {
		a[64 + gid] = 1;			//!
		BUG(a[64 + (gid + 1) % 32] = 2);	//!
	}
}

kernel void visited_bytes(ARGS)
{
	global uchar *visited = (global uchar *)a;
	int gid = get_global_id(0);

	visited[EITHER(b[gid], gid)] = gid;		//!
}

kernel void visited_bits(ARGS)
{
	int gid = get_global_id(0);

	BUG(a[gid / 32] |= 1 << gid % 32);		//!
	OK(atomic_or(&a[gid / 32], 1 << gid % 32));
}

kernel void sweep_degree(ARGS)
{
	int gid = get_global_id(0), sum = 0;

	for (int i = gid * 2; i <= gid * 2 + EITHER(2, 1); i++)
		a[i] = gid;				//!
}

kernel void sample_sort_bins(ARGS)
{
	int gid = get_global_id(0), bin = b[gid] % 4;
	int at = EITHER(a[bin], atomic_inc(&a[bin]));	//!

	BUG(a[bin] = at + 1);				//!
	a[16 + bin * 32 + at] = gid;			//!
}
