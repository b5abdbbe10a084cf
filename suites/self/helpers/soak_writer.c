/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write the records of soaks that never ran, for tests of what reads them.
 *
 *	soak_writer kill DIR ACKS ROUNDS	a writer is killed (SIGKILL) again
 *		and again, and goes on; ACKS gets "t_ms" lines of the samples
 *		that it was told are written
 *	soak_writer part DIR NUMBER COUNT [WALL_MS [VERDICT [KEY=VALUE]]]
 *		segment NUMBER of a soak, COUNT samples, a second and an
 *		iteration each, one iteration after the last, a result and the
 *		end; a fact of its environment; of VERDICT "interrupted" the end
 *		came before its time
 *	soak_writer full DIR COUNT	as part 0; a full disk ends with status 2
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/records/records_soak.h"
#include "harness/soak/run/soak_disk.h"

enum { PIPE_BYTES = 4096 };

static char verb[] = "run", program[] = "openclaw";
static char *const words[] = { program, verb, NULL };

static void check(int ret, const char *what)
{
	if (ret == 0)
		return;
	fprintf(stderr, "%s: %s\n", what, ret == -CLAW_E_IO ? strerror(errno) :
		claw_error_text(ret));
	exit(99);
}

/* A second later. */
static struct claw_sample next_sample(uint64_t t_ms, uint64_t segment,
				      int64_t begin_wall_ms)
{
	struct claw_sample sample;

	claw_sample_init(&sample);
	sample.t_ms = t_ms + 1000;
	sample.wall_ms = begin_wall_ms + (int64_t)sample.t_ms;
	sample.segment = segment;
	sample.run = segment + 1;
	sample.values[CLAW_SERIES_ITERATIONS] = (double)(t_ms / 1000 + 1);
	sample.values[CLAW_SERIES_RSS] = 1e6 + (double)(t_ms % 7000);
	sample.values[CLAW_SERIES_DEVICE_BYTES] = 4096;
	return sample;
}

/* Go on where the last one was killed, and write until this one is. */
static void write_forever(const char *directory, int acks)
{
	struct claw_records *records;
	struct claw_soak_past past;
	uint64_t t_ms;

	check(claw_records_continue_soak(directory, &records, &past),
	      directory);
	t_ms = past.t_ms;
	check(claw_records_segment(records, &(struct claw_soak_segment){
		.segment = past.segments, .t_ms = t_ms }), directory);
	for (;;) {
		struct claw_sample sample = next_sample(t_ms, past.segments, 0);
		char line[64];
		int length = snprintf(line, sizeof(line), "%-40" PRIu64 "\n",
				      sample.t_ms);

		check(claw_records_sample(records, &sample, NULL, 0),
		      directory);
		t_ms = sample.t_ms;
		if (write(acks, line, (size_t)length) != length)
			_exit(99);
	}
}

/* Read so many acknowledgements, kill it, and read the rest. */
static void kill_one(const char *directory, unsigned int wanted, FILE *out)
{
	int ends[2], c;
	FILE *in;
	pid_t pid;

	if (pipe(ends) < 0)
		exit(99);
	/* It should not be far ahead when it is killed: a hundred lines. */
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	fflush(out);
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		write_forever(directory, ends[1]);
	}
	close(ends[1]);
	in = fdopen(ends[0], "r");
	if (pid < 0 || !in)
		exit(99);
	while (wanted > 0 && (c = getc(in)) != EOF) {
		putc(c, out);
		wanted -= c == '\n';
	}
	kill(pid, SIGKILL);
	while ((c = getc(in)) != EOF)
		putc(c, out);
	waitpid(pid, NULL, 0);
	fclose(in);
}

static int kill_again(const char *directory, const char *acks,
		      unsigned int rounds)
{
	FILE *out = fopen(acks, "w");
	struct claw_records *records;
	struct claw_soak_past past;

	if (!out)
		return 99;
	check(claw_records_new(directory, verb, 2, words, 1, 0, &records),
	      directory);
	check(claw_records_segment(records, &(struct claw_soak_segment){
		.segment = 0 }), directory);
	claw_records_free(records);
	for (unsigned int i = 0; i < rounds; i++)
		kill_one(directory, i * 7 % 23, out);
	check(claw_records_continue_soak(directory, &records, &past),
	      directory);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", past.segments,
	       past.samples, past.t_ms);
	claw_records_free(records);
	return fclose(out) == 0 ? 0 : 99;
}

static void write_fact(struct claw_records *records, const char *fact)
{
	const char *value = fact ? strchr(fact, '=') : NULL;
	char key[64];

	if (!value)
		return;
	snprintf(key, sizeof(key), "%.*s", (int)(value - fact), fact);
	check(claw_records_environment(records, "native", key, value + 1),
	      fact);
}

static int write_part(const char *directory, uint64_t segment, uint64_t count,
		      int64_t wall_ms, const char *verdict, const char *fact)
{
	bool interrupted = strcmp(verdict, "interrupted") == 0;
	char metrics[64];
	struct claw_result result = { .suite = "soak", .name = "workload",
				      .metrics = metrics };
	struct claw_records *records;
	struct claw_soak_disk *disk;
	bool settled;
	int ret = claw_verdict_find(interrupted ? "PASSED" : verdict);

	check(ret < 0 ? -CLAW_E_USAGE : 0, verdict);
	result.verdict = (enum claw_verdict)ret;
	snprintf(metrics, sizeof(metrics), "iterations=%" PRIu64, count + 1);
	check(claw_records_new(directory, verb, 2, words, 1, 0, &records),
	      directory);
	write_fact(records, fact);
	check(claw_records_segment(records, &(struct claw_soak_segment){
		.segment = segment, .boot_id = "one", .wall_ms = wall_ms,
		.started = "2024-01-01T00:00:00Z" }),
	      directory);
	disk = claw_soak_disk_new(directory, CLAW_SOAK_MAX_DISK, records);
	check(disk ? 0 : -CLAW_E_IO, directory);
	for (uint64_t i = 0; i < count; i++) {
		struct claw_sample sample = next_sample(i * 1000, segment,
							wall_ms);

		check(claw_soak_disk_sample(disk, &sample, NULL, 0), directory);
	}
	settled = claw_soak_disk_settle(disk);
	claw_soak_disk_free(disk);
	ret = claw_records_result(records, &result);
	if (ret == 0)
		ret = claw_records_end(records, settled && !interrupted ? 0 :
				       2, interrupted);
	claw_records_free(records);
	return settled && ret == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
	signal(SIGXFSZ, SIG_IGN);
	if (argc == 5 && strcmp(argv[1], "kill") == 0)
		return kill_again(argv[2], argv[3],
				  (unsigned int)strtoul(argv[4], NULL, 10));
	if (argc >= 5 && strcmp(argv[1], "part") == 0)
		return write_part(argv[2], strtoull(argv[3], NULL, 10),
				  strtoull(argv[4], NULL, 10),
				  argc > 5 ? strtoll(argv[5], NULL, 10) : 0,
				  argc > 6 ? argv[6] : "PASSED",
				  argc > 7 ? argv[7] : NULL);
	if (argc == 4 && strcmp(argv[1], "full") == 0)
		return write_part(argv[2], 0, strtoull(argv[3], NULL, 10), 0,
				  "PASSED", NULL);
	fprintf(stderr, "usage: soak_writer kill|part|full DIR ...\n");
	return 64;
}
