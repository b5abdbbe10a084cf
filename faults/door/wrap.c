/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wrappers: nine functions an entry point, made from api.def. wrap_X
 * reads one byte and, when nothing looks at X, counts and calls on. Else
 * side_X finds out whether there is something to do; if there is, long_X
 * marshals the parameters and asks claw_enter(). tracked_X is for the ledger
 * alone, traced_X for the trace as well and quick_X for what is most of it,
 * metered_X for the meters, checked_X for what is wrong with a call (checked.h),
 * timed_X is the driver's call with a clock (slow.h). They are nine so that what the longer ways need (saved registers,
 * the parameters' addresses) costs the short one nothing.
 */
#include "config.h"

#include "wrap.h"

#include "faults/shared/api_sig.h"
#include "faults/call/extension.h"
#include "faults/enter/checked.h"
#include "faults/journal/site_cache.h"
#include "faults/ledger/ledger_turn.h"
#include "faults/meter/meter.h"
#include "faults/model/model.h"
#include "faults/log/slow.h"
#include "faults/trace/trace.h"

#define LIKELY(x_) __builtin_expect(!!(x_), 1)

/* The effect column as a number that the compiler knows. */
#define NOTHING		0
#define CREATES(obj_)	(CLAW_CREATES + 4 * CLAW_OBJ_##obj_)
#define RETAINS(obj_)	(CLAW_RETAINS + 4 * CLAW_OBJ_##obj_)
#define RELEASES(obj_)	(CLAW_RELEASES + 4 * CLAW_OBJ_##obj_)

