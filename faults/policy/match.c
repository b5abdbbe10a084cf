/* SPDX-License-Identifier: Apache-2.0 */
/* Which rules look at a call, and which of them fires. */
#include "config.h"

#include "rules.h"

#include <string.h>
#include <time.h>

/* The match that claw_is_quiet() counted before it sent a call the long
 * way; 0: none. */
__thread uint64_t claw_counted_match CLAW_HIDDEN
	__attribute__((tls_model(CLAW_TLS_MODEL)));

/* ---------------------------------------------------------- conditions */

/* What conditions need, found out once a call at most. */
struct evidence {
	struct claw_call *call;
	uint64_t bytes, now_ns;
	bool has_bytes, has_now, has_site, has_devices;
	bool has_kernel;
	struct claw_site site;
	char kernel[CLAW_RULE_WORD_MAX];
	cl_device_id devices[16];
	unsigned int device_count;
};

static uint64_t coarse_now_ns(void)
{
	struct timespec now;

#ifdef CLOCK_MONOTONIC_COARSE
	if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0)
		return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
	(void)now;
	return claw_now_ns();
}

static const char *kernel_name(struct evidence *e)
{
	cl_kernel kernel;

	if (e->has_kernel)
		return e->kernel;
	e->has_kernel = true;
	e->kernel[0] = '\0';
	if (e->call->api == CLAW_API_clCreateKernel) {
		const char *name =
			CLAW_ARG(e->call, clCreateKernel, kernel_name);

		if (name)
			claw_copy_text(e->kernel, sizeof(e->kernel), name,
				       strlen(name));
		return e->kernel;
	}
	kernel = claw_arg_pointer(e->call, CLAW_P_KERNEL);
	claw_ours_begin();
	if (!kernel || claw_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME,
			sizeof(e->kernel), e->kernel, NULL))
		e->kernel[0] = '\0';
	claw_ours_end();
	return e->kernel;
}

static bool device_matches(struct evidence *e, int device)
{
	if (!e->has_devices) {
		e->has_devices = true;
		e->device_count = claw_device_of_call(e->call, e->devices, 16);
	}
	for (unsigned int i = 0; i < e->device_count; i++)
		if (claw_device_index(e->devices[i]) == device)
			return true;
	return false;
}

/* A number that looks like a handle is one by value, if the driver knows
 * (it needs not: -cl-kernel-arg-info). */
