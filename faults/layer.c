/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader-layer door (cl_loader_layers), and what happens once a process:
 * reading the session, opening the journal, arming the rules.
 */
#include "config.h"

#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands.h"
#include "compat.h"
#include "crash_log.h"
#include "early.h"
#include "found.h"
#include "guards.h"
#include "instrument.h"
#include "ledger.h"
#include "life.h"
#include "log.h"
#include "memory_use.h"
#include "meter.h"
#include "slow.h"
#include "model.h"
#include "model_alias.h"
#include "own_session.h"
#include "trace.h"
#include "wrap.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* Of cl_layer.h, which not every installation has, nor in one form. */
#define LAYER_API_VERSION	0x4240
#define LAYER_NAME		0x4241
#define LAYER_API_VERSION_100	100

#define EXPORT __attribute__((visibility("default")))
EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size,
					 void *value, size_t *ret_size);
EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count,
				      const struct _cl_icd_dispatch *target,
				      cl_uint *ret_count,
				      const struct _cl_icd_dispatch **ret_table);
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(
	cl_uint count, const struct _cl_icd_dispatch *target,
	cl_uint *ret_count, const struct _cl_icd_dispatch **ret_table,
	const void *properties);
EXPORT cl_int CL_API_CALL clDeinitLayer(void);

enum {
	SLOTS_MAX = 512,	/* of tables longer than the one we know */
	TEXT_MAX = 1 << 20,	/* bytes of the session's files */
	MEM_TIMEOUT_MS = 30000,	/* when CLW_MEM_TIMEOUT_MS does not say */
};

struct claw_page claw_page;
struct claw_guest claw_guest;
static struct claw_trace_config capture;
static struct claw_instrument_config instrument;
struct _cl_icd_dispatch claw_next;

/* What the loader is given: ours over a copy of what it gave us. */
static union {
	struct _cl_icd_dispatch known;
	void *slots[SLOTS_MAX];
} layer_table;
static unsigned int hooked_slots;

void claw_say(const char *format, ...)
{
	char line[512];
	int length = snprintf(line, sizeof(line), "openclaw: ");
	va_list args;
	ssize_t written;

	va_start(args, format);
	length += vsnprintf(line + length, sizeof(line) - (size_t)length - 1,
			    format, args);
	va_end(args);
	if (length > (int)sizeof(line) - 2)
		length = (int)sizeof(line) - 2;
	line[length++] = '\n';
	written = write(STDERR_FILENO, line, (size_t)length);
	(void)written;
}

/* ------------------------------------------------------------- session */

/* A file of the session as text; the caller frees it. NULL: cannot. */
static char *read_text(const char *directory, const char *name)
{
	char path[4096];
	char *text = NULL;
	size_t length = 0;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) >=
	    sizeof(path))
		return NULL;
	/* Whatever somebody has put there: the program does not wait for it. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	text = malloc(TEXT_MAX + 1);
	while (text && length < TEXT_MAX) {
		ssize_t n = read(fd, text + length, TEXT_MAX - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		length += (size_t)n;
	}
	close(fd);
	if (text)
		text[length] = '\0';
	return text;
}

/* The value of key in "key=value" lines, or 0. */
static uint64_t config_number(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text && *text) {
		if (!strncmp(text, key, length) && text[length] == '=')
			return strtoull(text + length + 1, NULL, 0);
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return 0;
}