/* A parameter by its role, among all of them: the others add 0. */
#define SIZE_P(role_, name_, ...) \
	+ (CLAW_P_##role_ == CLAW_P_SIZE ? (uint64_t)(uintptr_t)(name_) : 0)
#define BYTES_OF(name_) (0 CLAW_SIG(name_, SIZE_P))
#define EVENT_P(role_, name_, ...) \
	+ (CLAW_P_##role_ == CLAW_P_EVENT_OUT ? (uintptr_t)(name_) : 0)
#define EVENT_OF(name_) ((const cl_event *)(0 CLAW_SIG(name_, EVENT_P)))

#define BLOCKING_P(role_, name_, ...) \
	+ (CLAW_P_##role_ == CLAW_P_BLOCKING ? (uintptr_t)(name_) : 0)
#define BLOCKING_OF(name_) (0 CLAW_SIG(name_, BLOCKING_P))

#define CODE_P(role_, name_, ...) \
	+ (CLAW_P_##role_ == CLAW_P_ERRCODE ? (uintptr_t)(name_) : 0)
#define CODE_OF(name_) code_at((const cl_int *)(0 CLAW_SIG(name_, CODE_P)))

/* The code of a failed creation, if the program asked for it. */
static inline cl_int code_at(const cl_int *errcode)
{
	return errcode ? *errcode : CL_SUCCESS;
}

/* Count what a success did to objects; effect is a constant. */
static inline void count_success(struct claw_journal_thread *block,
				 unsigned int effect, uint64_t bytes,
				 const cl_event *event)
{
	enum claw_obj object = (enum claw_obj)(effect / 4);

	if (effect % 4 == CLAW_RELEASES && block)
		block->live[object]--;		/* no peak to look at */
	else if (effect)
		claw_journal_live_add(block, object,
				      effect % 4 == CLAW_RELEASES ? -1 : 1);
	if (effect % 4 == CLAW_CREATES && bytes)
		claw_journal_bytes_add(block, bytes);
	if (event && *event)
		claw_journal_live_add(block, CLAW_OBJ_EVENT, 1);
}

/* A launch has given out an event. */
static inline void note_event(enum claw_api api, const void *const *args,
			      const cl_event *event, uint32_t site)
{
	struct claw_call call;

	count_success(claw_journal_thread_get(), 0, 0, event);
	claw_call_begin(&call, api, args);
	call.site = site;
	claw_ledger_after(&call);
}

#define CALL_BEGIN(name_)						\
	const void *const args_[] = { CLAW_ADDRS(name_) };		\
	struct claw_call call_;						\
									\
	claw_call_begin(&call_, CLAW_API_##name_, args_);

/* The long way, but for the driver's call itself. */
#define LONG_BEGIN(name_)						\
	CALL_BEGIN(name_)						\
	claw_enter(&call_);

#define WAY_OF(name_)							\
	((enum claw_way)__atomic_load_n(&claw_page.way[CLAW_API_##name_],	\
					__ATOMIC_RELAXED))

/* Another way than the short one; a thread without a block of its own. */
#define SIDE_BEGIN(name_, long_way_)					\
	enum claw_way way_ = WAY_OF(name_);				\
									\
	if (way_ != CLAW_SHORT && way_ != CLAW_RECORDED &&		\
	    way_ != CLAW_EVENT_OUT && way_ != CLAW_TIMED &&		\
	    way_ != CLAW_TRACED && way_ != CLAW_METERED &&		\
	    !claw_is_quiet(CLAW_API_##name_, way_)) {			\
		long_way_						\
	}								\
	claw_journal_count(CLAW_API_##name_);

#define SIDE_END(name_, result_)					\
	if (way_ == CLAW_RECORDED)					\
		claw_record_short(CLAW_API_##name_,			\
			(const void *)(uintptr_t)CLAW_KEY_##name_,	\
			BYTES_OF(name_), result_);

/* claw_ledger_retaining() and claw_ledger_releasing_one(), of what a lone thread
 * met lately. */
static inline __attribute__((always_inline)) bool
retaining(enum claw_obj object, const void *handle, uint32_t *ret_old_site)
{
	uint32_t site = claw_own_ledger.mode == CLAW_LEDGER_SITES ?
		claw_site_cached() : 0;
	struct claw_ledger_entry *entry = claw_entry_alone(claw_number(handle),
							   object);

	if (!LIKELY(entry))
		return claw_ledger_retaining(object, handle, site,
					     ret_old_site);
	entry->references++;
	*ret_old_site = entry->retain_site;
	entry->retain_site = site;
	claw_turn_end(CLAW_TURN_ALONE);
	return true;
}

static inline __attribute__((always_inline)) bool
releasing_one(enum claw_obj object, const void *handle)
{
	struct claw_ledger_entry *entry = claw_entry_alone(claw_number(handle),
							   object);
	bool is_one;

	if (!LIKELY(entry))
		return claw_ledger_releasing_one(object, handle);
	is_one = entry->references > 1;
	entry->references -= is_one;
	if (!is_one) {
		/* claw_table_remove() will look at both. */
		__builtin_prefetch(entry + 1);
		__builtin_prefetch(entry - 1);
	}
	claw_turn_end(CLAW_TURN_ALONE);
	return is_one;
}

/* claw_ledger_retained() the same way. */
static inline __attribute__((always_inline)) void
retained(enum claw_obj object, const void *handle)
{
	struct claw_ledger_entry *entry;
	uint32_t site = 0;

	if (LIKELY(claw_ledger_self.role == claw_own_ledger.alone_role) &&
	    claw_own_ledger.mode == CLAW_LEDGER_SITES)
		site = claw_site_cached();
	entry = claw_entry_alone(claw_number(handle), object);
	if (!LIKELY(entry)) {
		claw_ledger_retained(object, handle);
		return;
	}
	entry->references++;
	entry->retain_site = site;
	claw_turn_end(CLAW_TURN_ALONE);
}

/* A reference more or less: nothing is marshalled. */
#define OBJECT_OF(effect_) ((enum claw_obj)((effect_) / 4))
#define HANDLE_OF(name_) ((const void *)(uintptr_t)CLAW_KEY_##name_)
#define TRACK_REFERENCE(name_, next_, effect_)				\
	if ((effect_) % 4 == CLAW_RETAINS) {				\
		/* The entry comes while the driver is at it. */	\
		claw_entry_prefetch((uintptr_t)HANDLE_OF(name_),	\
				    OBJECT_OF(effect_));		\
		cl_int err = next_ CLAW_ARGS(name_);			\
									\
		if (LIKELY(!err)) {					\
			count_success(claw_journal_thread_get(),	\
				      effect_, 0, NULL);		\
			retained(OBJECT_OF(effect_), HANDLE_OF(name_)); \
		}							\
		return err;						\
	}								\
	if ((effect_) % 4 == CLAW_RELEASES) {				\
		struct claw_ledger_entry ended;				\
		bool known = true;					\
		cl_int err;						\
									\
		if (LIKELY(releasing_one(OBJECT_OF(effect_),		\
					 HANDLE_OF(name_))))		\
			ended.handle = 0;				\
		else							\
			known = claw_ledger_releasing(OBJECT_OF(effect_), \
						      HANDLE_OF(name_),	\
						      &ended);		\
		err = next_ CLAW_ARGS(name_);				\
									\
		if (LIKELY(!err))					\
			count_success(claw_journal_thread_get(),	\
				      effect_, 0, NULL);		\
		else if (known)						\
			claw_ledger_kept(OBJECT_OF(effect_),		\
					 HANDLE_OF(name_), &ended);	\
		return err;						\
	}

/* Of the functions that go this way: a device model gives or refuses it. */
#define TAKES_MEMORY(name_) (CLAW_API_##name_ == CLAW_API_clCreateBuffer)

static inline void ledger_set_arg(const void *const *args)
{
	claw_ledger_set_arg(CLAW_ARG_IN(args, clSetKernelArg, kernel),
			    CLAW_ARG_IN(args, clSetKernelArg, arg_index),
			    CLAW_ARG_IN(args, clSetKernelArg, arg_size),
			    CLAW_ARG_IN(args, clSetKernelArg, arg_value));
}

/* Has the kernel that argument, as far as the ledger knows? */
#define HAS_ARGUMENT(words_)						\
	claw_ledger_has_arg((const void *)(uintptr_t)(words_)[0],	\
			    (uint32_t)(words_)[1], (size_t)(words_)[2],	\
			    (const void *)(uintptr_t)(words_)[3])

/* An argument: no record of the call is needed. counted_: what else is to be
 * done, of err. */
#define TRACK_ARGUMENT(name_, next_, counted_)				\
	if ((int)CLAW_API_##name_ == CLAW_API_clSetKernelArg) {		\
		const uint64_t words_[] = {				\
			CLAW_SIG(name_, WORD_P) 0, 0, 0			\
		};							\
		const void *const args_[] = { CLAW_ADDRS(name_), NULL, \
					      NULL, NULL };		\
		bool same = HAS_ARGUMENT(words_);			\
		cl_int err = next_ CLAW_ARGS(name_);			\
									\
		if (LIKELY(!err) && !same)				\
			ledger_set_arg(args_);				\
		counted_						\
		return err;						\
	}

/* The same where the ledger has to know what is named: it says so before the
 * driver is asked, and if it does not, the call goes the long way. */
#define CHECKED_BEGIN(name_)						\
	struct claw_call call_;						\
									\
	claw_journal_count(CLAW_API_##name_);				\
	claw_checked_begin(&call_, CLAW_API_##name_);
#define CHECKED_REFUSED(name_, err_)					\
	{								\
		const void *const refused_[] = { CLAW_ADDRS(name_) };	\
									\
		claw_checked_again(CLAW_API_##name_, refused_, err_);	\
		claw_checked_refused(CLAW_API_##name_, refused_, err_); \
	}
/* The driver's call, and what takes the ledger's count back if it is refused. */
#define CHECKED_CALL(name_, next_, effect_, ...)			\
	CHECKED_BEGIN(name_)						\
	err = next_ CLAW_ARGS(name_);					\
	claw_checked_end(&call_);					\
	if (LIKELY(!err)) {						\
		count_success(claw_journal_thread_get(), effect_, 0,	\
			      NULL);					\
	} else {							\
		__VA_ARGS__;						\
		CHECKED_REFUSED(name_, err)				\
	}								\
	return err;
#define CHECK_REFERENCE(name_, next_, effect_)				\
	if ((effect_) % 4 == CLAW_RETAINS) {				\
		uint32_t old_site;					\
		cl_int err;						\
									\
		if (!LIKELY(!claw_checked_never() &&			\
			    retaining(OBJECT_OF(effect_),		\
				      HANDLE_OF(name_), &old_site)))	\
			return long_##name_ CLAW_ARGS(name_);		\
		CHECKED_CALL(name_, next_, effect_,			\
			claw_ledger_not_retained(OBJECT_OF(effect_),	\
				HANDLE_OF(name_), old_site))		\
	}								\
	if ((effect_) % 4 == CLAW_RELEASES) {				\
		bool never = claw_checked_never();			\
		cl_int err;						\
									\
		if (!LIKELY(!never &&					\
			    releasing_one(OBJECT_OF(effect_),		\
					  HANDLE_OF(name_)))) {		\
			if (never ||					\
			    !claw_checked_hold(CLAW_API_##name_,	\
				OBJECT_OF(effect_), HANDLE_OF(name_)))	\
				return long_##name_ CLAW_ARGS(name_);	\
			claw_journal_count(CLAW_API_##name_);		\
			count_success(claw_journal_thread_get(),	\
				      effect_, 0, NULL);		\
			return CL_SUCCESS;				\
		}							\
		CHECKED_CALL(name_, next_, effect_,			\
			claw_ledger_kept(OBJECT_OF(effect_),		\
				HANDLE_OF(name_),			\
				&(struct claw_ledger_entry){ .handle = 0 })) \
	}
#define CHECK_ARGUMENT(name_, next_)					\
	if ((int)CLAW_API_##name_ == CLAW_API_clSetKernelArg) {		\
		const void *const args_[] = { CLAW_ADDRS(name_), NULL, \
					      NULL, NULL };		\
		const uint64_t words_[] = {				\
			CLAW_SIG(name_, WORD_P) 0, 0, 0			\
		};							\
		enum claw_ledger_argument what = CLAW_ARGUMENT_SAME;	\
		cl_int err;						\
									\
		if (claw_checked_never())				\
			return long_##name_ CLAW_ARGS(name_);		\
		if (!LIKELY(!claw_kernels_have_shared() &&		\
			    HAS_ARGUMENT(words_)))			\
			what = claw_checked_argument(args_);		\
		if (what == CLAW_ARGUMENT_DOUBTFUL)			\
			return long_##name_ CLAW_ARGS(name_);		\
		CHECKED_BEGIN(name_)					\
		err = next_ CLAW_ARGS(name_);				\
		claw_checked_end(&call_);				\
		if (!LIKELY(!err)) {					\
			CHECKED_REFUSED(name_, err)			\
		} else if (what != CLAW_ARGUMENT_SAME) {		\
			ledger_set_arg(args_);				\
		}							\
		return err;						\
	}

#define CHECK_LAUNCH(name_, next_)					\
	if ((int)CLAW_API_##name_ == CLAW_API_clEnqueueNDRangeKernel) {	\
		CALL_BEGIN(name_)					\
		if (!LIKELY(!claw_checked_never() &&			\
			    claw_checked_launching(&call_)))		\
			return long_##name_ CLAW_ARGS(name_);		\
		claw_journal_count(CLAW_API_##name_);			\
		call_.err = DRIVER(name_, next_);			\
		if (!LIKELY(!call_.err) &&				\
		    claw_checked_launch_again(&call_))			\
			call_.err = DRIVER(name_, next_);		\
		if (LIKELY(!call_.err))					\
			count_success(claw_journal_thread_get(), 0, 0,	\
				      EVENT_OF(name_));			\
		claw_checked_launched(&call_);				\
		return call_.err;					\
	}

/* Count what came of it. */
#define COUNT_WORKED(name_, effect_, worked_)				\
	if (LIKELY(worked_))						\
		count_success(claw_journal_thread_get(), effect_,	\
			      (effect_) % 4 == CLAW_CREATES ?		\
			      BYTES_OF(name_) : 0, EVENT_OF(name_));

/* What the ledger looks at in a call, and no more. */
#define TRACKED_BEGIN(name_, effect_)					\
	CALL_BEGIN(name_)						\
	if ((effect_) % 4 != CLAW_CREATES)				\
		claw_ledger_before(&call_);

#define TRACKED_END(effect_)						\
	if ((effect_) % 4 == CLAW_CREATES)				\
		claw_ledger_create(&call_);				\
	else								\
		claw_ledger_after(&call_);

/* What the meters look at: a call of which nothing is timed, and a query that
 * has answered. */
#define METER_PLAIN(err_)						\
	claw_meter_count();						\
	if (!LIKELY(!(err_)))						\
		claw_meter_failed(err_);
#define METER_QUERY(name_, err_)					\
	METER_PLAIN(err_)						\
	else if ((int)CLAW_API_##name_ == CLAW_API_clGetEventInfo) {	\
		const void *const asked_[] = { CLAW_ADDRS(name_) };	\
									\
		claw_meter_asked(asked_);				\
	}

/* What the ledger and the trace look at in a call. A query is looked at when
 * it has answered. */
#define ANSWERS(name_)							\
	((int)CLAW_API_##name_ == CLAW_API_clGetPlatformIDs ||		\
	 (int)CLAW_API_##name_ == CLAW_API_clGetDeviceIDs ||		\
	 (int)CLAW_API_##name_ == CLAW_API_clGetEventInfo)
#define TRACED_QUERY(name_, next_)					\
	if (GROUPS_##name_ & CLAW_G_QUERY) {				\
		claw_journal_count(CLAW_API_##name_);			\
		cl_int err = next_ CLAW_ARGS(name_);			\
									\
		if (!LIKELY(!err) || ANSWERS(name_)) {			\
			const void *const args_[] = {			\
				CLAW_ADDRS(name_)			\
			};						\
									\
			claw_trace_answered(CLAW_API_##name_, args_, err); \
		}							\
		if (claw_meters_are_on() && !claw_ours_is_on()) {	\
			METER_QUERY(name_, err)				\
		}							\
		return err;						\
	}

#define TRACED_BEGIN(name_, unseen_)					\
	CALL_BEGIN(name_)						\
	claw_journal_count(CLAW_API_##name_);				\
	call_.ordinal = claw_journal_ordinal(CLAW_API_##name_);		\
	if (!claw_trace_begin_call(&call_)) {				\
		unseen_							\
	}								\
	if (claw_meters_are_on())					\
		claw_meter_enter(&call_);				\
	claw_ledger_before(&call_);

/* The shorter ways, of which the compiler drops what is not. */
#define TRACED_SHORT(name_, next_, effect_)				\
	if ((effect_) % 4 == CLAW_RETAINS ||				\
	    (effect_) % 4 == CLAW_RELEASES) {				\
		struct claw_trace_mark mark_;				\
		cl_int err;						\
									\
		claw_journal_count(CLAW_API_##name_);			\
		if (claw_ours_is_on())					\
			return next_ CLAW_ARGS(name_);			\
		mark_ = claw_trace_begin_reference(CLAW_API_##name_,	\
						   HANDLE_OF(name_));	\
		err = traced_reference_##name_ CLAW_ARGS(name_);	\
		if (claw_meters_are_on()) {				\
			METER_PLAIN(err)				\
		}							\
		claw_trace_end_reference(&mark_, err);			\
		return err;						\
	}								\
	if ((int)CLAW_API_##name_ == CLAW_API_clSetKernelArg) {		\
		const void *const args_[] = { CLAW_ADDRS(name_), NULL, \
					      NULL, NULL };		\
									\
		if (LIKELY(claw_trace_is_short_arg(args_)) &&		\
		    !claw_ours_is_on()) {				\
			struct claw_trace_mark mark_;			\
			cl_int err;					\
									\
			claw_journal_count(CLAW_API_##name_);		\
			mark_ = claw_trace_begin_arg(args_);		\
			err = next_ CLAW_ARGS(name_);			\
			if (LIKELY(!err))				\
				ledger_set_arg(args_);			\
			if (claw_meters_are_on()) {			\
				METER_PLAIN(err)			\
			}						\
			claw_trace_end_arg(&mark_, args_, err);		\
			return err;					\
		}							\
	}

/* Those that go the trace's way without their parameters' addresses, which
 * would keep these out of registers. Measured as enum claw_way was, with this
 * and without: a launch takes 98 and 155 ns, a buffer made and released 166 and
 * 180. */
#define IS_QUICK(name_)							\
	((int)CLAW_API_##name_ == CLAW_API_clEnqueueNDRangeKernel ||	\
	 (int)CLAW_API_##name_ == CLAW_API_clCreateBuffer)
#define WORD_P(role_, name_, ...) (uint64_t)(uintptr_t)(name_),
#define VALUE_P(role_, name_, ...) name_,
#define PLACE_P(role_, name_, ...) &copy_.name_,
/* Copies, whose addresses are args_. */
#define COPY_PARAMS(name_)						\
	const struct {							\
		CLAW_FIELDS(name_) char end;				\
	} copy_ __attribute__((unused)) = {				\
		CLAW_SIG(name_, VALUE_P) 0				\
	};								\
	const void *const args_[] = { CLAW_SIG(name_, PLACE_P) NULL };

#define QUICK_FUNCTION(name_)						\
	static __attribute__((noinline)) CLAW_RET_##name_		\
	quick_##name_ CLAW_PARAMS(name_)

#define QUICK_LAUNCH(name_, next_)					\
	if ((int)CLAW_API_##name_ == CLAW_API_clEnqueueNDRangeKernel &&	\
	    !claw_ours_is_on()) {					\
		const uint64_t words_[] = {				\
			CLAW_SIG(name_, WORD_P) 0			\
		};							\
		struct claw_trace_launch launch_;			\
		cl_int err;						\
									\
		if (!LIKELY(claw_trace_begin_launch(words_, &launch_)))	\
			return traced_##name_ CLAW_ARGS(name_);	\
		if (LIKELY(!claw_meters_are_on())) {			\
			err = DRIVER(name_, next_);			\
			if (LIKELY(!err) && EVENT_OF(name_)) {		\
				COPY_PARAMS(name_)			\
									\
				note_event(CLAW_API_##name_, args_,	\
					   EVENT_OF(name_), launch_.site); \
			}						\
		} else {						\
			COPY_PARAMS(name_)				\
			struct claw_call metered_;			\
									\
			claw_meter_enter_launch(&metered_, args_);	\
			err = DRIVER(name_, next_);			\
			if (LIKELY(!err) && EVENT_OF(name_))		\
				note_event(CLAW_API_##name_, args_,	\
					   EVENT_OF(name_), launch_.site); \
			claw_meter_leave_launch(&metered_, err);	\
		}							\
		if (LIKELY(!err)) {					\
			claw_trace_end_launch(&launch_, EVENT_OF(name_)); \
		} else {						\
			COPY_PARAMS(name_)				\
									\
			claw_trace_end_failed(CLAW_API_##name_,		\
					      &launch_.mark,		\
					      launch_.site, args_, err); \
		}							\
		return err;						\
	}

/* Of clCreateBuffer, as far as its parameters say. */
#define NEW_BUFFER(name_, words_)					\
	{								\
		.api = CLAW_API_##name_, .object = CLAW_OBJ_MEM,	\
		.parent = HANDLE_OF(name_), .bytes = BYTES_OF(name_),	\
		.mem_flags = words_[1],					\
		.flags = words_[1] & CL_MEM_USE_HOST_PTR ?		\
			CLAW_LEDGER_HOST_PTR : 0,			\
	}

#define CHECK_BUFFER(name_, next_, effect_)				\
	if ((int)CLAW_API_##name_ == CLAW_API_clCreateBuffer) {		\
		const uint64_t words_[] = {				\
			CLAW_SIG(name_, WORD_P) 0			\
		};							\
		struct claw_ledger_new made_ = NEW_BUFFER(name_, words_); \
									\
		if (!LIKELY(!words_[3] && words_[4] &&			\
			    !claw_checked_never() &&			\
			    claw_checked_creating(&made_)))		\
			return long_##name_ CLAW_ARGS(name_);		\
		CHECKED_BEGIN(name_)					\
		made_.handle = (void *)DRIVER(name_, next_);		\
		if (!LIKELY(made_.handle)) {				\
			COPY_PARAMS(name_)				\
									\
			if (claw_checked_again(CLAW_API_##name_, args_,	\
					       CODE_OF(name_)))		\
				made_.handle = (void *)DRIVER(name_, next_); \
			if (!made_.handle)				\
				claw_checked_refused(CLAW_API_##name_,	\
						     args_, CODE_OF(name_)); \
		}							\
		claw_checked_end(&call_);				\
		if (LIKELY(made_.handle)) {				\
			count_success(claw_journal_thread_get(),	\
				      effect_, BYTES_OF(name_), NULL);	\
			claw_checked_created(&made_);			\
		}							\
		return (CLAW_RET_##name_)(uintptr_t)made_.handle;	\
	}

#define QUICK_BUFFER(name_, next_, effect_)				\
	if ((int)CLAW_API_##name_ == CLAW_API_clCreateBuffer) {		\
		const uint64_t words_[] = {				\
			CLAW_SIG(name_, WORD_P) 0			\
		};							\
		struct claw_ledger_new made_ = NEW_BUFFER(name_, words_); \
		struct claw_trace_mark mark_;				\
									\
		if (!LIKELY(!words_[3] && words_[4]) ||			\
		    claw_meters_are_on() || claw_models_are_on() ||	\
		    claw_ours_is_on())					\
			return traced_##name_ CLAW_ARGS(name_);	\
		claw_journal_count(CLAW_API_##name_);			\
		mark_ = claw_trace_begin_buffer(words_, &made_.site);	\
		made_.handle = (void *)DRIVER(name_, next_);		\
		if (LIKELY(made_.handle)) {				\
			count_success(claw_journal_thread_get(),	\
				      effect_, BYTES_OF(name_), NULL);	\
			claw_ledger_created(&made_);			\
			claw_trace_end_buffer(&mark_, made_.handle);	\
		} else {						\
			COPY_PARAMS(name_)				\
			cl_int err = CODE_OF(name_);			\
									\
			claw_trace_end_failed(CLAW_API_##name_, &mark_,	\
					      made_.site, args_,	\
					      err);			\
		}							\
		return (CLAW_RET_##name_)(uintptr_t)made_.handle;	\
	}

/* What the ledger and the meters look at, in the shortest way there is; and
 * whole. */
#define METERED_SHORT(name_, next_, effect_)				\
	if ((effect_) % 4 == CLAW_RETAINS ||				\
	    (effect_) % 4 == CLAW_RELEASES) {				\
		cl_int err = traced_reference_##name_ CLAW_ARGS(name_); \
									\
		METER_PLAIN(err)					\
		return err;						\
	}								\
	if (GROUPS_##name_ & CLAW_G_QUERY) {				\
		cl_int err = next_ CLAW_ARGS(name_);			\
									\
		METER_QUERY(name_, err)					\
		return err;						\
	}								\
	TRACK_ARGUMENT(name_, next_, METER_PLAIN(err))
#define METERED_BEGIN(name_)						\
	CALL_BEGIN(name_)						\
	claw_meter_enter(&call_);					\
	claw_ledger_before(&call_);
#define METERED_END(name_, effect_, worked_)				\
	COUNT_WORKED(name_, effect_, worked_)				\
	claw_ledger_after(&call_);					\
	claw_meter_leave(&call_);

#define TRACED_END(name_, effect_, worked_)				\
	COUNT_WORKED(name_, effect_, worked_)				\
	claw_ledger_after(&call_);					\
	if (claw_meters_are_on())					\
		claw_meter_leave(&call_);				\
	claw_trace_end_call(&call_);

/* The groups column, of which the compiler drops what is not. */
#define G0			0
#define G1(a_)			CLAW_G_##a_
#define G2(a_, b_)		(CLAW_G_##a_ | CLAW_G_##b_)
#define G3(a_, b_, c_)		(CLAW_G_##a_ | CLAW_G_##b_ | CLAW_G_##c_)
#define API(name_, kind_, body_, effect_, groups_, ...)		\
	enum { GROUPS_##name_ = (groups_) };
#define EXT API
#include "faults/shared/api.def"
#undef API
#undef EXT

#define IS_LAUNCH(name_)						\
	((int)CLAW_API_##name_ == CLAW_API_clEnqueueNDRangeKernel ||	\
	 (int)CLAW_API_##name_ == CLAW_API_clEnqueueTask)
#define MAY_BE_TIMED(name_)						\
	(GROUPS_##name_ & (CLAW_G_ALLOC | CLAW_G_TRANSFER) ||		\
	 IS_LAUNCH(name_))

/* The thread's note of what it enqueues, and that it waited (slow.h). */
#define NOTE_COMMAND(name_)						\
	(GROUPS_##name_ & CLAW_G_ENQUEUE ? claw_slow_enqueues() : (void)0)
#define NOTE_FINISH(name_, err_)					\
	if ((int)CLAW_API_##name_ == CLAW_API_clFinish && !(err_))	\
		claw_slow_finished();

/* The driver's call, and how long it takes where that is looked at. */
#define DRIVER(name_, next_)						\
	(MAY_BE_TIMED(name_) && claw_slow_watches(CLAW_API_##name_) ?	\
	 timed_##name_ CLAW_ARGS(name_) :				\
	 (NOTE_COMMAND(name_), next_ CLAW_ARGS(name_)))

#define TIMED_BEGIN(name_)						\
	uint8_t pending_ = claw_slow_pending;				\
	uint64_t start_ns_ = claw_slow_now_ns();			\
									\
	NOTE_COMMAND(name_);						\
	if (IS_LAUNCH(name_))						\
		claw_slow_watch_launches(false);

#define TIMED_END(name_, ret_, err_)					\
	uint64_t ns_ = claw_slow_now_ns() - start_ns_;			\
									\
	if (GROUPS_##name_ & CLAW_G_ALLOC)				\
		claw_slow_created();					\
	else if (BLOCKING_OF(name_) && !(err_))				\
		claw_slow_waited(pending_);				\
	if (!LIKELY(ns_ < claw_guest.mem_timeout_ns)) {			\
		late = (struct late){ ns_, ret_, err_, pending_ };	\
		late_##name_ CLAW_ARGS(name_);				\
	}

/* What late_X is told besides X's own parameters. */
struct late {
	uint64_t ns;
	void *ret;
	cl_int err;
	uint8_t pending;
};
static __thread struct late late
	__attribute__((tls_model(CLAW_TLS_MODEL)));

/* A call that took long. By itself, so that a call that did not keeps its
 * parameters in registers. */
#define LATE_FUNCTION(name_)						\
	static __attribute__((noinline, cold)) void			\
	late_##name_ CLAW_PARAMS(name_)				\
	{								\
		CALL_BEGIN(name_)					\
		call_.ret = late.ret;					\
		call_.err = late.err;					\
		claw_slow_late(&call_, late.ns, late.pending);		\
	}

/* Does the ledger alone look at this call? */
#define IS_TRACKED(name_)						\
	(WAY_OF(name_) == CLAW_TRACKED ||				\
	 (EVENT_OF(name_) && WAY_OF(name_) == CLAW_EVENT_OUT))

#define SHORT_BEGIN(name_, side_way_, tracked_way_, checked_way_,	\
		    traced_way_, metered_way_)				\
	struct claw_journal_thread *block_ = claw_journal_thread_get();	\
									\
	if (!LIKELY(WAY_OF(name_) == CLAW_SHORT && block_)) {		\
		if (IS_TRACKED(name_)) {				\
			tracked_way_					\
		}							\
		if (WAY_OF(name_) == CLAW_CHECKED) {			\
			checked_way_					\
		}							\
		if (WAY_OF(name_) == CLAW_TRACED) {			\
			traced_way_					\
		}							\
		if (WAY_OF(name_) == CLAW_METERED) {			\
			metered_way_					\
		}							\
		side_way_						\
	}								\
	block_->calls[CLAW_API_##name_]++;

/* A reference more or less, as the ledger alone has it. */
#define REFERENCE_FUNCTION(name_, next_, effect_)			\
	static inline __attribute__((always_inline)) cl_int		\
	traced_reference_##name_ CLAW_PARAMS(name_)			\
	{								\
		TRACK_REFERENCE(name_, next_, effect_)			\
		return next_ CLAW_ARGS(name_);				\
	}

#define TRACED_FUNCTION(name_)						\
	static __attribute__((noinline)) CLAW_RET_##name_		\
	traced_##name_ CLAW_PARAMS(name_)

#define METERED_FUNCTION(name_)						\
	static __attribute__((noinline)) CLAW_RET_##name_		\
	metered_##name_ CLAW_PARAMS(name_)

#define LONG_FUNCTION(name_)						\
	static __attribute__((noinline)) CLAW_RET_##name_		\
	long_##name_ CLAW_PARAMS(name_)

#define TRACKED_FUNCTION(name_)						\
	static __attribute__((noinline)) CLAW_RET_##name_		\
	tracked_##name_ CLAW_PARAMS(name_)

#define TIMED_FUNCTION(name_)						\
	LATE_FUNCTION(name_)						\
	static inline __attribute__((always_inline)) CLAW_RET_##name_	\
	timed_##name_ CLAW_PARAMS(name_)

#define SIDE_FUNCTION(name_)						\
	static __attribute__((noinline)) CLAW_RET_##name_		\
	side_##name_ CLAW_PARAMS(name_)

#define SHORT_FUNCTION(name_)						\
	static CLAW_RET_##name_ CL_API_CALL wrap_##name_ CLAW_PARAMS(name_)

/* ---- the kinds of results: what the driver gave is kept in the call or in out_,
 * worked, has a code and is given back. */

#define KEEP_STATUS(name_, driver_)	call_.err = driver_;
#define KEEP_POINTER(name_, driver_)	call_.ret = (void *)driver_;
#define KEEP_VOID(name_, driver_)	driver_;
#define WORKED_STATUS			!call_.err
#define WORKED_POINTER			call_.ret
#define WORKED_VOID			true
#define GIVE_STATUS(name_)		return call_.err;
#define GIVE_POINTER(name_)		return (CLAW_RET_##name_)call_.ret;
#define GIVE_VOID(name_)
/* No code of its own, or the lent one. */
#define FAIL_STATUS
#define FAIL_POINTER							\
	if (!LIKELY(call_.ret) && !call_.err)				\
		call_.err = CL_OUT_OF_RESOURCES;
#define FAIL_VOID

#define OUT_STATUS(name_, driver_)	cl_int out_ = driver_;
#define OUT_POINTER(name_, driver_)	CLAW_RET_##name_ out_ = driver_;
#define OUT_VOID(name_, driver_)	driver_;
#define GOOD_STATUS			!out_
#define GOOD_POINTER			out_
#define GOOD_VOID			true
#define CODE_STATUS(name_)		out_
#define CODE_POINTER(name_)		(out_ ? CL_SUCCESS : CODE_OF(name_))
#define CODE_VOID(name_)		CL_SUCCESS
#define MADE_STATUS			NULL
#define MADE_POINTER			((void *)out_)
#define MADE_VOID			NULL
#define RETURN_STATUS			return out_;
#define RETURN_POINTER			return out_;
#define RETURN_VOID

/* Statements that take a way and return: another of the wrapper's functions, or
 * the driver's. */
#define TAKE_STATUS(call_of_it_)	return call_of_it_;
#define TAKE_POINTER			TAKE_STATUS
#define TAKE_VOID(call_of_it_)		call_of_it_; return;

/* Shorter ways, which only some kinds have. */
#define TRACED_FIRST_STATUS(name_, next_, effect_)			\
	TRACED_SHORT(name_, next_, effect_)				\
	TRACED_QUERY(name_, next_)
#define TRACED_FIRST_POINTER(...)
#define TRACED_FIRST_VOID(...)
#define METERED_FIRST_STATUS METERED_SHORT
#define METERED_FIRST_POINTER(...)
#define METERED_FIRST_VOID(...)
#define QUICK_STATUS(name_, next_, effect_)				\
QUICK_FUNCTION(name_)							\
{									\
	QUICK_LAUNCH(name_, next_)					\
	return traced_##name_ CLAW_ARGS(name_);			\
}
#define QUICK_POINTER(name_, next_, effect_)				\
QUICK_FUNCTION(name_)							\
{									\
	QUICK_BUFFER(name_, next_, effect_)				\
	return traced_##name_ CLAW_ARGS(name_);			\
}
#define QUICK_VOID(...)
#define TRACED_BY_STATUS(name_)						\
	if (IS_QUICK(name_))						\
		return quick_##name_ CLAW_ARGS(name_);			\
	return traced_##name_ CLAW_ARGS(name_);
#define TRACED_BY_POINTER TRACED_BY_STATUS
#define TRACED_BY_VOID(name_) TAKE_VOID(traced_##name_ CLAW_ARGS(name_))
/* Nothing to see to afterwards: a jump, no copy of parameters. */
#define JUMP_STATUS(name_, next_, effect_)				\
	if (!(effect_) && !EVENT_OF(name_) &&				\
	    (int)CLAW_API_##name_ != CLAW_API_clFinish)			\
		return next_ CLAW_ARGS(name_);
#define JUMP_POINTER(...)
#define JUMP_VOID(...)

#define TRACKED_STATUS(name_, next_, effect_)				\
REFERENCE_FUNCTION(name_, next_, effect_)				\
TRACKED_FUNCTION(name_)							\
{									\
	claw_journal_count(CLAW_API_##name_);				\
	TRACK_REFERENCE(name_, next_, effect_)				\
	TRACK_ARGUMENT(name_, next_, )					\
	TRACKED_BEGIN(name_, effect_)					\
	call_.err = DRIVER(name_, next_);				\
	NOTE_FINISH(name_, call_.err)					\
	COUNT_WORKED(name_, effect_, !call_.err)				\
	claw_ledger_after(&call_);					\
	return call_.err;						\
}
#define TRACKED_POINTER(name_, next_, effect_)			\
TRACKED_FUNCTION(name_)							\
{									\
	if (!TAKES_MEMORY(name_))					\
		claw_journal_count(CLAW_API_##name_);			\
	TRACKED_BEGIN(name_, effect_)					\
	if (TAKES_MEMORY(name_) && claw_models_are_on() &&		\
	    !claw_model_take(&call_))					\
		return long_##name_ CLAW_ARGS(name_);			\
	call_.ret = (void *)DRIVER(name_, next_);			\
	if (TAKES_MEMORY(name_) && call_.model.bits && !call_.ret) {	\
		/* The model may have what the driver has not. */	\
		claw_model_untake(&call_);				\
		return long_##name_ CLAW_ARGS(name_);			\
	}								\
	if (TAKES_MEMORY(name_))					\
		claw_journal_count(CLAW_API_##name_);			\
	if (LIKELY(call_.ret))						\
		count_success(claw_journal_thread_get(), effect_,	\
			      BYTES_OF(name_), EVENT_OF(name_));	\
	else								\
		call_.err = CL_OUT_OF_RESOURCES;			\
	TRACKED_END(effect_)						\
	return (CLAW_RET_##name_)call_.ret;				\
}
#define TRACKED_VOID(name_, next_, effect_)			\
TRACKED_FUNCTION(name_)							\
{									\
	claw_journal_count(CLAW_API_##name_);				\
	TRACKED_BEGIN(name_, effect_)					\
	DRIVER(name_, next_);						\
	count_success(claw_journal_thread_get(), effect_, 0, NULL);	\
	claw_ledger_after(&call_);					\
}

/* Of the functions that claw_checked_has() knows. */
#define CHECKED_FUNCTION(name_)						\
	static __attribute__((noinline)) CLAW_RET_##name_		\
	checked_##name_ CLAW_PARAMS(name_)
#define CHECKED_STATUS(name_, next_, effect_)				\
CHECKED_FUNCTION(name_)							\
{									\
	CHECK_REFERENCE(name_, next_, effect_)				\
	CHECK_ARGUMENT(name_, next_)					\
	CHECK_LAUNCH(name_, next_)					\
	return long_##name_ CLAW_ARGS(name_);				\
}
#define CHECKED_POINTER(name_, next_, effect_)				\
CHECKED_FUNCTION(name_)							\
{									\
	CHECK_BUFFER(name_, next_, effect_)				\
	return long_##name_ CLAW_ARGS(name_);				\
}
#define CHECKED_VOID(name_, next_, effect_)				\
CHECKED_FUNCTION(name_)							\
{									\
	long_##name_ CLAW_ARGS(name_);					\
}

#define WRAP(kind_, name_, next_, effect_)				\
TIMED_FUNCTION(name_)							\
{									\
	TIMED_BEGIN(name_)						\
	OUT_##kind_(name_, next_ CLAW_ARGS(name_))			\
	TIMED_END(name_, MADE_##kind_, CODE_##kind_(name_))		\
	RETURN_##kind_							\
}									\
LONG_FUNCTION(name_)							\
{									\
	LONG_BEGIN(name_)						\
	if (!call_.injected) {						\
		KEEP_##kind_(name_, next_ CLAW_ARGS(name_))		\
		if (!LIKELY(WORKED_##kind_) && claw_call_again(&call_))	\
			KEEP_##kind_(name_, next_ CLAW_ARGS(name_))	\
	}								\
	claw_leave(&call_);						\
	GIVE_##kind_(name_)						\
}									\
TRACKED_##kind_(name_, next_, effect_)					\
CHECKED_##kind_(name_, next_, effect_)					\
TRACED_FUNCTION(name_)							\
{									\
	TRACED_FIRST_##kind_(name_, next_, effect_)			\
	TRACED_BEGIN(name_, TAKE_##kind_(next_ CLAW_ARGS(name_)))	\
	KEEP_##kind_(name_, DRIVER(name_, next_))			\
	FAIL_##kind_							\
	NOTE_FINISH(name_, call_.err)					\
	TRACED_END(name_, effect_, WORKED_##kind_)			\
	GIVE_##kind_(name_)						\
}									\
QUICK_##kind_(name_, next_, effect_)					\
METERED_FUNCTION(name_)							\
{									\
	claw_journal_count(CLAW_API_##name_);				\
	if (claw_ours_is_on()) {					\
		TAKE_##kind_(next_ CLAW_ARGS(name_))			\
	}								\
	METERED_FIRST_##kind_(name_, next_, effect_)			\
	METERED_BEGIN(name_)						\
	KEEP_##kind_(name_, DRIVER(name_, next_))			\
	FAIL_##kind_							\
	NOTE_FINISH(name_, call_.err)					\
	METERED_END(name_, effect_, WORKED_##kind_)			\
	GIVE_##kind_(name_)						\
}									\
SIDE_FUNCTION(name_)							\
{									\
	SIDE_BEGIN(name_, TAKE_##kind_(long_##name_ CLAW_ARGS(name_)))	\
	OUT_##kind_(name_, DRIVER(name_, next_))			\
	NOTE_FINISH(name_, CODE_##kind_(name_))				\
	COUNT_WORKED(name_, effect_, GOOD_##kind_)			\
	SIDE_END(name_, CODE_##kind_(name_))				\
	RETURN_##kind_							\
}									\
SHORT_FUNCTION(name_)							\
{									\
	SHORT_BEGIN(name_, TAKE_##kind_(side_##name_ CLAW_ARGS(name_)),	\
		    TAKE_##kind_(tracked_##name_ CLAW_ARGS(name_)),	\
		    TAKE_##kind_(checked_##name_ CLAW_ARGS(name_)),	\
		    TRACED_BY_##kind_(name_),				\
		    TAKE_##kind_(metered_##name_ CLAW_ARGS(name_)))	\
	NOTE_COMMAND(name_);						\
	JUMP_##kind_(name_, next_, effect_)				\
	OUT_##kind_(name_, next_ CLAW_ARGS(name_))			\
	NOTE_FINISH(name_, CODE_##kind_(name_))				\
	if (LIKELY(GOOD_##kind_))					\
		count_success(block_, effect_, BYTES_OF(name_),		\
			      EVENT_OF(name_));				\
	RETURN_##kind_							\
}
#define WRAP_STATUS(name_, ...) WRAP(STATUS, name_, __VA_ARGS__)
#define WRAP_POINTER(name_, ...) WRAP(POINTER, name_, __VA_ARGS__)
#define WRAP_HANDLE WRAP_POINTER
#define WRAP_VOID(name_, ...) WRAP(VOID, name_, __VA_ARGS__)

/* Beneath an extension function: the driver of its first handle. */
#define EXT_NEXT(name_)							\
	(__extension__ (claw_pfn_##name_)claw_extension_next(		\
		CLAW_API_##name_, (const void *)(uintptr_t)CLAW_KEY_##name_))

#define BODY_TABLE(kind_, name_, next_, effect_) \
	WRAP_##kind_(name_, next_, effect_)
#define BODY_SPECIAL(kind_, name_, next_, effect_) \
	CLAW_RET_##name_ CL_API_CALL wrap_##name_ CLAW_PARAMS(name_);

#define API(name_, kind_, body_, effect_, ...) \
	BODY_##body_(kind_, name_, claw_next.name_, effect_)
#define EXT(name_, kind_, body_, effect_, ...) \
	BODY_##body_(kind_, name_, EXT_NEXT(name_), effect_)
#include "faults/shared/api.def"
#undef API
#undef EXT

unsigned int claw_wrap_fill(struct _cl_icd_dispatch *table)
{
	unsigned int hooked = 0;

#define API(name_, ...)							\
	if (table->name_) {						\
		table->name_ = wrap_##name_;				\
		hooked++;						\
	}
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT
	return hooked;
}

claw_function claw_wrap_get(enum claw_api api)
{
	static const claw_function wrappers[] = {
#define API(name_, ...) [CLAW_API_##name_] = (claw_function)wrap_##name_,
#define EXT(name_, ...) [CLAW_API_##name_] = (claw_function)wrap_##name_,
#include "faults/shared/api.def"
#undef API
#undef EXT
	};

	return wrappers[api];
}

bool claw_wrap_has_next(enum claw_api api)
{
	switch (api) {
#define API(name_, ...) case CLAW_API_##name_: return claw_next.name_ != NULL;
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT
	default:
		return false;
	}
}
