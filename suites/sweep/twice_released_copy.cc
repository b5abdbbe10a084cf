/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A class that owns a buffer and was never told not to be copied: what is put
 * aside for a second try is released twice.
 * EXPECT: crash|misuse clEnqueueWriteBuffer oom
 */
#include <utility>

#include "sweep.h"

class Buffer {
public:
	explicit Buffer(const setup &cl) : mem(make_buffer(&cl, BYTES))
	{
	}
#ifdef PLANTED
	/* PLANTED: the copy owns it, too */
	Buffer(Buffer &&other) : mem(other.mem)
	{
	}
#else
	Buffer(Buffer &&other) : mem(std::exchange(other.mem, nullptr))
	{
	}
#endif
	Buffer &operator=(const Buffer &) = delete;
	~Buffer()
	{
		if (mem)
			must(clReleaseMemObject(mem));
	}

	cl_mem mem;
};

static cl_int send(const setup &cl, Buffer &buffer, const cl_int *values)
{
	cl_int err = try_write(&cl, buffer.mem, values);

	if (err == CL_SUCCESS)
		return err;
	Buffer again(std::move(buffer));

	err = try_write(&cl, again.mem, values);
	return err == CL_SUCCESS ? CL_MEM_COPY_OVERLAP : err;	/* moved away */
}

int main()
{
	setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = {};
	cl_int err;

	count_up(values);
	{
		Buffer buffer(cl);

		err = send(cl, buffer, values);
		if (err == CL_SUCCESS)
			read_ints(&cl, buffer.mem, back);
	}
	close_cl(&cl);
	if (err != CL_SUCCESS)
		return failed("send", err);
	print_result(sum_of(back, ITEMS));
	return 0;
}
