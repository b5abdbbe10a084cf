/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is taken when a command uses it first, and what the program is
 * told when there is none.
 */
#include "config.h"

#include "model_private.h"

#include <stdio.h>
#include <string.h>

#include "faults/device/failure.h"
#include "faults/log/log.h"
#include "faults/device/stand_in.h"

enum {
	HOLDS_MAX = 64,
	PARENTS_MAX = 4,	/* of a part of a part */
	ANY = CLAW_MODELS_MAX,
};

/* ---- failures */

/* "clEnqueueReadBufferRect" to "READ_BUFFER_RECT". */
static void command_name(enum claw_api api, char *name, size_t size)
{
	const char *from = claw_api_table[api].name + strlen("clEnqueue");
	size_t length = 0;

	if (!strncmp(from, "SVM", 3)) {
		memcpy(name, "SVM_", 4);
		length = 4;
		from += 3;
	}
	for (; *from && strcmp(from, "WithWaitList") && length < size - 2;
	     from++) {
		bool upper = *from >= 'A' && *from <= 'Z';

		if (upper && length && from[-1] >= 'a' && from[-1] <= 'z')
			name[length++] = '_';
		name[length++] = (char)(upper ? *from : *from - 'a' + 'A');
	}
	name[length] = '\0';
}

/* The text for the context's callback, by the model's pattern. */
static void fill_text(const char *pattern, const char *command,
		      unsigned int device, char *text, size_t size)
{
	char name[CLAW_MODEL_TEXT_MAX];
	size_t length = 0;

	claw_model_name(device, name, sizeof(name));
	for (; *pattern && length + 1 < size; pattern++) {
		int more = 1;

		if (*pattern != '%') {
			text[length] = *pattern;
		} else if (*++pattern == 'c') {
			more = snprintf(text + length, size - length,
					"CL_MEM_OBJECT_ALLOCATION_FAILURE");
		} else if (*pattern == 'k') {
			more = snprintf(text + length, size - length,
					"CL_COMMAND_%s", command);
		} else if (*pattern == 'n') {
			more = snprintf(text + length, size - length, "%s",
					name);
		} else if (*pattern == 'd') {
			more = snprintf(text + length, size - length, "%u",
					device);
		} else if (!*pattern) {
			break;
		}
		length += (size_t)more;
	}
	text[length < size ? length : size - 1] = '\0';
}

static void tell_context(const struct claw_call *call, unsigned int device)
{
	const struct claw_model *model = claw_model_get(device);
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	cl_context context = NULL;
	char command[64], text[512];

	if (!*model->memory_failure_notify || !queue)
		return;
	command_name(call->api, command, sizeof(command));
	if (model->memory_failure_fill && !strncmp(command, "FILL", 4))
		memcpy(command, "NDRANGE_KERNEL", sizeof("NDRANGE_KERNEL"));
	fill_text(model->memory_failure_notify, command, device, text,
		  sizeof(text));
	claw_ours_begin();
	claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT,
					sizeof(context), &context, NULL);
	claw_ours_end();
	if (context)
		claw_failure_notify(context, "%s", text);
}

void claw_model_refuse(struct claw_call *call, cl_int code)
{
	call->fault = CLAW_FAULT_OOM;
	claw_fail(call, code);
	claw_write_event(call, 0);
}

/* ---- first use */

/* Under the lock of its place: memory of that device, or (ANY) of the one that
 * it was made for. False: there is none. */
static bool take_now(enum claw_turn turn, struct claw_ledger_entry *entry,
		     unsigned int device)
{
	struct claw_account *account;
	bool taken = false;

	if (device == ANY || entry->mem_flags & CLAW_MODEL_PINNED)
		device = claw_model_device_of(entry->mem_flags);
	account = &claw_accounts[device];
	if (!claw_lock(turn, &account->lock))
		return true;
	taken = claw_account_take(account, claw_model_get(device), entry->bytes,
				  &entry->hold);
	claw_unlock(turn, &account->lock);
	if (!taken)
		return false;
	entry->mem_flags &= ~(CLAW_MODEL_LATER | CLAW_MODEL_DEVICES);
	entry->mem_flags |= CLAW_MODEL_TAKEN | claw_model_device_bits(device);
	claw_account_add(turn, &claw_model_later_count, -1);
	return true;
}

