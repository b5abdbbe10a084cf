/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver's dispatch table as the mock ICD door finds it: nobody says how
 * long it is, and it may stand in memory that is not to be written.
 */
#include "config.h"

#include "icd.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults/shared/api_sig.h"

struct claw_icd_table claw_icd_tables[CLAW_ICD_TABLES];
unsigned int claw_icd_table_count;

#define SLOTS(member_)							\
	(offsetof(struct _cl_icd_dispatch, member_) / sizeof(void *))
enum {
	ALL_SLOTS = sizeof(struct _cl_icd_dispatch) / sizeof(void *),
	VERSION_MAX = 128,
};

/* ---- memory ------------------------------------------------------------ */

struct mapping {
	uintptr_t low, high;
	int protection;
};

/* Of this process, as the kernel says; the caller frees it. */
static struct mapping *read_mappings(size_t *ret_count)
{
	FILE *in = fopen("/proc/self/maps", "re");
	struct mapping *all = NULL;
	char *line = NULL;
	size_t size = 0, count = 0, room = 0;

	while (in && getline(&line, &size, in) > 0) {
		unsigned long low, high;
		char rights[5];

		if (sscanf(line, "%lx-%lx %4s", &low, &high, rights) != 3)
			continue;
		if (count == room) {
			struct mapping *more = realloc(all, (room + 256) *
						       sizeof(*more));

			if (!more)
				break;
			all = more;
			room += 256;
		}
		all[count++] = (struct mapping) {
			low, high, (rights[0] == 'r' ? PROT_READ : 0) |
			(rights[1] == 'w' ? PROT_WRITE : 0) |
			(rights[2] == 'x' ? PROT_EXEC : 0),
		};
	}
	if (in)
		fclose(in);
	free(line);
	*ret_count = count;
	return all;
}

static int protection_at(const struct mapping *all, size_t count,
			 uintptr_t address)
{
	for (size_t i = 0; i < count; i++)
		if (address >= all[i].low && address < all[i].high)
			return all[i].protection;
	return PROT_NONE;
}

struct search {
	uintptr_t address, low, high;
};

static int look_in_object(struct dl_phdr_info *info, size_t size, void *user)
{
	struct search *search = user;
	uintptr_t low = UINTPTR_MAX, high = 0;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X))
			continue;
		low = start < low ? start : low;
		high = start + ph->p_memsz > high ? start + ph->p_memsz : high;
	}
	if (search->address < low || search->address >= high)
		return 0;
	search->low = low;
	search->high = high;
	return 1;
}

bool claw_icd_code_of(const void *address, uintptr_t *ret_low,
		      uintptr_t *ret_bytes)
{
	struct search search = { .address = (uintptr_t)address };

	if (!dl_iterate_phdr(look_in_object, &search))
		return false;
	*ret_low = search.low;
	*ret_bytes = search.high - search.low;
	return true;
}

/* ---- how long ---------------------------------------------------------- */

/* Slots that a driver of that version has at most: what comes behind its
 * table is not ours to write. */
static size_t slots_of_version(unsigned int major, unsigned int minor)
{
	static const struct {
		unsigned int version;
		size_t slots;
	} known[] = {
		{ 30, ALL_SLOTS },
		{ 22, SLOTS(clCreateBufferWithProperties) },
		{ 21, SLOTS(clSetProgramReleaseCallback) },
		{ 20, SLOTS(clCloneKernel) },
		{ 12, SLOTS(clCreateCommandQueueWithProperties) },
		{ 11, SLOTS(clCreateSubDevices) },
		{ 10, SLOTS(clSetEventCallback) },
	};
	unsigned int version = major * 10 + (minor < 9 ? minor : 9);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (version >= known[i].version)
			return known[i].slots;
	return 0;
}

/* Of the platform, as the driver says, without any loader. */
static size_t slots_of_platform(cl_platform_id platform, void *const *table)
{
	claw_pfn_clGetPlatformInfo ask = __extension__
		(claw_pfn_clGetPlatformInfo)table[SLOTS(clGetPlatformInfo)];
	char text[VERSION_MAX] = "";
	unsigned int major, minor;
	size_t length = 0;

	/* What is behind the version may be longer than we care to know. */
	if (ask(platform, CL_PLATFORM_VERSION, 0, NULL, &length) || !length)
		return 0;

	char *whole = calloc(1, length + 1);

	if (whole && !ask(platform, CL_PLATFORM_VERSION, length, whole, NULL))
		snprintf(text, sizeof(text), "%.*s", VERSION_MAX - 1, whole);
	free(whole);
	if (sscanf(text, "OpenCL %u.%u", &major, &minor) != 2)
		return 0;
	return slots_of_version(major, minor);
}

/* Loaders since cl_khr_icd 2.0.0 know drivers by a tag in these two. */
static bool may_hold_tag(size_t slot)
{
	return slot == SLOTS(clGetPlatformIDs) ||
	       slot == SLOTS(clUnloadCompiler);
}

/* Copy what is there: up to where the version, the memory or what is no
 * function ends the table. */
static void copy_slots(struct claw_icd_table *table, size_t limit,
		       const struct mapping *all, size_t count)
{
	for (size_t i = 0; i < limit; i++) {
		uintptr_t at = (uintptr_t)(table->theirs + i);
		void *function;

		if (!(protection_at(all, count, at) & PROT_READ))
			break;
		function = table->theirs[i];
		if (function && !(protection_at(all, count,
						(uintptr_t)function) &
				  PROT_EXEC)) {
			if (!may_hold_tag(i))
				break;
			function = NULL;
		}
		memcpy((char *)&table->next + i * sizeof(void *), &function,
		       sizeof(function));
		table->slots = i + 1;
	}
}

