/* SPDX-License-Identifier: Apache-2.0 */
/* What happens once a process, or once more in a forked child. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults/shared/compat.h"
#include "faults/model/model_alias.h"
#include "faults/call/own_session.h"
#include "stages.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static unsigned int hooked_slots;

/* What is looked for stands on the ledger, and needs a place to say it. */
static uint32_t begin_finding(void)
{
	uint32_t early = CLAW_FOUND_EARLY;	/* said when it has begun */

	return claw_ledger_is_on() &&
	       claw_found_begin(claw_guest.find & ~early) ? claw_guest.find : 0;
}

static void begin_models(const char *session)
{
	char *text = session ? claw_session_text(session, "models") : NULL;

	claw_models_begin(text);
	claw_device_choose();
	free(text);
}

static void begin_stages(bool forked, const char *session)
{
	uint32_t finds = 0;

#define BEGIN(...) __VA_ARGS__;
#include "faults/call/stages.def"
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

	path[length > 0 ? length : 0] = '\0';
	if (length <= 0 && started)	/* no /proc here */
		snprintf(path, size, "%s", started);
	slash = strrchr(path, '/');
	slash = slash ? slash + 1 : path;
	claw_copy_text(claw_guest.exe, sizeof(claw_guest.exe), slash,
		       strlen(slash));
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

	claw_session_read_config(session, &config.capacity);
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
	if (claw_session_capture.buffers)
		claw_own_session_introduce(claw_session_capture.redact);
	claw_site_init();
	begin_stages(false, session);
	repair_environment();
	claw_session_read_rules(session);
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
	if (claw_session_capture.buffers)
		claw_own_session_introduce(claw_session_capture.redact);
	begin_stages(true, NULL);
	claw_guest.first_call_ns = claw_now_ns();
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
__attribute__((destructor)) void claw_guest_end(void)
{
	claw_early_end();
	if (!__atomic_load_n(&claw_page.alive, __ATOMIC_ACQUIRE))
		return;
#define END(...) __VA_ARGS__;
#include "faults/call/stages.def"
	claw_journal_close();
	claw_own_session_end();
}

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