static bool arg_is_value(const struct claw_call *call)
{
	cl_kernel_arg_address_qualifier where = 0;
	cl_int err = CL_INVALID_VALUE;

	claw_ours_begin();
	if (claw_next.clGetKernelArgInfo)
		err = claw_next.clGetKernelArgInfo(
			CLAW_ARG(call, clSetKernelArg, kernel),
			CLAW_ARG(call, clSetKernelArg, arg_index),
			CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(where), &where,
			NULL);
	claw_ours_end();
	return !err && where == CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

/* null=arg looks only at eight bytes that are a live memory object. */
static bool arg_is_live_mem(const struct claw_call *call)
{
	size_t size = CLAW_ARG(call, clSetKernelArg, arg_size);
	const void *value = CLAW_ARG(call, clSetKernelArg, arg_value);
	void *handle;

	if (size != sizeof(handle) || !value)
		return false;
	memcpy(&handle, value, sizeof(handle));
	return claw_handles_is_live_mem(handle) && !arg_is_value(call);
}

static bool rare_conditions_met(struct evidence *e, const struct claw_rule *rule)
{
	if (rule->has & CLAW_HAS_AFTER) {
		if (!e->has_now)
			e->now_ns = coarse_now_ns();
		e->has_now = true;
		if (e->now_ns < claw_guest.first_call_ns + rule->after_ns)
			return false;
	}
	if (rule->fault == CLAW_FAULT_NULL &&
	    e->call->api == CLAW_API_clSetKernelArg && !arg_is_live_mem(e->call))
		return false;
	if (*rule->kernel && !claw_glob_match(rule->kernel, kernel_name(e)))
		return false;
	if (rule->device >= 0 && !device_matches(e, rule->device))
		return false;
	if (rule->site || *rule->at || rule->pc_count) {
		if (!e->has_site)
			claw_site_capture(&e->site);
		e->has_site = true;
		if (!claw_site_matches(&e->site, rule))
			return false;
	}
	return true;
}

static bool conditions_met(struct evidence *e, const struct claw_rule *rule)
{
	if (rule->thread && rule->thread != claw_journal_thread_number())
		return false;
	if (rule->has & CLAW_HAS_ABOVE) {
		if (!e->has_bytes)
			e->bytes = claw_call_bytes(e->call);
		e->has_bytes = true;
		if (e->bytes <= rule->above_bytes)
			return false;
	}
	return rare_conditions_met(e, rule);
}

/* ------------------------------------------------------------ decision */

static bool fires(unsigned int index, uint64_t n)
{
	const struct claw_rule *rule = &claw_armed_rules[index].rule;

	if (!atomic_load_explicit(&claw_armed_rules[index].active, memory_order_relaxed))
		return false;
	n -= claw_armed_rules[index].match_base;
	if (rule->has & CLAW_HAS_WHEN &&
	    (n < rule->when_first || n > rule->when_last ||
	     (n - rule->when_first) % rule->when_step))
		return false;
	return rule->percent < 0 ||
	       claw_random(claw_guest.seed, index, n, 0) * 100 < rule->percent;
}

/* What the matchers of one call have decided. */
struct decision {
	unsigned int count;
	struct {
		unsigned int rule;
		uint64_t ordinal;	/* of its match */
	} chosen[64];			/* in no order */
};

static void consider(struct decision *d, const struct claw_matcher *m, uint64_t n)
{
	for (int i = m->first; i >= 0; i = claw_armed_rules[i].next) {
		if (!fires((unsigned int)i, n))
			continue;
		if (d->count == sizeof(d->chosen) / sizeof(*d->chosen)) {
			claw_journal_add_damaged();
			return;
		}
		d->chosen[d->count].rule = (unsigned int)i;
		d->chosen[d->count++].ordinal = n;
	}
}

/* Of the rules that have a fault, the first that is not done; its place, or
 * -1. */
static int first_fault(const struct decision *d, unsigned int from)
{
	int best = -1;

	for (unsigned int i = 0; i < d->count; i++) {
		unsigned int rule = d->chosen[i].rule;

		if (claw_armed_rules[rule].rule.fault && rule >= from &&
		    (best < 0 || rule < d->chosen[best].rule))
			best = (int)i;
	}
	return best;
}

/* Two rules may want the same call: delays add up until one times out, the
 * first fault that may still fire wins, and only what happens counts as
 * fired. */
static void carry_out(struct claw_call *call, const struct decision *d)
{
	unsigned int index;
	int i;

	for (unsigned int j = 0; j < d->count && !call->injected; j++) {
		index = d->chosen[j].rule;
		if (!claw_armed_rules[index].rule.fault && claw_rule_take_firing(index))
			claw_rule_delay(call, index, d->chosen[j].ordinal);
	}
	if (call->injected)
		return;
	i = first_fault(d, 0);
	while (i >= 0 && !claw_rule_take_firing(d->chosen[i].rule))
		i = first_fault(d, d->chosen[i].rule + 1);
	if (i < 0)
		return;
	index = d->chosen[i].rule;
	call->rule = (uint16_t)(index + 1);
	call->fault = (uint16_t)claw_armed_rules[index].rule.fault;
	if (claw_armed_rules[index].rule.has & CLAW_HAS_DELAY)
		claw_rule_delay(call, index, d->chosen[i].ordinal);
	if (!call->injected)
		claw_rule_apply(call, index);
}

void claw_rules_decide(struct claw_call *call, unsigned int length)
{
	struct decision d;
	struct evidence e;

	d.count = 0;
	e.call = call;
	e.has_bytes = e.has_now = e.has_site = e.has_devices = false;
	e.has_kernel = false;
	for (unsigned int i = 0; i < length; i++) {
		const struct claw_matcher *m = &claw_matchers[claw_matcher_lists[call->api][i]];
		uint64_t n = claw_counted_match;

		if (!m->plain && !conditions_met(&e, m->conditions))
			continue;
		claw_counted_match = 0;
		if (!n)
			n = claw_journal_rule_matched(m->slot);
		if (n >= atomic_load_explicit(&m->next_when,
					      memory_order_relaxed))
			consider(&d, m, n);
	}
	if (!d.count)
		return;
	if (e.has_site)
		call->site = claw_site_record(&e.site);
	carry_out(call, &d);
}
