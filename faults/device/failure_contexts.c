/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts: when they were made, and the callback that the program gave. What
 * a device says of a failure it says there.
 */
#include "config.h"

#include "failure_private.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CONTEXTS = 512, LINE_BYTES = 512 };

typedef void (CL_CALLBACK *claw_context_notify)(const char *text,
						const void *info, size_t bytes,
						void *user);

static struct known_context {
	cl_context context;
	claw_context_notify notify;
	void *user;
	uint64_t since_ns;
	unsigned int references;	/* the program's; 0: objects may hold it */
} contexts[MAX_CONTEXTS];
static unsigned int context_count, next_place;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_fail_contexts_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	context_count = next_place = 0;
}

/* Under the lock. */
static struct known_context *find(cl_context context)
{
	for (unsigned int i = 0; i < context_count; i++)
		if (contexts[i].context == context)
			return &contexts[i];
	return NULL;
}

/* Under the lock. Where there is no room one that the program has released
 * goes, else the oldest. */
static struct known_context *place_of_new(void)
{
	if (context_count < MAX_CONTEXTS)
		return &contexts[context_count++];
	for (unsigned int i = 0; i < MAX_CONTEXTS; i++)
		if (!contexts[i].references)
			return &contexts[i];
	return &contexts[next_place++ % MAX_CONTEXTS];
}

void claw_fail_context_made(const struct claw_call *call)
{
	claw_context_notify const *notify =
		claw_arg_address(call, CLAW_P_NOTIFY);
	struct known_context *known;
	unsigned int before;

	pthread_mutex_lock(&lock);
	known = find(call->ret);
	/* One that stood at the address is on its way to be released here. */
	before = known ? known->references : 0;
	if (!known)
		known = place_of_new();
	*known = (struct known_context){
		call->ret, notify ? *notify : NULL,
		claw_arg_pointer(call, CLAW_P_USER_DATA), claw_now_ns(),
		before + 1,
	};
	pthread_mutex_unlock(&lock);
}

/* What the program gave with it is not to be used after its last release. When
 * it was made is known still: its objects may keep it. */
void claw_fail_context_counted(cl_context context, int more)
{
	struct known_context *known;

	pthread_mutex_lock(&lock);
	known = find(context);
	if (known && known->references) {
		known->references += (unsigned int)more;
		if (!known->references)
			known->notify = NULL;
	}
	pthread_mutex_unlock(&lock);
}

bool claw_fail_context_is_gone(cl_context context, uint64_t at_ns)
{
	struct known_context *known;
	bool gone;

	pthread_mutex_lock(&lock);
	known = find(context);
	gone = known && (!known->references || known->since_ns > at_ns);
	pthread_mutex_unlock(&lock);
	return gone;
}

uint64_t claw_fail_context_since_ns(cl_context context)
{
	struct known_context *known;
	uint64_t since_ns;

	pthread_mutex_lock(&lock);
	known = find(context);
	since_ns = known ? known->since_ns : 0;
	pthread_mutex_unlock(&lock);
	return since_ns;
}

/* The program's function may make calls of its own. */
void claw_failure_notify(cl_context context, const char *format, ...)
{
	struct known_context known = { .notify = NULL }, *found;
	char text[LINE_BYTES];
	unsigned int depth;
	va_list args;

	pthread_mutex_lock(&lock);
	found = find(context);
	if (found)
		known = *found;
	pthread_mutex_unlock(&lock);
	if (!known.notify)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	depth = claw_ours_leave();
	known.notify(text, NULL, 0, known.user);
	claw_ours_return(depth);
}

static const char *value_of(const char *word, size_t length, cl_int error,
			    enum claw_api api, unsigned int device, char *room,
			    size_t size)
{
	const char *name = claw_code_name(error);

	if (length == 5 && !memcmp(word, "error", 5)) {
		snprintf(room, size, "%s", name ? name : "Unknown");
		return room;
	}
	if (length == 7 && !memcmp(word, "command", 7)) {
		name = claw_command_name(api);
		return name ? name : claw_api_table[api].name;
	}
	if (length == 6 && !memcmp(word, "device", 6)) {
		claw_model_name(device, room, size);
		return room;
	}
	snprintf(room, size, "%u", device);	/* index */
	return room;
}

void claw_fail_tell(cl_context context, const char *format, cl_int error,
		    enum claw_api api, unsigned int device)
{
	char text[LINE_BYTES], room[CLAW_MODEL_TEXT_MAX];
	size_t length = 0;

	while (*format && length + 1 < sizeof(text)) {
		size_t plain = strcspn(format, "{");
		size_t word = strcspn(format + plain, "}");

		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%.*s", (int)plain, format);
		format += plain;
		if (!*format || !format[word] || length >= sizeof(text))
			break;
		length += (size_t)snprintf(text + length, sizeof(text) - length,
			"%s", value_of(format + 1, word - 1, error, api,
				       device, room, sizeof(room)));
		format += word + 1;
	}
	claw_failure_notify(context, "%s", text);
}
