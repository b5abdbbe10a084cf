/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A C++ class that owns a buffer: the destructor releases, the copy
 * constructor retains, and the assignment overwrites the old handle without
 * releasing it. A buffer an assignment, on every driver, and no line of the
 * program says "retain" or "release".
 * Needs: a C++ compiler
 */
#include "lifetime.h"

class Buffer {
public:
	Buffer() : mem_(nullptr)
	{
	}
	explicit Buffer(cl_context context)
	{
		cl_int err;

		/* PLANTED: leak buffer */
		mem_ = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES,
				      nullptr, &err);
		must(err);
	}
	Buffer(const Buffer &other) : mem_(other.mem_)
	{
		must(clRetainMemObject(mem_));
	}
	Buffer &operator=(const Buffer &other)
	{
		/* SECOND: retained */
		must(clRetainMemObject(other.mem_));
#ifndef PLANTED
		if (mem_)
			must(clReleaseMemObject(mem_));
#endif
		mem_ = other.mem_;
		return *this;
	}
	~Buffer()
	{
		if (mem_)
			must(clReleaseMemObject(mem_));
	}

private:
	cl_mem mem_;
};

int main()
{
	struct setup cl = open_device();

	{
		Buffer current;

		for (int i = 0; i < ROUNDS; i++)
			current = Buffer(cl.context);
	}
	close_device(&cl);
	return 0;
}