/* Memory for the object, or for what it is a part of. */
static bool use(const void *mem, unsigned int wanted,
		unsigned int *ret_device)
{
	enum claw_turn turn = claw_turn_begin();
	bool taken = true;

	if (turn == CLAW_TURN_NONE)
		return true;
	for (unsigned int i = 0; i < PARENTS_MAX && taken &&
	     claw_number(mem) > CLAW_CLEARED; i++) {
		uint64_t mix = claw_entry_mix(claw_number(mem), CLAW_OBJ_MEM);
		struct claw_ledger_place *place = claw_entry_place(mix);
		struct claw_ledger_entry *entry;

		if (!claw_lock(turn, &place->lock))
			break;
		entry = claw_entry_find(place, mix, claw_number(mem),
					CLAW_OBJ_MEM);
		mem = NULL;
		if (entry && entry->object == CLAW_OBJ_MEM) {
			if (entry->mem_flags & CLAW_MODEL_LATER)
				taken = take_now(turn, entry, wanted);
			*ret_device = claw_model_device_of(entry->mem_flags);
			if (entry->flags & CLAW_LEDGER_SUB)
				mem = (const void *)(uintptr_t)entry->parent;
		}
		claw_unlock(turn, &place->lock);
	}
	claw_turn_end(turn);
	return taken;
}

static bool use_params(const struct claw_call *call, unsigned int wanted,
		       unsigned int *ret_device)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	for (unsigned int i = 0; i < info->param_count; i++) {
		void *const *list;
		uint32_t count;

		if (info->roles[i] == CLAW_P_MEM &&
		    !use(CLAW_ARG_AT(call, void *, i), wanted, ret_device))
			return false;
		if (info->roles[i] != CLAW_P_MEMS)
			continue;
		count = claw_arg_list(call, CLAW_P_MEMS, &list);
		for (uint32_t j = 0; j < count; j++)
			if (!use(list[j], wanted, ret_device))
				return false;
	}
	return true;
}

static bool use_arguments(const struct claw_call *call, unsigned int wanted,
			  unsigned int *ret_device)
{
	struct claw_ledger_hold holds[HOLDS_MAX];
	const void *kernel = claw_arg_pointer(call, CLAW_P_KERNEL);
	unsigned int count;
	bool all;

	if (!kernel)
		return true;
	count = claw_ledger_holds(CLAW_OBJ_KERNEL, kernel, holds, HOLDS_MAX,
				  &all);
	for (unsigned int i = 0; i < count; i++)
		if (!use((const void *)(uintptr_t)holds[i].handle, wanted,
			 ret_device))
			return false;
	return true;
}

/* Does only the event say so? */
static bool fails_later(const struct claw_call *call,
			const struct claw_model *model)
{
	return model->memory_failure == CLAW_MODEL_EVENT_FAILS &&
	       claw_api_table[call->api].fails_as == CLAW_STATUS &&
	       !claw_device_is_blocking(call);
}

void claw_model_use(struct claw_call *call)
{
	unsigned int device = 0, wanted = ANY;

	if (!__atomic_load_n(&claw_model_later_count, __ATOMIC_RELAXED) ||
	    call->api == CLAW_API_clEnqueueUnmapMemObject)
		return;
	claw_pending_look();
	if (claw_models_known > 1) {
		device = wanted = claw_model_of_call(call);
		claw_model_memory_prepare(wanted, NULL);
	}
	if (use_params(call, wanted, &device) &&
	    use_arguments(call, wanted, &device))
		return;
	claw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-out-of-memory: Cannot "
		       "allocate at first use, in %s (INJECTED)",
		       claw_api_table[call->api].name);
	if (fails_later(call, claw_model_get(device))) {
		call->fault = CLAW_FAULT_OOM;
		claw_device_swallow(call, CLAW_NO_RULE, claw_now_ns(),
				    CL_MEM_OBJECT_ALLOCATION_FAILURE);
		claw_write_event(call, 0);
	} else {
		claw_model_refuse(call, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	}
	tell_context(call, device);
}
