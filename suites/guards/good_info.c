/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that a buffer and its parts answer about themselves.
 */
#include "guards.h"

static cl_ulong host_memory[ITEMS] __attribute__((aligned(4096)));

static void look(cl_mem mem, const struct setup *cl, cl_mem_flags flags,
		 size_t size, void *host, size_t offset, cl_mem parent)
{
	cl_mem_object_type type;
	cl_mem_flags got_flags;
	size_t got_size, got_offset, length;
	void *got_host;
	cl_uint maps, references;
	cl_context context;
	cl_mem got_parent;

#define ask(param_, to_) \
	must(clGetMemObjectInfo(mem, (param_), sizeof(to_), &(to_), &length)); \
	holds(length == sizeof(to_))
	ask(CL_MEM_TYPE, type);
	ask(CL_MEM_FLAGS, got_flags);
	ask(CL_MEM_SIZE, got_size);
	ask(CL_MEM_HOST_PTR, got_host);
	ask(CL_MEM_MAP_COUNT, maps);
	ask(CL_MEM_REFERENCE_COUNT, references);
	ask(CL_MEM_CONTEXT, context);
	ask(CL_MEM_ASSOCIATED_MEMOBJECT, got_parent);
	ask(CL_MEM_OFFSET, got_offset);
#undef ask
	holds(type == CL_MEM_OBJECT_BUFFER);
	holds(got_flags == flags);
	holds(got_size == size);
	/* Not all drivers know where in the program's memory a part is. */
	printf("host pointer %sright\n", got_host == host ? "" : "not ");
	holds(parent || got_host == host);
	holds(maps == 0);
	holds(references == 1);
	holds(context == cl->context);
	holds(got_parent == parent);
	holds(got_offset == offset);
}

/* What is asked with too little room, or of nothing that there is. */
static void look_wrong(cl_mem mem)
{
	cl_uchar bytes[64];
	size_t length = 0;

	for (size_t size = 0; size < 9; size++)
		printf(" %d %d %d",
		       clGetMemObjectInfo(mem, CL_MEM_SIZE, size, bytes, NULL),
		       clGetMemObjectInfo(mem, CL_MEM_OFFSET, size, bytes,
					  NULL),
		       clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT,
					  size, bytes, NULL));
	must(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, 0, NULL, &length));
	holds(length == sizeof(void *));
	must(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes), bytes,
				&length));
	printf("; %d %d\n",
	       clGetMemObjectInfo(mem, 0x7777, sizeof(bytes), bytes, NULL),
	       clGetImageInfo(mem, CL_IMAGE_WIDTH, sizeof(bytes), bytes,
			      NULL));
}

static void look_at(const struct setup *cl, cl_mem_flags flags, size_t size)
{
	bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0;
	bool is_given = uses || (flags & CL_MEM_COPY_HOST_PTR) != 0;
	cl_mem mem = buffer_of(cl, flags, size, is_given ? host_memory : NULL);
	size_t origin = alignment_of(cl);

	look(mem, cl, flags, size, uses ? host_memory : NULL, 0, NULL);
	if (size > origin) {
		cl_mem part = part_of(mem, origin, size - origin);
		cl_mem_flags of_part;

		must(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof(of_part),
					&of_part, NULL));
		printf("flags %#llx, of a part %#llx\n",
		       (unsigned long long)flags,
		       (unsigned long long)of_part);
		look(part, cl, of_part, size - origin, uses ?
		     (char *)host_memory + origin : NULL, origin, mem);
		must(clReleaseMemObject(part));
	}
	look_wrong(mem);
	must(clReleaseMemObject(mem));
}

int main(void)
{
	static const cl_mem_flags all[] = {
		CL_MEM_READ_WRITE,
		CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
		CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
		CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
		CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR |
			CL_MEM_COPY_HOST_PTR,
		CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY,
	};
	struct setup cl = open_device();

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (size_t size = 1; size <= sizeof(host_memory);
		     size = size * 2 + 1)
			look_at(&cl, all[i], size);
	close_device(&cl);
	return 0;
}