static bool config_is(const char *text, const char *key, const char *value)
{
	size_t length = strlen(key), value_length = strlen(value);

	while (text && *text) {
		if (!strncmp(text, key, length) && text[length] == '=' &&
		    !strncmp(text + length + 1, value, value_length) &&
		    strchr("\r\n", text[length + 1 + value_length]))
			return true;
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return false;
}

/* In milliseconds. Anything that is no number counts as not set. */
static uint64_t read_mem_timeout_ns(void)
{
	const char *text = getenv("CLW_MEM_TIMEOUT_MS");
	uint64_t ms = MEM_TIMEOUT_MS;
	char *end;

	if (text && text[0] >= '0' && text[0] <= '9') {
		uint64_t given = strtoull(text, &end, 10);

		if (!*end)
			ms = given;
	}
	return ms < UINT64_MAX / 1000000 ? ms * 1000000 : UINT64_MAX;
}

/* The value of key up to the end of its line. */
static void config_word(const char *text, const char *key, char *word,
			size_t size)
{
	size_t length = strlen(key), bytes;

	while (text && *text) {
		if (!strncmp(text, key, length) && text[length] == '=') {
			text += length + 1;
			bytes = strcspn(text, "\r\n");
			if (bytes >= size)
				bytes = size - 1;
			memcpy(word, text, bytes);
			word[bytes] = '\0';
			return;
		}
		text = strchr(text, '\n');
		text += text != NULL;
	}
}

/* What these do stands on the ledger. */
static void read_meters(const char *text)
{
	claw_guest.meters = config_number(text, "meters");
	if (claw_guest.meters && !claw_guest.ledger)
		claw_guest.ledger = CLAW_LEDGER_COUNTS;
}

static void read_capture(const char *text)
{
	char into[4096] = "";

	capture.buffers = config_is(text, "capture", "none") ?
			CLAW_CAPTURE_NONE :
		config_is(text, "capture", "hash") ? CLAW_CAPTURE_HASH :
		config_is(text, "capture", "launch") ? CLAW_CAPTURE_LAUNCH :
		config_is(text, "capture", "all") ? CLAW_CAPTURE_ALL :
		CLAW_CAPTURE_OFF;
	capture.redact = config_number(text, "capture_redact");
	capture.ring_bytes = config_number(text, "capture_ring");
	capture.max_bytes = config_number(text, "capture_bytes");
	capture.launch = config_number(text, "capture_launch");
	config_word(text, "capture_kernel", capture.kernel,
		    sizeof(capture.kernel));
	config_word(text, "capture_into", into, sizeof(into));
	claw_own_session_set_into(into);
	if (capture.buffers && !claw_guest.ledger)
		claw_guest.ledger = CLAW_LEDGER_COUNTS;
}

/* What is found in kernels is told with where its buffer comes from. */
static void read_instrument(const char *text)
{
	struct claw_instrument_config *config = &instrument;
	const char *asan = getenv("OPENCLAW_ENABLE_GPU_ASAN");
	const char *helper = getenv("OPENCLAW_INSTRUMENT");

	config->modes =
		(config_is(text, "coverage", "hit") ? CLAW_PROBE_HIT : 0) |
		(config_is(text, "coverage", "count") ? CLAW_PROBE_COUNT : 0) |
		(config_number(text, "kernel-arithmetic") ?
		 CLAW_PROBE_ARITHMETIC : 0);
	if (config_number(text, "kernel-asan") ||
	    (asan && strcmp(asan, "1") == 0) ||
	    config->modes & CLAW_PROBE_ARITHMETIC) {
		config->modes |= CLAW_PROBE_ASAN;
		claw_guest.find |= CLAW_FOUND_KERNELS;
		claw_guest.ledger = CLAW_LEDGER_SITES;
	}
	config->launch_skip = config_number(text, "launch-skip");
	config->launch_count = config_number(text, "launch-count");
	config->print_limit = config_number(text, "print-limit");
	config->verify = config_is(text, "verify", "all") ? CLAW_VERIFY_ALL :
		config_is(text, "verify", "none") ? CLAW_VERIFY_NONE :
		CLAW_VERIFY_FIRST;
	config_word(text, "kernel-name", config->kernel,
		    sizeof(config->kernel));
	config_word(text, "instrument-cache", config->cache,
		    sizeof(config->cache));
	snprintf(config->helper, sizeof(config->helper), "%s",
		 helper ? helper : "");
	config_word(text, "instrument", config->helper,
		    sizeof(config->helper));
}

static void read_config(const char *session, uint64_t *ret_capacity)
{
	char *text = session ? read_text(session, "config") : NULL;
	const char *seed = getenv("OPENCLAW_SEED");

	claw_guest.seed = text ? config_number(text, "seed") :
		seed ? strtoull(seed, NULL, 0) : 0;
	claw_guest.nonce = config_number(text, "nonce");
	claw_guest.allow_illegal = config_number(text, "allow_illegal");
	claw_guest.record_queries = config_number(text, "record_queries");
	claw_guest.all_sites = config_number(text, "all_sites");
	claw_guest.record = config_is(text, "record", "full") ? CLAW_RECORD_FULL :
		config_is(text, "record", "last") ? CLAW_RECORD_LAST :
		CLAW_RECORD_NONE;
	claw_guest.ledger = config_is(text, "ledger", "sites") ?
			CLAW_LEDGER_SITES :
		config_is(text, "ledger", "counts") ? CLAW_LEDGER_COUNTS :
		CLAW_LEDGER_OFF;
	claw_guest.find =
		(config_number(text, "lifetime") ? CLAW_FOUND_LIFETIME : 0) |
		(config_number(text, "protect") ? CLAW_FOUND_PROTECT : 0) |
		(config_number(text, "guards") ? CLAW_FOUND_GUARDS : 0) |
		(config_number(text, "early") ? CLAW_FOUND_EARLY : 0);
	read_capture(text);
	read_meters(text);
	read_instrument(text);
	*ret_capacity = config_number(text, "record_capacity");
	claw_guest.mem_timeout_ns = read_mem_timeout_ns();
	free(text);
}

/* Cut off the first rule of text: up to a newline, or a ';' outside quotes. */
static char *next_rule(char **text)
{
	char *start = *text, *p = start;
	bool quoted = false;

	if (!p || !*p)
		return NULL;
	for (; *p && *p != '\n' && (quoted || *p != ';'); p++) {
		if (quoted && *p == '\\' && p[1])
			p++;
		else if (*p == '"')
			quoted = !quoted;
	}
	*text = *p ? p + 1 : p;
	*p = '\0';
	return start;
}

/* Without the space around it. */
static char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\r");
	length = strlen(text);
	while (length && strchr(" \t\r", text[length - 1]))
		text[--length] = '\0';
	return text;
}

