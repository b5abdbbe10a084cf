/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A string is as long as the driver says and ends with a NUL, which is cut
 * off; when the driver says nothing there is nothing to cut.
 * EXPECT: crash clGetDeviceInfo oom-host
 */
#include <exception>
#include <string>

#include "sweep.h"

static std::string version_of(cl_device_id device)
{
	size_t size = 0;
	cl_int err = clGetDeviceInfo(device, CL_DEVICE_VERSION, 0, nullptr,
				     &size);

#ifndef PLANTED
	must(err);
#endif
	(void)err;
	std::string text(size, '\0');

	if (size)
		must(clGetDeviceInfo(device, CL_DEVICE_VERSION, size, &text[0],
				     nullptr));
	/* PLANTED: the text may be empty, and at() throws */
	if (text.at(size - 1) == '\0')
		text.resize(size - 1);
	return text;
}

int main()
{
	setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = {};
	bool known = version_of(cl.device).compare(0, 7, "OpenCL ") == 0;

	count_up(values);
	write_ints(&cl, mem, values);
	read_ints(&cl, mem, back);
	print_result(known ? sum_of(back, ITEMS) : 0);
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
