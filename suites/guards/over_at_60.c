/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sum of each row goes into its last column; there is one row less than
 * is summed. What is written is past the end and not next to it.
 * Undefined: on pocl those bytes are the C library's
 */
#include "guards.h"

enum { ROWS = 8, COLUMNS = 16 };

static const char source[] =
	"kernel void sum_rows(global int *table, int columns, int rows)\n"
	"{\n"
	"	int row = get_global_id(0), sum = 0x01020304;\n"
	"	for (int i = 0; row < rows && i < columns - 1; i++)\n"
	"		sum += table[row * columns + i];\n"
	"	table[row * columns + columns - 1] = sum;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "sum_rows");
	cl_int table[ROWS * COLUMNS] = { 1, 2, 3 };
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
			       sizeof(table), table);
	const cl_int columns = COLUMNS, rows = ROWS;
#ifdef PLANTED
	const size_t items = ROWS + 1;
#else
	const size_t items = ROWS;
#endif

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, columns);
	set_arg(kernel, 2, rows);
	/* PLANTED: guard sum_rows 0 +60 0x04 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mem, sizeof(table), table);
	expect(table[COLUMNS - 1], 0x01020304 + 6);
	close_with(&cl, kernel, mem);
	return 0;
}
