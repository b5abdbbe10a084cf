/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program asks of openclaw: faults that its own test arms, and the count
 * of its iterations: the functions behind openclaw.h, reached through clGetExtensionFunctionAddressForPlatform;
 * what openclaw's own programs say, the line of a kernel file that they are at,
 * and what they ask of probes.
 */
#include "config.h"

#include "faults/call/guest.h"

#include <stdio.h>
#include <string.h>

#include "faults/instrument/instrument.h"
#include "faults/meter/meter.h"
#include "faults/model/model.h"
#include "faults/policy/rules.h"
#include "faults/journal/site_script.h"

/* See openclaw.h, which states the contract for users. */
static int CL_API_CALL arm(const char *text, char *error, size_t error_size)
{
	struct claw_rule rule;
	struct claw_plan_error problem;
	int index = -1;

	if (!text || claw_rule_parse(text, claw_guest.allow_illegal, &rule,
				     &problem)) {
		if (error && error_size)
			snprintf(error, error_size, "column %zu: %s",
				 text ? problem.column : 0,
				 text ? problem.message : "no rule");
		return -1;
	}
	if (*rule.at && !rule.pc_count && !claw_site_has_python()) {
		if (error && error_size)
			snprintf(error, error_size, "at= names a place in "
				 "compiled code, which only the openclaw "
				 "program can look up");
		return -1;
	}
	index = claw_rules_add(&rule);
	claw_set_ways();
	if (index < 0 && error && error_size)
		snprintf(error, error_size, "no room for another rule");
	return index;
}

static uint64_t CL_API_CALL fired(int id)
{
	return id < 0 ? 0 : claw_rules_fired((unsigned int)id);
}

static int CL_API_CALL disarm(int id)
{
	if (id < 0)
		return -1;
	claw_rules_disarm((unsigned int)id);
	return 0;
}

static int CL_API_CALL iteration(cl_int right)
{
	if (!claw_meters_are_on())
		return -1;
	claw_meter_iteration(right);
	return 0;
}

static int CL_API_CALL place(const char *file, cl_uint line, const char *what)
{
	claw_site_script_set(file, line, what);
	return 0;
}

void *claw_arm_find(const char *name)
{
	if (strncmp(name, "claw", 4))
		return NULL;
	if (!strcmp(name, "clawArmOPENCLAW"))
		return __extension__ (void *)arm;
	if (!strcmp(name, "clawFiredOPENCLAW"))
		return __extension__ (void *)fired;
	if (!strcmp(name, "clawDisarmOPENCLAW"))
		return __extension__ (void *)disarm;
	if (!strcmp(name, "clawIterationOPENCLAW"))
		return __extension__ (void *)iteration;
	if (!strcmp(name, "clawPlaceOPENCLAW"))
		return __extension__ (void *)place;
	if (claw_probe_ask_find(name))
		return claw_probe_ask_find(name);
	return claw_beneath_find(name);
}