/* Only the openclaw program can look up a place in compiled code; what it
 * could not find it has told its user. */
static bool is_out_of_place(const struct claw_rule *rule, const char *origin)
{
	if (!*rule->at || rule->pc_count || claw_site_has_python() ||
	    strcmp(origin, "OPENCLAW_FAULTS"))
		return false;
	claw_say("%s: \"%.120s\": at= names a place in compiled code, which "
		 "only the openclaw program can look up; not armed", origin,
		 rule->text);
	return true;
}

/* All rules, or none: half a plan would tell a wrong story. */
static void arm_rules(char *text, const char *origin)
{
	static struct claw_rule rule;
	struct claw_plan_error error;
	char *copy = text ? strdup(text) : NULL;
	char *rest = copy, *line;
	char message[1024];

	while ((line = next_rule(&rest))) {
		line = trim(line);
		if (!*line ||
		    !claw_rule_parse(line, claw_guest.allow_illegal, &rule, &error))
			continue;
		snprintf(message, sizeof(message), "%s: \"%.120s\": column %zu: %s",
			 origin, line, error.column, error.message);
		claw_journal_set_plan_error(message);
		claw_say("%s; no fault is armed", message);
		free(copy);
		return;
	}
	free(copy);
	rest = text;
	while ((line = next_rule(&rest))) {
		line = trim(line);
		if (*line &&
		    !claw_rule_parse(line, claw_guest.allow_illegal, &rule, &error) &&
		    !is_out_of_place(&rule, origin) &&
		    claw_rules_add(&rule) < 0)
			claw_say("%s: more than %d rules; the rest is not armed",
				 origin, CLAW_JOURNAL_MAX_RULES);
	}
}

static void read_rules(const char *session)
{
	const char *faults = getenv("OPENCLAW_FAULTS");
	char *text = session ? read_text(session, "rules") :
		faults ? strdup(faults) : NULL;

	arm_rules(text, session ? "rules" : "OPENCLAW_FAULTS");
	free(text);
}

/* ------------------------------------------------------------- process */

