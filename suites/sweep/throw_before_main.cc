/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A global object opens the device before main() can catch an exception.
 * EXPECT: crash clCreateCommandQueue oom-host
 */
#include <memory>
#include <stdexcept>

#include "sweep.h"

class Engine {
public:
	Engine()
	{
		cl_int err;

		cl.device = find_device();
		cl.context = clCreateContext(nullptr, 1, &cl.device, nullptr,
					     nullptr, &err);
		have(cl.context, err);
		cl.queue = clCreateCommandQueue(cl.context, cl.device, 0, &err);
		if (err != CL_SUCCESS || !cl.queue)
			throw std::runtime_error("no queue");
	}
	Engine(const Engine &) = delete;
	Engine &operator=(const Engine &) = delete;

	setup cl;
};

static Engine *engine()
{
	static std::unique_ptr<Engine> only(new Engine);

	return only.get();
}

#ifdef PLANTED
/* PLANTED: made where nobody can catch */
static Engine *const early = engine();
#endif

int main()
{
	cl_int values[ITEMS], back[ITEMS] = {};

	try {
		const setup &cl = engine()->cl;
		cl_mem mem = make_buffer(&cl, BYTES);

		count_up(values);
		write_ints(&cl, mem, values);
		read_ints(&cl, mem, back);
		must(clReleaseMemObject(mem));
		close_cl(&cl);
	} catch (const std::exception &e) {
		fprintf(stderr, "%s\n", e.what());
		return FAILED;
	}
#ifdef PLANTED
	(void)early;
#endif
	print_result(sum_of(back, ITEMS));
	return 0;
}
