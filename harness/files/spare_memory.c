/* SPDX-License-Identifier: Apache-2.0 */
/* Ask the kernel for each limit. */
#include "config.h"

#include "spare_memory.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "small_file.h"
#include "harness/base/text.h"

static void take(uint64_t *spare, double limit, double used)
{
	double left = limit > used ? limit - used : 0;

	if (!isnan(limit) && !isnan(used) && left < (double)*spare)
		*spare = (uint64_t)left;
}

/* "0::/user.slice/x" of version 2; "max" is no number. */
static void take_cgroup(uint64_t *spare)
{
	char text[4096], *path;

	if (!claw_small_file_read(text, sizeof(text), "/proc/self/cgroup"))
		return;
	path = claw_begins(text, "0::") ? text : strstr(text, "\n0::");
	if (!path)
		return;
	path += strspn(path, "\n") + strlen("0::");
	path[strcspn(path, "\n")] = '\0';
	take(spare, claw_small_file_number("/sys/fs/cgroup%s/memory.max", path),
	     claw_small_file_number("/sys/fs/cgroup%s/memory.current", path));
}

uint64_t claw_spare_memory(void)
{
	uint64_t spare = UINT64_MAX;
	struct rlimit limit;
	char text[4096];

	if (claw_small_file_read(text, sizeof(text), "/proc/meminfo"))
		take(&spare, claw_small_file_field(text, "MemAvailable") * 1024,
		     0);
	if (getrlimit(RLIMIT_AS, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY)
		take(&spare, (double)limit.rlim_cur,
		     claw_small_file_number("/proc/self/statm") *
		     (double)sysconf(_SC_PAGESIZE));
	take_cgroup(&spare);
	return spare;
}
