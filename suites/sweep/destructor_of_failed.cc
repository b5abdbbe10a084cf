/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The destructor waits for a queue that the constructor may not have got.
 * EXPECT: misuse clCreateCommandQueue oom
 */
#include "sweep.h"

class Stream {
public:
	explicit Stream(const setup &cl) : queue_(nullptr)
	{
		cl_int err;
		cl_command_queue queue = clCreateCommandQueue(cl.context,
			cl.device, 0, &err);

		if (err == CL_SUCCESS)
			queue_ = queue;
	}
	Stream(const Stream &) = delete;
	Stream &operator=(const Stream &) = delete;
	~Stream()
	{
#ifndef PLANTED
		if (!queue_)
			return;
#endif
		/* PLANTED: there may be no queue */
		must(clFinish(queue_));
		must(clReleaseCommandQueue(queue_));
	}

	bool is_open() const
	{
		return queue_ != nullptr;
	}
	void send(cl_mem mem, const cl_int *values)
	{
		must(clEnqueueWriteBuffer(queue_, mem, CL_TRUE, 0, BYTES,
					  values, 0, nullptr, nullptr));
	}

private:
	cl_command_queue queue_;
};

int main()
{
	setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = {};

	count_up(values);
	{
		Stream stream(cl);

		if (!stream.is_open())
			return failed("the stream", CL_OUT_OF_RESOURCES);
		stream.send(mem, values);
	}
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
