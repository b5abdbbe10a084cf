/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: make_boxes
global_size: 2

[test]
arg_in:  0 buffer int[4] 1 5 2 8
arg_out: 1 buffer int[6] 1 5 0 2 8 0
!*/
/* Twin of struct_member_bug: an initialiser sets the rest to 0. */
struct box {
	int low, high, colour;
};

/* Not inline, or the compiler leaves out what nobody set before a tool sees it. */
__attribute__((noinline))
void set_ends(struct box *box, global const int *ends)
{
	box->low = ends[0];
	box->high = ends[1];
}

kernel void make_boxes(global const int *ends, global struct box *boxes)
{
	size_t gid = get_global_id(0);
	struct box box = { 0 };

	set_ends(&box, ends + gid * 2);
	boxes[gid] = box;
}
