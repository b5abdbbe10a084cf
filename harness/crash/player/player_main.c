/* SPDX-License-Identifier: Apache-2.0 */
/* The program openclaw-replay: its command line, and the replay from end to
 * end. It prints nothing but mistakes in its use. */
#include "config.h"

#include "player.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum { LINE_BYTES = 600 };

/* ---- the report -------------------------------------------------------- */

void claw_player_say(struct claw_player *player, const char *word,
		     const char *format, ...)
{
	char text[LINE_BYTES - 64];
	va_list args;

	if (player->report < 0)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *at = text; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
	dprintf(player->report, "%s\t%u\t%s\n", word, player->index + 1,
		text);
}

void claw_player_skip(struct claw_player *player, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(player->why, sizeof(player->why), format, args);
	va_end(args);
	player->is_incomplete = true;
}

/* ---- the replay -------------------------------------------------------- */

static int play_all(struct claw_player *player)
{
	const struct claw_trace *trace = player->trace;
	uint32_t *order = claw_replay_order(trace);
	bool is_filled = false;

	player->is_incomplete = trace->forgotten > 0;
	for (uint32_t i = 0; i < trace->call_count; i++) {
		if (order[i] >= trace->first_ring_call && !is_filled) {
			claw_player_fill_memory(player);
			is_filled = true;
		}
		claw_player_play(player, order[i]);
	}
	free(order);
	claw_player_finish(player);
	claw_player_report_reads(player);
	player->index = UINT32_MAX;	/* of no call */
	claw_player_say(player, CLAW_PLAYER_DONE, "%u", trace->call_count);
	return CLAW_EXIT_CLEAN;
}

static int replay(struct claw_player *player, const struct claw_dump *dump)
{
	const char *why;

	player->index = UINT32_MAX;
	player->trace = dump->trace;
	player->kept = claw_arena_new();
	player->objects = claw_calloc(dump->trace ?
				      dump->trace->object_count + 1u : 1,
				      sizeof(*player->objects));
	if (!dump->trace) {
		claw_player_say(player, CLAW_PLAYER_CANNOT, "%s",
				"the dump has no calls");
		return CLAW_EXIT_INFRA;
	}
	why = claw_player_devices(player);
	if (why) {
		claw_player_say(player, CLAW_PLAYER_CANNOT, "%s", why);
		return CLAW_PLAYER_NO_DEVICE;
	}
	return play_all(player);
}

/* ---- the command line -------------------------------------------------- */

static int usage(FILE *out, int status)
{
	fputs("usage: openclaw-replay [--report FILE] [--faults FILE] "
	      "[--reads DIR] DUMP\n"
	      "Does the calls in a dump again (openclaw repro does more).\n",
	      out);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option words[] = {
		{ "report", required_argument, NULL, 'r' },
		{ "faults", required_argument, NULL, 'f' },
		{ "reads", required_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	/* What was made stays at the end: the system has it back sooner. Static,
	 * so that it is no leak. */
	static struct claw_player player = { .report = -1 };
	static struct claw_dump *dump;
	const char *report = NULL, *faults = NULL;
	int option, ret;

	while ((option = getopt_long(argc, argv, "h", words, NULL)) != -1) {
		if (option == 'r')
			report = optarg;
		else if (option == 'f')
			faults = optarg;
		else if (option == 'd')
			player.reads = optarg;
		else
			return option == 'h' ? usage(stdout, CLAW_EXIT_CLEAN) :
				usage(stderr, CLAW_EXIT_USAGE);
	}
	if (argc - optind != 1)
		return usage(stderr, CLAW_EXIT_USAGE);
	if (report)
		player.report = open(report, O_WRONLY | O_CREAT | O_APPEND |
				     O_CLOEXEC, 0666);
	if (faults && !claw_player_read_faults(&player, faults)) {
		fprintf(stderr, "openclaw-replay: %s: %s\n", faults,
			strerror(errno));
		return CLAW_EXIT_INFRA;
	}
	ret = claw_dump_read(argv[optind], NULL, &dump);
	if (ret < 0) {
		fprintf(stderr, "openclaw-replay: %s: %s\n", argv[optind],
			ret == -CLAW_E_IO ? strerror(errno) :
			claw_error_text(ret));
		return CLAW_EXIT_INFRA;
	}
	return replay(&player, dump);
}
