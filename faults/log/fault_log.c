/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines for faults, findings and builds.
 */
#include "config.h"

#include "fault_log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "faults/call/rule_table.h"

enum { MAX_TOLD = 64 };

static unsigned int told;	/* atomic */

static const struct {
	const char *code, *title;
	enum claw_log_level level;
} kinds[] = {
#define ERROR CLAW_LOG_ERROR
#define NOTE CLAW_LOG_WARN
#define FOUND(id_, name_, level_, code_, mode_, maker_, finding_, title_, ...) \
	[CLAW_FOUND_##id_] = { code_, title_, level_ },
#include "faults/shared/found_kinds.def"
#undef FOUND
#undef NOTE
#undef ERROR
};

/* "[ERROR] clw-pcie-error: TEXT"; code: or NULL. */
__attribute__((format(printf, 3, 4)))
static void tell(enum claw_log_level level, const char *code,
		 const char *format, ...)
{
	char text[320];
	va_list args;

	if (!claw_log_is_on(level) ||
	    __atomic_fetch_add(&told, 1, __ATOMIC_RELAXED) >= MAX_TOLD)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	claw_log_plain(level, "[%s] %s%s%s",
		       level == CLAW_LOG_WARN ? "WARN" : "ERROR",
		       code ? code : "", code ? ": " : "", text);
}

static void tell_code(const char *code, unsigned int api, cl_int result,
		      const char *after)
{
	const char *name = claw_code_name(result);

	tell(CLAW_LOG_ERROR, code, "%s failed with %s (%" PRId32 ")%s",
	     claw_api_table[api].name, name ? name : "an unknown code",
	     result, after);
}

/* ---- faults */

static bool is_told_elsewhere(const struct claw_journal_record *record)
{
	switch (record->fault) {
	case CLAW_FAULT_OOM:
	case CLAW_FAULT_OOM_HOST:
		return claw_api_table[record->api].groups & CLAW_G_ALLOC;
	case CLAW_FAULT_NONE:		/* a delay: slow.h */
	case CLAW_FAULT_GPU_CRASH:
	case CLAW_FAULT_PARTIAL:
	case CLAW_FAULT_DEVICE_LOST:
		return true;
	default:
		return false;
	}
}

/* Does the call go on as without the fault? */
static bool is_mild(const struct claw_journal_record *record)
{
	const struct claw_rule *rule =
		record->rule ? claw_rules_get(record->rule - 1u) : NULL;

	return record->flags & CLAW_REC_DELAYED ||
	       claw_fault_slows(record->fault) ||
	       (record->fault == CLAW_FAULT_ECC && rule &&
		rule->words == CLAW_ECC_CORRECTABLE);
}

static void tell_event(const struct claw_journal_record *record)
{
	const char *function = claw_api_table[record->api].name;
	const struct claw_fault_info *fault;

	if (record->flags & CLAW_REC_MISUSE) {
		tell_code("clw-invalid-handle", record->api, record->result, "");
		return;
	}
	if (!(record->flags & CLAW_REC_INJECTED) || is_told_elsewhere(record))
		return;
	fault = &claw_fault_table[record->fault];
	if (record->result)
		tell_code(fault->code, record->api, record->result, " (INJECTED)");
	else
		tell(is_mild(record) ? CLAW_LOG_WARN : CLAW_LOG_ERROR,
		     fault->code, "%s in %s (INJECTED)", fault->name, function);
}

void claw_fault_log_begin(void)
{
	told = 0;
	claw_records_tell(claw_log_is_on(CLAW_LOG_ERROR) ? tell_event : NULL);
	claw_log(CLAW_LOG_INFO, "openclaw " PACKAGE_VERSION " in %s, process "
		 "%d", claw_guest.exe, (int)getpid());
}

void claw_fault_log_found(const struct claw_found_entry *found)
{
	bool has_call = found->at.api < CLAW_API_COUNT;

	if (claw_log_is_on(CLAW_LOG_ERROR))
		tell(kinds[found->kind].level, kinds[found->kind].code,
		     "%s%s%s", kinds[found->kind].title,
		     has_call ? ", in " : "",
		     has_call ? claw_api_table[found->at.api].name : "");
}

/* ---- builds */

bool claw_fault_log_watches(enum claw_api api)
{
	return claw_log_is_on(CLAW_LOG_ERROR) &&
	       claw_api_table[api].groups & CLAW_G_BUILD;
}

void claw_fault_log_before(struct claw_call *call)
{
	call->fault_log.start_ns = claw_now_ns();
}

void claw_fault_log_after(const struct claw_call *call)
{
	uint64_t ms = (claw_now_ns() - call->fault_log.start_ns) / 1000000;

	if (call->err && claw_call_is_real(call))
		tell_code("clw-kernel-build-failure", call->api, call->err, "");
	else if (!call->err)
		claw_log(CLAW_LOG_INFO, "%s: success in %" PRIu64 ".%03" PRIu64
			 "s", claw_api_table[call->api].name, ms / 1000,
			 ms % 1000);
}