static struct claw_icd_table *find_table(const void *theirs)
{
	for (unsigned int i = 0; i < claw_icd_table_count; i++)
		if ((const void *)claw_icd_tables[i].theirs == theirs ||
		    (const void *)&claw_icd_tables[i].ours == theirs)
			return &claw_icd_tables[i];
	return NULL;
}

/* Is there a function for platforms where the platform's table has it? */
static bool is_table(void *const *theirs, const struct mapping *all,
		     size_t count)
{
	uintptr_t slot = (uintptr_t)(theirs + SLOTS(clGetPlatformInfo));

	return (uintptr_t)theirs % sizeof(void *) == 0 &&
	       protection_at(all, count, slot) & PROT_READ &&
	       protection_at(all, count, (uintptr_t)
			     theirs[SLOTS(clGetPlatformInfo)]) & PROT_EXEC;
}

struct claw_icd_table *claw_icd_table_learn(cl_platform_id platform,
					    const char **ret_why)
{
	struct claw_icd_table *table = NULL;
	size_t count, limit;
	struct mapping *all = read_mappings(&count);
	void **theirs = NULL;

	*ret_why = NULL;
	if (!count)
		*ret_why = "/proc/self/maps cannot be read";
	else if (!(protection_at(all, count, (uintptr_t)platform) & PROT_READ))
		*ret_why = "a platform that is no object";
	else
		memcpy(&theirs, (const void *)platform, sizeof(theirs));
	if (!*ret_why)
		table = find_table(theirs);
	if (*ret_why || table)
		goto out;
	if (!is_table(theirs, all, count)) {
		*ret_why = "a platform without a dispatch table "
			"(no cl_khr_icd)";
		goto out;
	}
	if (claw_icd_table_count == CLAW_ICD_TABLES) {
		*ret_why = "too many dispatch tables";
		goto out;
	}
	limit = slots_of_platform(platform, theirs);
	if (!limit) {
		*ret_why = "a platform that does not say its OpenCL version";
		goto out;
	}
	table = &claw_icd_tables[claw_icd_table_count++];
	table->theirs = theirs;
	copy_slots(table, limit, all, count);
	claw_icd_code_of(theirs[SLOTS(clGetPlatformInfo)], &table->low,
			 &table->bytes);
out:
	free(all);
	return table;
}

struct claw_icd_table *claw_icd_table_of(const void *object)
{
	const void *first = object ? *(const void *const *)object : NULL;

	for (unsigned int i = 0; i < claw_icd_table_count; i++)
		if ((const void *)claw_icd_tables[i].theirs == first ||
		    (const void *)&claw_icd_tables[i].ours == first)
			return &claw_icd_tables[i];
	return &claw_icd_tables[0];
}

/* ---- writing ----------------------------------------------------------- */

/* Give all pages of the table that right, or what they had. */
static bool protect(const struct claw_icd_table *table, int more,
		    const struct mapping *all, size_t count)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t at = (uintptr_t)table->theirs & ~(page - 1);
	uintptr_t end = (uintptr_t)(table->theirs + table->slots);

	for (; at < end; at += page) {
		int had = protection_at(all, count, at);

		if (!(had & PROT_WRITE) &&
		    mprotect((void *)at, page, had | more) < 0)
			return false;
	}
	return true;
}

static bool write_table(struct claw_icd_table *table)
{
	size_t count;
	struct mapping *all = read_mappings(&count);
	bool can = count && protect(table, PROT_WRITE, all, count);

	for (size_t i = 0; can && i < table->slots; i++) {
		void *was, *is;

		memcpy(&was, (char *)&table->next + i * sizeof(void *),
		       sizeof(was));
		memcpy(&is, (char *)&table->ours + i * sizeof(void *),
		       sizeof(is));
		if (was != is)
			__atomic_store_n(&table->theirs[i], is,
					 __ATOMIC_RELEASE);
	}
	protect(table, 0, all, count);
	free(all);
	return can;
}

unsigned int claw_icd_tables_hook(void)
{
	unsigned int most = 0;

	for (unsigned int i = 0; i < claw_icd_table_count; i++) {
		struct claw_icd_table *table = &claw_icd_tables[i];
		unsigned int hooked = claw_icd_calls_fill(table);

		most = hooked > most ? hooked : most;
	}
	claw_icd_calls_set_next();
	for (unsigned int i = 0; i < claw_icd_table_count; i++) {
		struct claw_icd_table *table = &claw_icd_tables[i];

		table->by_object = !write_table(table);
		if (table->by_object)
			__atomic_store_n(&claw_icd_look.adopts, 1,
					 __ATOMIC_RELAXED);
	}
	return most;
}

void claw_icd_adopt(void *object)
{
	const void *first = object ? *(const void *const *)object : NULL;

	for (unsigned int i = 0; object && i < claw_icd_table_count; i++) {
		struct claw_icd_table *table = &claw_icd_tables[i];
		const void *ours = &table->ours;

		if (table->by_object && first == (const void *)table->theirs)
			memcpy(object, &ours, sizeof(ours));
	}
}
