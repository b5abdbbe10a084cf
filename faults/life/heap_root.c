/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that changes its root and starts another there: this library is
 * not to be found in it, and the dynamic linker says so on the program's
 * standard error. The variable loses us as soon as that is so.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/compat.h"

#define EXPORT __attribute__((visibility("default")))
#define PRELOAD "LD_PRELOAD="

CLAW_OLD_SYMBOL(dladdr);

/* Cut our name out of the list; entries have ':' or ' ' between. */
static void cut(char *list, const char *name)
{
	char *at = strstr(list, name), *end;

	if (!at || (at > list && at[-1] != ':' && at[-1] != ' '))
		return;
	end = at + strlen(name);
	if (*end == ':' || *end == ' ')
		end++;
	else if (!*end && at > list)
		at--;
	memmove(at, end, strlen(end) + 1);
}

EXPORT int chroot(const char *path)
{
	int (*next)(const char *path) = __extension__ (int (*)(const char *))
		dlsym(RTLD_NEXT, "chroot");
	int ret, saved;
	Dl_info here;

	if (!next) {
		errno = ENOSYS;
		return -1;
	}
	ret = next(path);
	saved = errno;
	if (ret == 0 && dladdr(__extension__ (void *)cut, &here) &&
	    access(here.dli_fname, F_OK))
		for (char **entry = environ; entry && *entry; entry++)
			if (!strncmp(*entry, PRELOAD, strlen(PRELOAD)))
				cut(*entry + strlen(PRELOAD), here.dli_fname);
	errno = saved;
	return ret;
}
