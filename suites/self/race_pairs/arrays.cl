/* SPDX-License-Identifier: Apache-2.0 */
/* Indexes that are nearly a work-item's own, and aliases. See pairs.sh. */

kernel void carried(ARGS)
{
	int gid = get_global_id(0);

	a[gid] = EITHER(a, b)[gid + 1] + 1;		//!
}

kernel void anti_dependence(ARGS)
{
	int gid = get_global_id(0);

	a[gid] = a[gid + EITHER(n, 32)];		//!
}

kernel void indirect(ARGS)
{
	a[EITHER(b[get_global_id(0)], get_global_id(0))] = get_global_id(0);	//!
}

kernel void stencil(ARGS)
{
	int gid = get_global_id(0);

	a[gid + EITHER(1, 64)] = a[gid] + a[gid + 1] + a[gid + 2];	//!
}

//: global_size: 8 8
//: local_size: 4 2
kernel void stencil_2d(ARGS)
{
	int x = get_global_id(0), y = get_global_id(1);

	a[y * 8 + x + EITHER(0, 64)] = a[y * 8 + (x + 1) % 8] + 1;	//!
}

//: global_size: 8 8
//: local_size: 4 2
kernel void transpose(ARGS)
{
	int x = get_global_id(0), y = get_global_id(1);

	EITHER(a, (a + 64))[x * 8 + y] = a[y * 8 + x];	//!
}

kernel void reverse(ARGS)
{
	int gid = get_global_id(0), kept;

	if (gid < EITHER(32, 16)) {
		kept = a[31 - gid];			//!
		a[31 - gid] = a[gid];			//!
		a[gid] = kept;				//!
	}
}

kernel void shared_temporary(ARGS)
{
	int gid = get_global_id(0);

	a[EITHER(0, gid)] = b[gid] * 2;			//!
	a[gid + 64] = a[EITHER(0, gid)] + 1;		//!
}

kernel void last_value(ARGS)
{
	int gid = get_global_id(0);

	if (gid >= EITHER(30, 31))
		a[0] = gid;				//!
}

kernel void stride(ARGS)
{
	int gid = get_global_id(0);

	a[2 * gid] = gid;				//!
	a[2 * gid + EITHER(2, 1)] = gid;		//!
}

kernel void modulo(ARGS)
{
	a[get_global_id(0) % EITHER(16, 32)] = get_global_id(0);	//!
}

kernel void wraps(ARGS)
{
	EITHER(uchar, ushort) at = get_global_id(0) * 16;

	a[at / 4] = at + get_global_id(0);		//!
}

kernel void clamped(ARGS)
{
	int gid = get_global_id(0);

	if (gid < EITHER(32, n))
		a[min(gid, n)] = gid;			//!
}

kernel void triangle(ARGS)
{
	int gid = get_global_id(0);

	for (int i = 0; i <= gid % 8; i++)
		a[EITHER(gid / 8 * 8 + i, gid * 8 + i)] = gid;	//!
}

kernel void aliased_pointer(ARGS)
{
	int gid = get_global_id(0);
	global int *p = a + EITHER(1, 64);

	a[gid] = gid;					//!
	p[gid] = 2 * gid + 1;				//!
}

kernel void chosen_pointer(ARGS)
{
	int gid = get_global_id(0);
	global int *p = gid % 4 < 2 ? a : b;

	p[gid & EITHER(~1, ~0)] = gid;			//!
}

void fill(global int *p, int from, int count, int value)
{
	for (int i = 0; i < count; i++)
		p[from + i] = value;			//!
}

kernel void callee_overlaps(ARGS)
{
	int gid = get_global_id(0);

	fill(a, gid * 4, EITHER(5, 4), gid);
}

void put(global int *p, int value)
{
	*p = value;					//!
}

kernel void argument_twice(ARGS)
{
	int gid = get_global_id(0);

	put(a + gid, gid);
	put(a + EITHER(gid + 3, gid + 64), gid);
}

//: global_size: 8 4
//: local_size: 4 2
kernel void one_index_for_two(ARGS)
{
	a[get_global_id(0) + EITHER(0, 8 * get_global_id(1))] = get_global_id(1);	//!
}

//: global_size: 8 4
//: local_size: 4 2
kernel void wrong_pitch(ARGS)
{
	a[get_global_id(0) + EITHER(4, 8) * get_global_id(1)] = get_global_id(1) * 50 + get_global_id(0);	//!
}

//: dimensions: 3
//: global_size: 4 4 2
//: local_size: 2 2 2
kernel void three_dimensions(ARGS)
{
	int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

	a[x + 4 * y + EITHER(0, 16 * z)] = z;		//!
}

//: global_size: 8
//: local_size: 1
kernel void groups_of_one(ARGS)
{
	int gid = get_global_id(0);

	t[0] = gid;
	a[EITHER(gid / 2, gid)] = t[0];			//!
}

//: global_size: 16
//: local_size: 8
//: global_offset: 4
kernel void global_offset(ARGS)
{
	int gid = get_global_id(0);

	a[gid - 4] = gid;				//!
	BUG(a[gid] = gid);				//!
}

kernel void loop_stride(ARGS)
{
	int size = get_global_size(0);

	for (int i = get_global_id(0); i < 128; i += size EITHER(- 1, ))
		a[i] = i + size * get_global_id(0);	//!
}
