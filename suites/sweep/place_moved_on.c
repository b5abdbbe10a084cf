/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place to write to is moved on before the write; a second try goes to
 * the next place.
 * EXPECT: swallowed clEnqueueWriteBuffer oom
 */
#include "sweep.h"

enum { PARTS = 4, PART_BYTES = BYTES / PARTS };

struct stream {
	const struct setup *cl;
	cl_mem mem;
	size_t place;
};

static cl_int put(struct stream *stream, const cl_int *values)
{
	size_t place = stream->place;
	cl_int err;

#ifdef PLANTED
	/* PLANTED: before it is known whether it worked */
	stream->place += PART_BYTES;
#endif
	err = clEnqueueWriteBuffer(stream->cl->queue, stream->mem, CL_TRUE,
				   place, PART_BYTES, values, 0, NULL, NULL);
#ifndef PLANTED
	if (err == CL_SUCCESS)
		stream->place += PART_BYTES;
#endif
	return err;
}

int main(void)
{
	struct setup cl = open_cl();
	struct stream stream = { &cl, make_buffer(&cl, 2 * BYTES), 0 };
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	write_ints(&cl, stream.mem, back);
	for (int i = 0; i < PARTS; i++) {
		const cl_int *part = values + i * (ITEMS / PARTS);

		if (put(&stream, part) != CL_SUCCESS)
			must(put(&stream, part));
	}
	read_ints(&cl, stream.mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(stream.mem));
	close_cl(&cl);
	return 0;
}