/* What is looked for stands on the ledger, and needs a place to say it. */
static void begin_finding(void)
{
	uint32_t early = CLAW_FOUND_EARLY;	/* said when it has begun */
	bool can = claw_ledger_is_on() &&
		claw_found_begin(claw_guest.find & ~early);
	uint32_t modes = can ? claw_guest.find : 0;

	if (modes & CLAW_FOUND_LIFETIME) {
		claw_life_begin(modes & CLAW_FOUND_PROTECT);
		claw_commands_begin();
		if (modes & early && claw_early_begin())
			claw_found_add_mode(CLAW_FOUND_EARLY);
	}
	if (modes & CLAW_FOUND_GUARDS)
		claw_guards_begin();
	claw_instrument_begin(&instrument);
}

static void read_models(const char *session)
{
	char *text = session ? read_text(session, "models") : NULL;

	claw_models_begin(text);
	claw_device_choose();
	free(text);
}

/* Anew in a forked child: what its parent has is not its own. */
static void begin_telling(void)
{
	claw_log_begin();
	claw_slow_begin_process();
	claw_memory_begin_process();
	claw_crash_log_begin();
}

static const char *api_name(unsigned int api)
{
	return claw_api_table[api].name;
}

static void read_exe(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	const char *started = (const char *)getauxval(AT_EXECFN);
	const char *slash;
	size_t name;

	path[length > 0 ? length : 0] = '\0';
	if (length <= 0 && started)	/* no /proc here */
		snprintf(path, size, "%s", started);
	slash = strrchr(path, '/');
	slash = slash ? slash + 1 : path;
	name = strlen(slash);
	if (name >= sizeof(claw_guest.exe))
		name = sizeof(claw_guest.exe) - 1;
	memcpy(claw_guest.exe, slash, name);
	claw_guest.exe[name] = '\0';
}

/* ocl-icd 2.3.1 cuts OPENCL_LAYERS up where it stands: put it back for the
 * programs that this one starts. */
static void repair_environment(void)
{
	const char *layers = getenv("OPENCLAW_LAYERS");

	const char *now = getenv("OPENCL_LAYERS");

	/* Other threads may be reading the environment: no needless write. */
	if (layers && *layers && (!now || strcmp(now, layers)))
		setenv("OPENCL_LAYERS", layers, 1);
}

static void wipe_page(void)
{
	memset(&claw_page, 0, sizeof(claw_page));
}

static void watch_for_fork(void)
{
	if (madvise(&claw_page, sizeof(claw_page), MADV_WIPEONFORK))
		pthread_atfork(NULL, NULL, wipe_page);
}

static void begin_process(void)
{
	const char *session = claw_own_session();
	struct claw_journal_config config = { .session = NULL };
	static char exe[4096];

	read_config(session, &config.capacity);
	read_exe(exe, sizeof(exe));
	config.session = session;
	config.seed = claw_guest.seed;
	config.nonce = claw_guest.nonce;
	config.record = claw_guest.record;
	config.api_count = CLAW_API_COUNT;
	config.api_name = api_name;
	config.exe = exe;
	if (claw_journal_open(&config))
		claw_say("no memory for the journal; nothing is recorded");
	else if (session && !claw_journal_is_on_disk())
		claw_say("cannot write a journal in %s: the run is incomplete",
			 session);
	if (capture.buffers)
		claw_own_session_introduce(capture.redact);
	claw_site_init();
	claw_ledger_begin(claw_guest.ledger);
	claw_meters_begin(claw_guest.meters);
	claw_trace_begin(&capture);
	begin_finding();
	begin_telling();
	read_models(session);
	repair_environment();
	if (session)
		claw_watch_begin();
	read_rules(session);
	watch_for_fork();
}

