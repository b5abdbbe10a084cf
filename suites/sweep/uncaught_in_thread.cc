/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors are exceptions, and main() catches them all; those of a thread do
 * not come by there.
 * EXPECT: crash clEnqueueWriteBuffer oom
 */
#include <exception>
#include <stdexcept>
#include <thread>

#include "sweep.h"

static void upload(const setup &cl, cl_mem mem)
{
	cl_int values[ITEMS];

	count_up(values);
	if (try_write(&cl, mem, values) != CL_SUCCESS)
		throw std::runtime_error("the upload failed");
}

static void run(const setup &cl, cl_mem mem)
{
#ifdef PLANTED
	/* PLANTED: nobody catches what it throws */
	std::thread worker([&] { upload(cl, mem); });

	worker.join();
#else
	std::exception_ptr error;
	std::thread worker([&] {
		try {
			upload(cl, mem);
		} catch (...) {
			error = std::current_exception();
		}
	});

	worker.join();
	if (error)
		std::rethrow_exception(error);
#endif
}

int main()
{
	setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = {};

	try {
		run(cl, mem);
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
