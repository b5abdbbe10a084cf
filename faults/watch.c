/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last words of a process that crashes: a fatal signal's frames go into
 * the journal, then the signal goes where it would have gone without us.
 */
#include "config.h"

#include "guest.h"

#include <signal.h>
#include <string.h>

static const int fatal_signals[] = {
	SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
};
enum { SIGNAL_COUNT = sizeof(fatal_signals) / sizeof(*fatal_signals) };

static struct sigaction before[SIGNAL_COUNT];

static void write_last_words(int number, const siginfo_t *info)
{
	struct claw_journal_record record;
	struct claw_site site;

	claw_site_capture_crash(&site);
	memset(&record, 0, sizeof(record));
	record.ticks = claw_journal_ticks();
	record.handle = info->si_code > 0 ? (uintptr_t)info->si_addr : 0;
	record.result = number;
	record.thread = claw_journal_self.number;
	record.site = site.frame_count ? claw_site_record(&site) : 0;
	record.api = UINT16_MAX;
	record.flags = CLAW_REC_CRASH;
	claw_journal_event(&record);
}

/* A program may live with its faults (a JVM does): what it installed before
 * us gets the signal next, and we do not come back. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	static int busy;

	(void)context;
	if (!__atomic_exchange_n(&busy, 1, __ATOMIC_ACQ_REL))
		write_last_words(number, info);
	for (unsigned int i = 0; i < SIGNAL_COUNT; i++)
		if (fatal_signals[i] == number)
			sigaction(number, &before[i], NULL);
	/* A fault happens again by itself when we return; what was sent has
	 * to be sent again. */
	if (info->si_code <= 0)
		raise(number);
}

void claw_watch_begin(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_signal;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigemptyset(&action.sa_mask);
	for (unsigned int i = 0; i < SIGNAL_COUNT; i++)
		sigaction(fatal_signals[i], &action, &before[i]);
}
