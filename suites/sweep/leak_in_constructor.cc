/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A constructor that throws: the destructor of an object that never was does
 * not run, and a handle is no object that has one of its own.
 * EXPECT: leak clCreateBuffer oom
 */
#include <stdexcept>

#include "sweep.h"

class Pair {
public:
	explicit Pair(const setup &cl) : in(try_buffer(&cl, BYTES)), out(nullptr)
	{
		if (in)
			out = try_buffer(&cl, BYTES);
		if (out)
			return;
		/* PLANTED: in is not given back */
#ifndef PLANTED
		if (in)
			must(clReleaseMemObject(in));
#endif
		throw std::runtime_error("no two buffers");
	}
	Pair(const Pair &) = delete;
	Pair &operator=(const Pair &) = delete;
	~Pair()
	{
		must(clReleaseMemObject(in));
		must(clReleaseMemObject(out));
	}

	cl_mem in, out;
};

static void copy_there(const setup &cl, const cl_int *from, cl_int *to)
{
	Pair pair(cl);

	write_ints(&cl, pair.in, from);
	must(clEnqueueCopyBuffer(cl.queue, pair.in, pair.out, 0, 0, BYTES, 0,
				 nullptr, nullptr));
	read_ints(&cl, pair.out, to);
}

int main()
{
	setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = {};

	count_up(values);
	try {
		copy_there(cl, values, back);
	} catch (const std::runtime_error &) {
		memcpy(back, values, BYTES);	/* the host can do it */
	}
	print_result(sum_of(back, ITEMS));
	close_cl(&cl);
	return 0;
}
