/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On the way out of an error the number of what failed is printed after the
 * memory that it is in was freed. No allocator minds.
 * EXPECT: valgrind host-invalid-read clEnqueueWriteBuffer oom
 */
#include "../sweep.h"

struct layer {
	cl_mem mem;
	int rows, number;
};

static struct layer *layers[2];

static __attribute__((noinline)) void drop_layer(int index)
{
	must(clReleaseMemObject(layers[index]->mem));
	free(layers[index]);
}

static int upload(const struct setup *cl, int index)
{
	int number = layers[index]->number;
	cl_int values[ITEMS], err;

	count_up(values);
	err = try_write(cl, layers[index]->mem, values);
	if (err == CL_SUCCESS)
		return 0;
	drop_layer(index);
#ifdef PLANTED
	/* PLANTED: the layer is gone */
	number = layers[index]->number;
#endif
	fprintf(stderr, "layer %s: ", number == 7 ? "seven" : "one");
	return failed("the upload", err);
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS] = { 0 };
	int status;

	layers[1] = calloc(1, sizeof(*layers[1]));
	need(layers[1] != NULL, "memory");
	layers[1]->number = 7;
	layers[1]->mem = make_buffer(&cl, BYTES);
	status = upload(&cl, 1);
	if (status == 0) {
		read_ints(&cl, layers[1]->mem, values);
		print_result(sum_of(values, ITEMS));
		drop_layer(1);
	}
	close_cl(&cl);
	return status;
}
