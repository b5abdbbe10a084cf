/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A guard waits for the queue when its block ends, and throws when it cannot.
 * Destructors do not throw.
 * EXPECT: crash clFinish oom
 */
#include <exception>
#include <stdexcept>

#include "sweep.h"

class Finished {
public:
	explicit Finished(const setup &cl) : cl_(cl)
	{
	}
	Finished(const Finished &) = delete;
	Finished &operator=(const Finished &) = delete;
#ifdef PLANTED
	~Finished()
	{
		/* PLANTED: std::terminate() is where this leads */
		wait();
	}
#endif
	void wait()
	{
		cl_int err = clFinish(cl_.queue);

		if (err != CL_SUCCESS)
			throw std::runtime_error("the queue does not finish");
	}

private:
	const setup &cl_;
};

static void fill(const setup &cl, cl_mem mem, cl_int value)
{
	Finished finished(cl);

	must(clEnqueueFillBuffer(cl.queue, mem, &value, sizeof(value), 0,
				 BYTES, 0, nullptr, nullptr));
#ifndef PLANTED
	finished.wait();
#endif
}

int main()
{
	setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = {};

	try {
		fill(cl, mem, 3);
	} catch (const std::exception &e) {
		fprintf(stderr, "%s\n", e.what());
		return FAILED;
	}
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
