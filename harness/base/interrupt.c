/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers, not a mask: an exec() resets them for the programs we start. */
#include "config.h"

#include "interrupt.h"

#include <stdbool.h>
#include <stddef.h>

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int others[] = { SIGUSR1, SIGUSR2, SIGALRM };
static const int writes[] = { SIGXFSZ, SIGPIPE };

enum { ENDING = sizeof(ending) / sizeof(*ending),
       OTHERS = sizeof(others) / sizeof(*others),
       WRITES = sizeof(writes) / sizeof(*writes) };

static struct sigaction before[ENDING];
static unsigned int depth;
static volatile sig_atomic_t came;

static bool is_default(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL;
}

static void keep(int number)
{
	came = number;
}

static void do_nothing(int number)
{
	(void)number;
}

void claw_interrupt_signals(sigset_t *ret_signals)
{
	sigemptyset(ret_signals);
	for (size_t i = 0; i < ENDING; i++) {
		struct sigaction now;

		if (sigaction(ending[i], NULL, &now) == 0 &&
		    now.sa_handler != SIG_IGN)
			sigaddset(ret_signals, ending[i]);
	}
}

void claw_interrupt_begin(void)
{
	struct sigaction action = {
		.sa_handler = keep, .sa_flags = SA_RESTART | (int)SA_RESETHAND,
	};

	if (depth++ > 0)
		return;
	for (size_t i = 0; i < ENDING; i++)
		if (sigaction(ending[i], NULL, &before[i]) == 0 &&
		    before[i].sa_handler == SIG_DFL)
			sigaction(ending[i], &action, NULL);
}

void claw_interrupt_end(void)
{
	if (depth == 0 || --depth > 0)
		return;
	for (size_t i = 0; i < ENDING; i++)
		if (before[i].sa_handler == SIG_DFL)
			sigaction(ending[i], &before[i], NULL);
}

int claw_interrupt_take(void)
{
	int number = came;

	came = 0;
	return number;
}

void claw_interrupt_pass_on(int number)
{
	if (depth > 0)
		came = number;
	else
		raise(number);
}

static void ignore(const int *numbers, size_t count)
{
	const struct sigaction action = {
		.sa_handler = do_nothing, .sa_flags = SA_RESTART,
	};

	for (size_t i = 0; i < count; i++)
		if (is_default(numbers[i]))
			sigaction(numbers[i], &action, NULL);
}

void claw_interrupt_catch_writes(void)
{
	ignore(writes, WRITES);
}

void claw_interrupt_ignore_others(void)
{
	ignore(others, OTHERS);
}
