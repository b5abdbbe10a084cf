/* SPDX-License-Identifier: Apache-2.0 */
/* New lines of the kernel's log, told apart by their stamps. */
#include "config.h"

#include "xid_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/errors.h"
#include "harness/machine/kernel_log.h"
#include "harness/base/memory.h"

enum { TEXT_BYTES = 512, PCI_BYTES = 32 };

/* "Xid (PCI:0000:65:00): 79", "amdgpu 0000:03:00.0: ..."; "" when there is
 * none. */
static void find_pci(const struct claw_dmesg_line *line, char *pci, size_t size)
{
	char text[TEXT_BYTES];

	*pci = '\0';
	snprintf(text, sizeof(text), "%.*s", (int)line->length, line->text);
	for (const char *at = text; *at; at++) {
		unsigned int domain, bus, device;
		int length = 0;

		if ((at > text && !strchr(" (:", at[-1])) ||
		    sscanf(at, "%4x:%2x:%2x%n", &domain, &bus, &device,
			   &length) != 3 || length != 10)
			continue;
		if (at[length] == '.')
			length += 2;
		snprintf(pci, size, "%.*s", length, at);
		return;
	}
}

/* The function is not in NVIDIA's lines. */
static bool is_device(const char *found, const char *pci)
{
	size_t length = strlen(found);

	return !pci || !*found || strncasecmp(found, pci, length) == 0;
}

static void tell(const struct claw_dmesg_line *line, const char *pci,
		 claw_xid_seen *seen, void *user)
{
	char what[32] = "the kernel", whose[64] = "", *text;
	struct claw_soak_event event = {
		.kind = "xid", .code = line->code, .count = 1,
	};

	if (line->xid)
		snprintf(what, sizeof(what), "Xid %u", line->xid);
	if (line->pid)
		snprintf(whose, sizeof(whose), ", process %" PRIu64 "%s%s%s",
			 line->pid, *line->name ? " (" : "", line->name,
			 *line->name ? ")" : "");
	text = claw_format("%s%s%s%s: %s (%s)", what, *pci ? " of " : "", pci,
			   whose, line->meaning, line->whose);
	event.text = text ? text : line->meaning;
	seen(&event, line, user);
	free(text);
}

/* Lines come in order; of those with the last stamp some have been seen. */
void claw_xid_watch_scan(struct claw_xid_watch *watch, const char *log,
			 const char *pci, claw_xid_seen *seen, void *user)
{
	const double since = watch->stamp;
	size_t old = watch->at_stamp;
	struct claw_dmesg_line line;

	while (claw_dmesg_next(&log, &line)) {
		char found[PCI_BYTES];

		if (!line.has_stamp || line.stamp < since ||
		    (line.stamp == since && old && old--))
			continue;
		if (line.stamp > watch->stamp) {
			watch->stamp = line.stamp;
			watch->at_stamp = 0;
		}
		watch->at_stamp += line.stamp == watch->stamp;
		find_pci(&line, found, sizeof(found));
		if (seen && is_device(found, pci))
			tell(&line, found, seen, user);
	}
}

int claw_xid_watch_look(struct claw_xid_watch *watch, const char *pci,
			claw_xid_seen *seen, void *user)
{
	char *log;
	int ret = claw_kernel_log_read(&log);

	if (ret < 0)
		return ret;
	claw_xid_watch_scan(watch, log, pci, seen, user);
	free(log);
	return 0;
}

int claw_xid_watch_begin(struct claw_xid_watch *watch)
{
	double last = 0;
	int ret = claw_kernel_log_last(&last);

	*watch = (struct claw_xid_watch){ .stamp = 0 };
	if (ret < 0)
		return ret;
	if (last <= 0)
		return -CLAW_E_NOT_FOUND;
	ret = claw_xid_watch_look(watch, NULL, NULL, NULL);
	/* A line that was written meanwhile is new. */
	if (ret == 0 && watch->stamp < last)
		*watch = (struct claw_xid_watch){ .stamp = last };
	return ret;
}
