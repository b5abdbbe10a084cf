/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes, structs, vectors and other parts of words. See pairs.sh. */

kernel void bytes(ARGS)
{
	global uchar *bytes = (global uchar *)a;
	int gid = get_global_id(0);

	bytes[gid] = gid;				//!
	BUG(bytes[gid + 1] = 7 * gid);			//!
}

kernel void byte_of_word(ARGS)
{
	int gid = get_global_id(0);

	BUG(a[gid / 4] = a[gid / 4] & ~(0xff << 8 * (gid % 4)) | gid);	//!
	OK(((global uchar *)a)[gid] = gid);
}

struct pair { int x, y; };

kernel void fields(ARGS)
{
	global struct pair *s = (global struct pair *)a;
	int gid = get_global_id(0);

	s[gid].x = gid;					//!
	s[EITHER(gid / 2 * 2, gid)].EITHER(x, y) = gid;	//!
}

kernel void fields_of_two(ARGS)
{
	global struct pair *s = (global struct pair *)a;
	int gid = get_global_id(0);

	if (gid % 2)
		s[gid / 2].x = gid;			//!
	else
		s[gid / 2].EITHER(x, y) = gid;		//!
}

kernel void struct_and_field(ARGS)
{
	global struct pair *s = (global struct pair *)a;
	int gid = get_global_id(0);

	s[64 + gid] = s[gid];				//!
	s[64 + (gid + 1) % 32 EITHER(, + 32)].y = gid;	//!
}

struct outer { int at; struct pair inner; };

kernel void inner_structs(ARGS)
{
	global struct outer *s = (global struct outer *)a;
	int gid = get_global_id(0);
	struct pair own = { gid, gid };

	s[gid].inner = own;				//!
	s[EITHER(gid / 2 * 2, gid)].at = gid;		//!
}

kernel void vectors(ARGS)
{
	int gid = get_global_id(0);

	vstore4((int4)(gid), 0, a + EITHER(3, 4) * gid);	//!
}

kernel void vectors_of_three(ARGS)
{
	int gid = get_global_id(0);

	vstore3((int3)(gid), gid, a);			//!
	BUG(a[3 * gid + 3] = gid);			//!
}

kernel void vector_and_scalar(ARGS)
{
	int gid = get_global_id(0);

	((global int4 *)a)[gid] = (int4)(gid);		//!
	BUG(a[4 * ((gid + 1) % 32) + 2] = -gid - 1);	//!
	OK(a[4 * gid + 2] = 1);
}

kernel void halves_of_long(ARGS)
{
	int gid = get_global_id(0);

	a[gid] = gid;					//!
	((global long *)a)[EITHER(gid, gid + 32)] = gid;	//!
}

kernel void shorts(ARGS)
{
	global short *s = (global short *)a;
	int gid = get_global_id(0);

	s[gid] = gid;					//!
	if (gid % 2 == EITHER(1, 2))
		a[gid / 2] = gid;			//!
}

kernel void bool_bytes(ARGS)
{
	global char *flags = (global char *)a;
	int gid = get_global_id(0);

	flags[gid] = gid & 1;				//!
	a[64 + gid] = flags[EITHER(gid + 1, gid)];	//!
}

kernel void local_bytes(ARGS)
{
	local char flags[16];
	int lid = get_local_id(0);

	flags[lid] = lid;				//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	a[get_global_id(0)] = flags[7 - lid];		//!
}

kernel void copied_struct(ARGS)
{
	local struct pair own[8];
	int lid = get_local_id(0);

	own[lid].x = lid;				//!
	own[lid].y = lid;				//!
	OK(barrier(CLK_LOCAL_MEM_FENCE));
	struct pair other = own[lid ^ 1];		//!
	a[get_global_id(0)] = other.x + other.y;
}

union word { int whole; uchar bytes[4]; };

kernel void unions(ARGS)
{
	global union word *words = (global union word *)a;
	int gid = get_global_id(0);

	words[gid / 4].bytes[gid % 4] = gid;		//!
	if (gid % 4 == EITHER(1, 4))
		words[gid / 4].whole = 0;		//!
}
