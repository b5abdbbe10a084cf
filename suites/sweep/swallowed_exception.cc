/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts are worked on one by one; a part that throws is given up, and so is
 * its share of the result.
 * EXPECT: swallowed clEnqueueReadBuffer oom
 */
#include <exception>
#include <stdexcept>
#include <vector>

#include "sweep.h"

enum { PARTS = 4, PART_ITEMS = ITEMS / PARTS };

static int read_part(const setup &cl, cl_mem mem, size_t index)
{
	std::vector<cl_int> part(PART_ITEMS);
	size_t bytes = PART_ITEMS * sizeof(cl_int);

	if (clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, index * bytes, bytes,
				part.data(), 0, nullptr, nullptr) != CL_SUCCESS)
		throw std::runtime_error("a part was not read");
	return sum_of(part.data(), part.size());
}

static int read_all(const setup &cl, cl_mem mem)
{
	int sum = 0;

	for (size_t i = 0; i < PARTS; i++) {
		try {
			sum += read_part(cl, mem, i);
		} catch (const std::runtime_error &e) {
			/* PLANTED: and nobody learns of it */
#ifndef PLANTED
			exit((fprintf(stderr, "%s\n", e.what()), FAILED));
#else
			(void)e;
#endif
		}
	}
	return sum;
}

int main()
{
	setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS];

	count_up(values);
	write_ints(&cl, mem, values);
	print_result(read_all(cl, mem));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
