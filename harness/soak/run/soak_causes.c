/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One leak makes several series grow: the objects of its kind, the memory of
 * the device, that of the host, threads. Which of them what has been found
 * already accounts for, so that it counts once.
 */
#include "config.h"

#include <string.h>

#include "faults/shared/api.h"
#include "soak_evidence.h"

#define KIB 1024.0

/*
 * A series of objects, and what a driver may keep for one of them, at most.
 * What grows faster than that is a leak of its own.
 */
static const struct kept {
	enum claw_series_id series;
	enum claw_obj object;
	double host_bytes;	/* beside twice its bytes */
	double handles;		/* threads, files */
} kept[] = {
	{ CLAW_SERIES_CONTEXTS, CLAW_OBJ_CONTEXT, 16384 * KIB, 16 },
	{ CLAW_SERIES_PROGRAMS, CLAW_OBJ_PROGRAM, 16384 * KIB, 0 },
	{ CLAW_SERIES_QUEUES, CLAW_OBJ_QUEUE, 1024 * KIB, 4 },
	{ CLAW_SERIES_KERNELS, CLAW_OBJ_KERNEL, 256 * KIB, 0 },
	{ CLAW_SERIES_BUFFERS, CLAW_OBJ_MEM, 64 * KIB, 0 },
	{ CLAW_SERIES_SVM, CLAW_OBJ_SVM, 64 * KIB, 0 },
	{ CLAW_SERIES_SAMPLERS, CLAW_OBJ_SAMPLER, 64 * KIB, 0 },
	{ CLAW_SERIES_MAPPINGS, CLAW_OBJ_MAPPING, 64 * KIB, 0 },
	{ CLAW_SERIES_EVENTS, CLAW_OBJ_EVENT, 64 * KIB, 0 },
	{ CLAW_SERIES_THREADS, CLAW_OBJ_NONE, 256 * KIB, 0 },
	{ CLAW_SERIES_FILES, CLAW_OBJ_NONE, 64 * KIB, 0 },
};
enum { KEPT = sizeof(kept) / sizeof(*kept) };

/* So much of a series' growth must be accounted for: slopes are estimates. */
static const double ENOUGH = 0.75;

static bool leaks(const struct claw_soak_verdict *verdict,
		  enum claw_series_id id)
{
	return verdict->series[id].finding == CLAW_SOAK_LEAK;
}

/* Objects that the call of a site makes: "clCreateBuffer < load < main". A
 * mapping's call may make an event, too. */
static bool is_made_by(enum claw_obj object, const char *site)
{
	char name[64];
	size_t length = strcspn(site, " ");
	int api;

	if (length >= sizeof(name))
		return false;
	memcpy(name, site, length);
	name[length] = '\0';
	api = claw_api_find(name);
	if (api < 0)
		return false;
	if (object == CLAW_OBJ_MAPPING)
		return claw_api_is_map((enum claw_api)api);
	if (object == CLAW_OBJ_EVENT &&
	    claw_api_table[api].groups & CLAW_G_ENQUEUE)
		return true;
	return claw_api_table[api].effect == CLAW_CREATES &&
		claw_api_table[api].object == object;
}

/* ---- by a site --------------------------------------------------------- */

static double slope_of(const struct claw_trend *trend)
{
	return trend->slope > 0 ? trend->slope : 0;
}

/* The fastest site that makes it is what accounts for it, if all of them
 * together do. object: CLAW_OBJ_NONE: bytes of any. */
static void blame_sites(struct claw_soak_verdict *verdict,
			enum claw_series_id id, enum claw_obj object)
{
	struct claw_soak_series_verdict *one = &verdict->series[id];
	const char *fastest = NULL;
	double sum = 0, best = 0;

	for (size_t i = 0; i < verdict->site_count; i++) {
		const struct claw_soak_site_verdict *site = &verdict->sites[i];
		double slope = slope_of(object == CLAW_OBJ_NONE ?
					&site->bytes : &site->objects);

		if (object != CLAW_OBJ_NONE && !is_made_by(object, site->site))
			continue;
		sum += slope;
		if (slope > best) {
			best = slope;
			fastest = site->site;
		}
	}
	if (fastest && sum >= ENOUGH * one->trend.slope)
		one->because = fastest;
}

/* ---- by all leaks together --------------------------------------------- */

/* What accounts for a series that leaks, or the series itself. */
static const char *cause_of(const struct claw_soak_verdict *verdict,
			    enum claw_series_id id)
{
	const struct claw_soak_series_verdict *one = &verdict->series[id];

	return one->because ? one->because : claw_series[id].title;
}

/* What the drivers may keep for all objects that leak; and the leak that most
 * of it is for. */
static double sum_kept(const struct claw_soak_verdict *verdict, bool handles,
		       const char **ret_cause)
{
	double bytes = leaks(verdict, CLAW_SERIES_DEVICE_BYTES) ? 2 *
		slope_of(&verdict->series[CLAW_SERIES_DEVICE_BYTES].trend) : 0;
	double sum = handles ? 0 : bytes, best = 0;

	*ret_cause = NULL;
	if (sum > 0)
		*ret_cause = cause_of(verdict, CLAW_SERIES_DEVICE_BYTES);
	best = sum;
	for (size_t i = 0; i < KEPT; i++) {
		double part = handles ? kept[i].handles : kept[i].host_bytes;

		if (!leaks(verdict, kept[i].series))
			continue;
		part *= slope_of(&verdict->series[kept[i].series].trend);
		sum += part;
		if (part > best) {
			best = part;
			*ret_cause = cause_of(verdict, kept[i].series);
		}
	}
	return sum;
}

static void blame_all(struct claw_soak_verdict *verdict,
		      enum claw_series_id id)
{
	struct claw_soak_series_verdict *one = &verdict->series[id];
	const char *cause;
	double sum = sum_kept(verdict, claw_series[id].group ==
			      CLAW_GROUP_HANDLES, &cause);

	if (leaks(verdict, id) && one->trend.low <= sum)
		one->because = cause;
}

/* Weaker evidence of the same memory. */
static void follow(struct claw_soak_verdict *verdict, enum claw_series_id id,
		   enum claw_series_id leader)
{
	if (leaks(verdict, id) && leaks(verdict, leader))
		verdict->series[id].because = cause_of(verdict, leader);
}

void claw_soak_find_causes(struct claw_soak_verdict *verdict)
{
	for (size_t i = 0; i < KEPT; i++)
		if (kept[i].object && leaks(verdict, kept[i].series))
			blame_sites(verdict, kept[i].series, kept[i].object);
	if (leaks(verdict, CLAW_SERIES_DEVICE_BYTES))
		blame_sites(verdict, CLAW_SERIES_DEVICE_BYTES, CLAW_OBJ_NONE);
	if (!verdict->series[CLAW_SERIES_DEVICE_BYTES].because &&
	    !verdict->series[CLAW_SERIES_BUFFERS].because)
		follow(verdict, CLAW_SERIES_DEVICE_BYTES, CLAW_SERIES_BUFFERS);
	blame_all(verdict, CLAW_SERIES_THREADS);
	blame_all(verdict, CLAW_SERIES_FILES);
	blame_all(verdict, CLAW_SERIES_HEAP);
	follow(verdict, CLAW_SERIES_RSS, CLAW_SERIES_HEAP);
	follow(verdict, CLAW_SERIES_VENDOR_BYTES, CLAW_SERIES_DEVICE_BYTES);
}
