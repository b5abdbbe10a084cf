/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hidden arguments of kernels that look for what nobody wrote
 * (kernels/instrument/sanitizer/init.c): shadows of buffers
 * (instrument_valid.c), and how much local memory those of local memory take.
 */
#include "config.h"

#include "instrument_valid.h"

#define NO_SHADOW UINT64_MAX

static bool set_local(const struct claw_kernel_twin *twin,
		      const struct claw_map_cell *cell, uint64_t *local)
{
	cl_ulong value = NO_SHADOW;

	for (unsigned int i = 0; i < twin->hidden.size_count; i++)
		if (twin->hidden.sizes[i].argument == cell->argument &&
		    twin->sizes[i] < UINT64_MAX - 1 && cell->is_asked) {
			value = *local;
			*local += (twin->sizes[i] >> cell->shift) + 1;
		}
	return !claw_next.clSetKernelArg(twin->kernel, cell->index,
					 sizeof(value), &value);
}

/* mem NULL: nothing of it is looked at. */
static bool set_global(const struct claw_kernel_twin *twin,
		       const struct claw_map_cell *cell, cl_mem mem,
		       cl_command_queue queue, const char **why)
{
	cl_mem dummy = twin->twin->words->buffer;
	uint64_t offset = NO_SHADOW;
	cl_mem shadow = mem ? claw_valid_shadow(mem, queue, &offset, why) : NULL;
	cl_ulong value = shadow ? offset : NO_SHADOW;
	bool done = !claw_next.clSetKernelArg(twin->kernel, cell->index,
			sizeof(cl_mem), shadow ? &shadow : &dummy) &&
		!claw_next.clSetKernelArg(twin->kernel, cell->index + 1,
					  sizeof(value), &value);

	if (shadow)
		claw_next.clReleaseMemObject(shadow);
	return done;
}

/* What a program writes to shared memory itself nobody sees. */
static cl_mem given(const struct claw_probed_kernel *kernel,
		    const struct claw_map_cell *cell, const char **why)
{
	if (!cell->is_asked)
		return NULL;
	if (cell->argument >= CLAW_PROBE_ARGUMENTS)
		*why = "init: an argument behind the 64th";
	else if (kernel->is_shared[cell->argument])
		*why = "init: shared virtual memory has no shadow";
	else
		return kernel->given[cell->argument];
	return NULL;
}

static bool set_all(const struct claw_probed_kernel *kernel,
		    const struct claw_kernel_twin *twin, cl_command_queue queue,
		    bool is_trial, const char **why)
{
	const struct claw_map_kernel *hidden = &twin->hidden;
	uint64_t local = hidden->cells_local;
	cl_uint index = (cl_uint)hidden->cells, words;

	for (unsigned int i = 0; i < hidden->cell_count; i++) {
		const struct claw_map_cell *cell = &hidden->cell[i];

		if (cell->is_local ? !set_local(twin, cell, &local) :
		    !set_global(twin, cell, is_trial ? NULL :
				given(kernel, cell, why), queue, why))
			return false;
	}
	words = (cl_uint)local;
	return !claw_next.clSetKernelArg(twin->kernel, index,
					 local ? local : 1, NULL) &&
	       !claw_next.clSetKernelArg(twin->kernel, index + 1,
					 sizeof(words), &words);
}

bool claw_cells_set(const struct claw_probed_kernel *kernel,
		    struct claw_kernel_twin *twin, cl_command_queue queue,
		    bool is_trial, bool *ret_whole)
{
	const char *why = NULL;

	*ret_whole = true;
	if (twin->hidden.cells < 0)
		return true;
	if (twin->hidden.is_wild && !is_trial)
		claw_valid_give_up(kernel);
	if (twin->hidden.is_wild || twin->hidden.is_wild_own)
		why = "init: writes through pointers that cannot be followed, "
			"or by a kernel that a kernel calls";
	if (!set_all(kernel, twin, queue, is_trial, &why))
		return false;
	*ret_whole = !why;
	if (why)
		claw_words_why(twin->twin->words, why);
	return true;
}