/* A forked child: its own journal, its own counts. One thread does it. */
static void begin_child(void)
{
	uint32_t nobody = 0;
	int saved = errno;

	if (!__atomic_compare_exchange_n(&claw_page.beginning, &nobody, 1, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		while (!__atomic_load_n(&claw_page.alive, __ATOMIC_ACQUIRE))
			claw_sleep_ns(100000);
		return;
	}
	claw_ours_begin();	/* a signal handler's calls cannot wait for us */
	if (claw_journal_after_fork())
		claw_say("no memory for a forked child's journal");
	else if (getenv("OPENCLAW_SESSION") && !claw_journal_is_on_disk())
		claw_say("cannot write a forked child's journal");
	claw_journal_set_hooked_slots(hooked_slots);
	if (capture.buffers)
		claw_own_session_introduce(capture.redact);
	claw_ledger_begin(claw_guest.ledger);
	claw_meters_begin(claw_guest.meters);
	claw_trace_begin(&capture);
	begin_finding();
	begin_telling();
	claw_models_reset();
	claw_guest.first_call_ns = claw_now_ns();
	claw_handles_reset();
	claw_device_reset();
	claw_extension_reset();
	claw_rules_reset();
	claw_ours_end();
	claw_set_ways();
	errno = saved;
}

void claw_guest_begin(bool forked)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (forked)
		begin_child();
	else
		pthread_once(&once, begin_process);
}

/* A forked child that made no call has its parent's journal still: that is
 * not its to write. */
static __attribute__((destructor)) void end_process(void)
{
	claw_early_end();
	if (!__atomic_load_n(&claw_page.alive, __ATOMIC_ACQUIRE))
		return;
	claw_journal_close();
	claw_own_session_end();
}

/* ---------------------------------------------------------------- door */

bool claw_door_take(enum claw_door wanted, const void *caller)
{
	static uint32_t door = CLAW_DOOR_NONE;
	uint32_t nobody = CLAW_DOOR_NONE;

	if (!__atomic_compare_exchange_n(&door, &nobody, (uint32_t)wanted,
					 false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE) &&
	    nobody != (uint32_t)wanted) {
		claw_journal_set_door_left_out(wanted);
		claw_say("loaded both as a layer and as an ICD: the %s stays "
			 "out, no call is counted twice",
			 wanted == CLAW_DOOR_ICD ? "ICD" : "layer");
		return false;
	}
	claw_guest_begin(false);
	claw_journal_set_door(wanted);
	claw_journal_set_loader(claw_site_path_of(caller));
	return true;
}

void claw_door_open(unsigned int hooked)
{
	hooked_slots = hooked;
	claw_journal_set_hooked_slots(hooked_slots);
	claw_alias_begin();
	claw_guest.first_call_ns = claw_now_ns();
	claw_guest.begun = true;
	claw_set_ways();
}

static cl_int init_layer(cl_uint count, const struct _cl_icd_dispatch *target,
			 cl_uint *ret_count,
			 const struct _cl_icd_dispatch **ret_table,
			 const void *caller)
{
	size_t known = sizeof(claw_next) / sizeof(void *);

	if (!target || !ret_count || !ret_table)
		return CL_INVALID_VALUE;
	if (count > SLOTS_MAX)
		count = SLOTS_MAX;
	memcpy(layer_table.slots, target, count * sizeof(void *));
	if (claw_door_take(CLAW_DOOR_LAYER, caller)) {
		memcpy(&claw_next, target,
		       (count < known ? count : known) * sizeof(void *));
		claw_door_open(claw_wrap_fill(&layer_table.known));
	}
	*ret_count = count;
	*ret_table = &layer_table.known;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size, void *value,
				  size_t *ret_size)
{
	static const char title[] = "openclaw";
	static const cl_uint version = LAYER_API_VERSION_100;
	const void *answer = name == LAYER_NAME ? (const void *)title : &version;
	size_t length = name == LAYER_NAME ? sizeof(title) : sizeof(version);

	if (name != LAYER_NAME && name != LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value && size < length)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, length);
	if (ret_size)
		*ret_size = length;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint count,
			       const struct _cl_icd_dispatch *target,
			       cl_uint *ret_count,
			       const struct _cl_icd_dispatch **ret_table)
{
	return init_layer(count, target, ret_count, ret_table,
			  __builtin_return_address(0));
}

cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
	const struct _cl_icd_dispatch *target, cl_uint *ret_count,
	const struct _cl_icd_dispatch **ret_table, const void *properties)
{
	(void)properties;		/* none are defined yet */
	return init_layer(count, target, ret_count, ret_table,
			  __builtin_return_address(0));
}

cl_int CL_API_CALL clDeinitLayer(void)
{
	end_process();
	return CL_SUCCESS;
}
