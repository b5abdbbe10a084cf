/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw.h: inject OpenCL faults in a program's own tests and assert that
 * they fired (CLAW_FAULT); count iterations of a program that "openclaw run"
 * soaks (CLAW_ITERATION, at the end). One header; it needs only OpenCL, and C99
 * or C++11.
 *
 *	#include <openclaw/openclaw.h>
 *
 *	CLAW_FAULT("clCreateBuffer:oom:when=1") {
 *		assert(tile_load(&tile) == TILE_NO_MEMORY);
 *	}
 *
 * The block runs once with the rule active, in this process only. The grammar
 * of rules is in openclaw-faults(7). Run the test program with openclaw's layer
 * loaded:
 *
 *	eval "$(openclaw env)" && ./check_tile
 *	openclaw inject --fault RULE -- ./check_tile	(with one more fault)
 *
 * A test that could not inject its fault never passes. CLAW_FAULT_FAIL is
 * called
 *
 *	before the block, which is then skipped, if the layer is not loaded or
 *	refuses the rule (the message is the parser's);
 *	after the block if the rule never fired in it.
 *
 * The fault is disarmed however the block is left: at its end, by continue,
 * break, return or goto, and in C++ by an exception. There are two exceptions:
 *
 *	longjmp() (libcheck calls it after a failure if CK_FORK=no): call
 *	claw_disarm_all() in the teardown;
 *	C compilers without __attribute__((cleanup)), which gcc and clang have:
 *	only the end of the block and continue disarm.
 *
 * If a C++ exception leaves the block before the rule fired, CLAW_FAULT_FAIL is
 * not called; a line on stderr reports that the rule did not fire. Catch
 * expected exceptions inside the block.
 *
 * Blocks may be nested; each rule must fire. "when=" counts from the start of
 * the block. A rule applies to every thread of the process (see "thread=" in
 * openclaw-faults(7)). Calls that another thread makes after the end of the
 * block are not affected: wait for the thread inside the block.
 */
#ifndef OPENCLAW_H
#define OPENCLAW_H

#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <exception>
#endif

/*
 * How a test fails. Define it before the #include if the test framework needs
 * something other than abort(). It may return: the block is then skipped.
 *
 *	#define CLAW_FAULT_FAIL(file_, line_, message_) \
 *		ck_abort_msg("%s:%d: %s", file_, line_, message_)
 */
#ifndef CLAW_FAULT_FAIL
#define CLAW_FAULT_FAIL(file_, line_, message_)				\
	(fprintf(stderr, "%s:%d: %s\n", file_, line_, message_), abort())
#endif

/* OpenCL 1.2 added this function; every loader exports it. */
#ifndef CL_VERSION_1_2
#ifdef __cplusplus
extern "C"
#else
extern
#endif
void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(
	cl_platform_id platform, const char *name);
#endif

enum {
	CLAW_MESSAGE_MAX = 1024,
	CLAW_IDS_MAX = 256,	/* rules per process */
};

/* ---- internal, up to "without CLAW_FAULT" ------------------------------- */

typedef int (CL_API_CALL *claw_arm_function)(const char *rule, char *error,
					     size_t error_size);
typedef uint64_t (CL_API_CALL *claw_fired_function)(int id);
typedef int (CL_API_CALL *claw_disarm_function)(int id);

struct claw_layer {
	claw_arm_function arm;
	claw_fired_function fired;
	claw_disarm_function disarm;
};

/* Several threads may write, always the same value. */
#if defined(__GNUC__) || defined(__clang__)
#define CLAW_LOAD_(from_)	__atomic_load_n(from_, __ATOMIC_ACQUIRE)
#define CLAW_STORE_(to_, value_) __atomic_store_n(to_, value_, __ATOMIC_RELEASE)
#else
#define CLAW_LOAD_(from_)	(*(from_))
#define CLAW_STORE_(to_, value_) (*(to_) = (value_))
#endif

static inline void *claw_find_function_(cl_platform_id platform,
					const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(platform, name);
}

/*
 * Find the layer's functions; false if it is not loaded. Any platform will do,
 * so the first one is queried, and only once: a rule may apply to
 * clGetPlatformIDs.
 */
static inline bool claw_find_layer_(struct claw_layer *ret_layer,
				    char *reterr, size_t reterr_size)
{
	static void *known[3];
	void *found[3] = { CLAW_LOAD_(&known[0]), CLAW_LOAD_(&known[1]),
			   CLAW_LOAD_(&known[2]) };
	cl_platform_id platform = NULL;

	if (!found[0] || !found[1] || !found[2]) {
		cl_int err = clGetPlatformIDs(1, &platform, NULL);

		if (err != CL_SUCCESS || !platform) {
			snprintf(reterr, reterr_size, "there is no OpenCL "
				 "platform (clGetPlatformIDs: %d)", err);
			return false;
		}
		found[0] = claw_find_function_(platform, "clawArmOPENCLAW");
		found[1] = claw_find_function_(platform, "clawFiredOPENCLAW");
		found[2] = claw_find_function_(platform, "clawDisarmOPENCLAW");
	}
	if (!found[0] || !found[1] || !found[2]) {
		snprintf(reterr, reterr_size, "openclaw's layer is not loaded; "
			 "run the test after: eval \"$(openclaw env)\"");
		return false;
	}
	for (int i = 0; i < 3; i++)
		CLAW_STORE_(&known[i], found[i]);
	memcpy(&ret_layer->arm, &found[0], sizeof(ret_layer->arm));
	memcpy(&ret_layer->fired, &found[1], sizeof(ret_layer->fired));
	memcpy(&ret_layer->disarm, &found[2], sizeof(ret_layer->disarm));
	return true;
}

/* The ids that this source file has armed. */
static inline unsigned char *claw_armed_ids_(void)
{
	static unsigned char armed[CLAW_IDS_MAX];

	return armed;
}

/* ---- without CLAW_FAULT ------------------------------------------------ */

/* Is openclaw's layer loaded in this process? */
static inline bool claw_loaded(void)
{
	struct claw_layer layer;
	char error[CLAW_MESSAGE_MAX];

	return claw_find_layer_(&layer, error, sizeof(error));
}

/*
 * Arm one rule.
 *
 * reterr: the reason of a failure, at most reterr_size bytes. May be NULL.
 *
 * Returns an id for the two functions below, or -1 if the layer is not loaded
 * or refuses the rule. Counts start at 0 each time a rule is armed.
 */
static inline int claw_arm(const char *rule, char *reterr, size_t reterr_size)
{
	struct claw_layer layer;
	char error[CLAW_MESSAGE_MAX] = "";
	int id = -1;

	if (claw_find_layer_(&layer, error, sizeof(error)))
		id = layer.arm(rule, error, sizeof(error));
	if (id >= 0 && id < CLAW_IDS_MAX)
		CLAW_STORE_(&claw_armed_ids_()[id], 1);
	else if (id < 0 && reterr && reterr_size)
		snprintf(reterr, reterr_size, "%s", error);
	return id;
}

/* How often the rule fired since it was armed; 0 for an invalid id. */
static inline uint64_t claw_fired(int id)
{
	struct claw_layer layer;
	char error[CLAW_MESSAGE_MAX];

	return claw_find_layer_(&layer, error, sizeof(error)) ?
		layer.fired(id) : 0;
}

/* Disarm the rule. Returns 0, or -1 for an invalid id. */
static inline int claw_disarm(int id)
{
	struct claw_layer layer;
	char error[CLAW_MESSAGE_MAX];

	if (id >= 0 && id < CLAW_IDS_MAX)
		CLAW_STORE_(&claw_armed_ids_()[id], 0);
	return claw_find_layer_(&layer, error, sizeof(error)) ?
		layer.disarm(id) : -1;
}

/* Disarm all rules that this source file has armed; for teardowns, after a
 * longjmp() out of a CLAW_FAULT block. */
static inline void claw_disarm_all(void)
{
	for (int id = 0; id < CLAW_IDS_MAX; id++)
		if (CLAW_LOAD_(&claw_armed_ids_()[id]))
			claw_disarm(id);
}

/* ---- CLAW_ITERATION ----------------------------------------------------- */

typedef int (CL_API_CALL *claw_iteration_function)(cl_int right);

/*
 * Report that one iteration of the program's work is done, with a right or a
 * wrong result; "openclaw run" counts both. Returns 0, or -1 if nothing counts
 * them; without the layer only the first call makes OpenCL calls.
 */
static inline int claw_iteration(bool right)
{
	static void *known;
	static int asked;
	void *function = CLAW_LOAD_(&known);
	claw_iteration_function count;
	cl_platform_id platform = NULL;

	if (!function && !CLAW_LOAD_(&asked) &&
	    clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS && platform) {
		function = claw_find_function_(platform,
					       "clawIterationOPENCLAW");
		CLAW_STORE_(&known, function);
		CLAW_STORE_(&asked, 1);
	}
	if (!function)
		return -1;
	memcpy(&count, &function, sizeof(count));
	return count(right);
}

#define CLAW_ITERATION(right_)	((void)claw_iteration(right_))

/* ---- CLAW_FAULT; internal but for the macro ----------------------------- */

struct claw_scope {
	const char *rule;
	const char *file;
	int line;
	int id;
	bool armed;
};

static inline struct claw_scope claw_scope_open_(const char *rule,
						 const char *file, int line)
{
	struct claw_scope scope = { rule, file, line, -1, false };
	char error[CLAW_MESSAGE_MAX] = "";
	char message[2 * CLAW_MESSAGE_MAX];

	scope.id = claw_arm(rule, error, sizeof(error));
	scope.armed = scope.id >= 0;
	if (scope.armed)
		return scope;
	snprintf(message, sizeof(message), "CLAW_FAULT(\"%.900s\"): %s",
		 rule ? rule : "(null)", error);
	CLAW_FAULT_FAIL(file, line, message);
	return scope;
}

/* Disarm, once. True if the rule never fired, which is a failure: message is
 * set. */
static inline bool claw_scope_disarm_(struct claw_scope *scope, char *message,
				      size_t message_size)
{
	bool fired;

	if (!scope->armed)
		return false;
	scope->armed = false;
	fired = claw_fired(scope->id) > 0;
	claw_disarm(scope->id);
	if (!fired)
		snprintf(message, message_size, "CLAW_FAULT(\"%.900s\"): the "
			 "fault never fired in its block", scope->rule);
	return !fired;
}

static inline void claw_scope_close_(struct claw_scope *scope)
{
	char message[2 * CLAW_MESSAGE_MAX];

	if (claw_scope_disarm_(scope, message, sizeof(message)))
		CLAW_FAULT_FAIL(scope->file, scope->line, message);
}

#define CLAW_JOIN2_(a_, b_)	a_##b_
#define CLAW_JOIN_(a_, b_)	CLAW_JOIN2_(a_, b_)
#define CLAW_SCOPE_NAME_	CLAW_JOIN_(claw_scope_, __LINE__)

#ifdef __cplusplus

/* One per source file: CLAW_FAULT_FAIL may differ. */
namespace {

class claw_guard {
public:
	claw_guard(const char *rule, const char *file, int line) :
		scope(claw_scope_open_(rule, file, line)),
		exceptions(count_exceptions())
	{
	}

	~claw_guard() noexcept(false)
	{
		char message[2 * CLAW_MESSAGE_MAX];

		if (!claw_scope_disarm_(&scope, message, sizeof(message)))
			return;
		if (count_exceptions() > exceptions)
			fprintf(stderr, "%s:%d: %s before an exception left "
				"it\n", scope.file, scope.line, message);
		else
			CLAW_FAULT_FAIL(scope.file, scope.line, message);
	}

	claw_guard(const claw_guard &) = delete;
	claw_guard &operator=(const claw_guard &) = delete;

	struct claw_scope scope;

private:
	static int count_exceptions()
	{
#if __cplusplus >= 201703L
		return std::uncaught_exceptions();
#else
		return std::uncaught_exception();
#endif
	}

	int exceptions;
};

}

#define CLAW_FAULT(rule_)						\
	for (claw_guard CLAW_SCOPE_NAME_(rule_, __FILE__, __LINE__);	\
	     CLAW_SCOPE_NAME_.scope.armed;				\
	     claw_scope_close_(&CLAW_SCOPE_NAME_.scope))

#else

#if defined(__GNUC__) || defined(__clang__)
#define CLAW_CLEANUP_	__attribute__((cleanup(claw_scope_close_)))
#else
#define CLAW_CLEANUP_
#endif

#define CLAW_FAULT(rule_)						\
	for (struct claw_scope CLAW_SCOPE_NAME_ CLAW_CLEANUP_ =		\
		     claw_scope_open_(rule_, __FILE__, __LINE__);	\
	     CLAW_SCOPE_NAME_.armed;					\
	     claw_scope_close_(&CLAW_SCOPE_NAME_))

#endif

#endif
