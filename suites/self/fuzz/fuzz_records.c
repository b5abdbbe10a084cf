/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged records to their reader and to every report format. Without
 * libFuzzer it changes its seed by itself, from a fixed number, as often as
 * it is told:
 *
 *	fuzz_records [ROUNDS [SEED]]
 *	fuzz_records --write DIRECTORY	write the seeds, for libFuzzer
 *
 * Half of the damaged lines get a right CRC again, so that the formats, too,
 * are given what no writer writes; of libFuzzer's inputs all lines do.
 * Sanitizers see the rest.
 */
#include "config.h"

#include <unistd.h>
#include <zlib.h>

#include "harness/base/errors.h"
#include "harness/session/session.h"
#include "reports/write/report_files.h"

#define FUZZ_OWN_MAIN
#include "fuzz_text.h"

/* Lines without their CRC. */
const char *const fuzz_seeds[] = {
	"{\"v\":1,\"n\":0,\"t\":\"plan\",\"verb\":\"test\",\"command\":"
	"\"openclaw test\",\"started\":\"2024-01-01T00:00:00Z\",\"planned\":2,"
	"\"seed\":\"7\"}",
	"{\"v\":1,\"n\":1,\"t\":\"environment\",\"configuration\":\"native\","
	"\"key\":\"device\",\"value\":\"pocl\"}",
	"{\"v\":1,\"n\":2,\"t\":\"result\",\"verdict\":\"FAILED\","
	"\"duration_us\":12,\"attempt\":1,\"suite\":\"s\",\"name\":\"n\","
	"\"configuration\":\"native\",\"message\":\"m\\u001b\\n]]>\","
	"\"detail\":\"one\\ntwo\",\"file\":\"a.c\",\"line\":3,\"code\":\"c\","
	"\"reproduce\":\"r\"}",
	"{\"v\":1,\"n\":3,\"t\":\"rule\",\"rule\":\"clFinish:oom\","
	"\"matched\":3,\"fired\":1}",
	"{\"v\":1,\"n\":4,\"t\":\"note\",\"text\":\"t\"}",
	"{\"v\":1,\"n\":5,\"t\":\"result\",\"verdict\":\"PASSED\","
	"\"duration_us\":1,\"attempt\":2,\"flaky\":true}",
	"{\"v\":1,\"n\":6,\"t\":\"planned\",\"suite\":\"s\",\"name\":\"n\","
	"\"operand\":\"a.clw\",\"elsewhere\":true,\"many\":true}",
	"{\"v\":1,\"n\":7,\"t\":\"result\",\"verdict\":\"FAILED\","
	"\"suite\":\"s\",\"name\":\"n_bug\",\"item\":\"i\",\"expects\":"
	"\"race 3, misaligned\",\"seen\":\"race\",\"metrics\":\"a=1\","
	"\"findings\":[{\"kind\":\"race\",\"space\":\"local\",\"file\":"
	"\"/proc/version\",\"line\":1,\"column\":3,\"times\":2},{}]}",
	"{\"v\":1,\"n\":8,\"t\":\"comparison\",\"directory\":\"d\","
	"\"started\":\"t\",\"text\":\"x\"}",
	"{\"v\":1,\"n\":9,\"t\":\"change\",\"change\":\"flaky\","
	"\"suite\":\"s\",\"name\":\"n\",\"text\":\"x\\ny\"}",
	"{\"v\":1,\"n\":10,\"t\":\"segment\",\"segment\":0,\"started\":"
	"\"2024-01-01T00:00:00Z\",\"boot_id\":\"b\",\"wall_ms\":1700000000000,"
	"\"t_ms\":0}",
	"{\"v\":1,\"n\":11,\"t\":\"sample\",\"t_ms\":1000,\"wall_ms\":"
	"1700000001000,\"segment\":0,\"run\":1,\"values\":{\"rss\":4096,"
	"\"launch_p50\":0.25,\"later\":1},\"sites\":[{\"site\":\"a < b\","
	"\"place\":\"b (a.c:1)\",\"objects\":1,\"bytes\":64}]}",
	"{\"v\":1,\"n\":12,\"t\":\"event\",\"t_ms\":1500,\"wall_ms\":"
	"1700000001500,\"segment\":0,\"run\":1,\"kind\":\"crash\",\"code\":"
	"\"clw-gpu-crash\",\"text\":\"</script>\",\"signature\":\"s\",\"path\":"
	"\"crashes/1\",\"injected\":false,\"count\":1}",
	"{\"v\":1,\"n\":13,\"t\":\"sample\",\"t_ms\":2000,\"wall_ms\":"
	"1700000002000,\"segment\":0,\"run\":1,\"values\":{\"rss\":8192,"
	"\"device_bytes\":64},\"sites\":[{\"site\":\"a < b\",\"objects\":0,"
	"\"bytes\":0}]}",
	"{\"v\":1,\"n\":14,\"t\":\"result\",\"verdict\":\"slowdown\","
	"\"suite\":\"soak\",\"name\":\"launch_p50\",\"metrics\":\"slope=1\"}",
	"{\"v\":1,\"n\":15,\"t\":\"end\",\"exit_status\":1,\"cancelled\":false}",
	NULL,
};

const char *const fuzz_words[] = {
	"\"n\":2", "\"v\":2", "null", "-1", "1e308", "9223372036854775807",
	"\"t\":\"end\"", "\"t\":\"plan\"", "{}", "[]", "\\u0000", "\\ud800",
	"\xff", "\n", "\"verdict\":\"HANG\"", "\"suite\":7", "\"name\":null",
	"\"t_ms\":-1", "\"values\":[]", "\"sites\":{}", "\"wall_ms\":1e9",
	",", "}", "\"", "\"result\"", "\\n\\n\\n\\n", "#", "]]>", "&", "`",
	NULL,
};

static char directory[] = "/tmp/openclaw-fuzz-XXXXXX";
static FILE *nowhere;
static bool mends = true;

static bool begin(void)
{
	nowhere = fopen("/dev/null", "w");
	return nowhere && mkdtemp(directory);
}

static void end(void)
{
	fclose(nowhere);
	claw_directory_remove(directory);
}

/* Each line of the input with the CRC it should have; or all as it is. */
static void write_lines(FILE *out, const uint8_t *bytes, size_t size)
{
	while (mends && size > 0) {
		const uint8_t *stop = memchr(bytes, '\n', size);
		size_t length = stop ? (size_t)(stop - bytes) : size;

		if (length > 0) {
			fwrite(bytes, 1, length - 1, out);
			fprintf(out, ",\"crc\":\"%08lx\"}\n",
				crc32(0, bytes, (uInt)length));
		}
		length += stop != NULL;
		bytes += length;
		size -= length;
	}
	if (fwrite(bytes, 1, size, out) != size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct claw_report_head options = { .verbose = true };
	char path[64];
	FILE *out;

	if (!nowhere) {
		if (!begin())
			abort();
		atexit(end);
	}
	snprintf(path, sizeof(path), "%s/records.jsonl", directory);
	out = fopen(path, "wb");
	if (!out)
		abort();
	write_lines(out, bytes, size);
	if (fclose(out) != 0)
		abort();
	for (size_t i = 0; claw_report_rows[i].name; i++) {
		int ret = claw_report_write(directory, claw_report_rows[i].format,
					    nowhere, &options, NULL);

		if (ret != 0 && ret != -CLAW_E_DAMAGED &&
		    ret != -CLAW_E_VERSION) {
			fprintf(stderr, "%s: %s\n", claw_report_rows[i].name,
				claw_error_text(ret));
			abort();
		}
	}
	return 0;
}

#ifndef CLAW_LIBFUZZER
/* One line with the CRC it should have, or another. */
static size_t add_line(char *out, size_t room, const char *seed)
{
	char text[1024];
	size_t size = strlen(seed);
	unsigned long sum;

	memcpy(text, seed, size);
	if (fuzz_next() % 3 == 0)
		size = fuzz_damage(text, size, sizeof(text));
	if (size == 0)
		return 0;
	sum = crc32(0, (const Bytef *)text, (uInt)size);
	if (fuzz_next() % 16 == 0)
		sum ^= 1;
	return (size_t)snprintf(out, room, "%.*s,\"crc\":\"%08lx\"}\n",
				(int)size - 1, text, sum);
}

/* All of the seeds' lines are one file of records. */
static const char *whole_seed(void)
{
	static char text[4096];
	size_t size = 0;

	for (size_t i = 0; fuzz_seeds[i]; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size,
					 "%s\n", fuzz_seeds[i]);
	return text;
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	const char *const whole[] = { whole_seed(), NULL };
	char text[16384];

	if (fuzz_did(argc, argv, whole))
		return 0;
	mends = false;
	fuzz_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	for (uint64_t round = 0; round < rounds; round++) {
		size_t size = 0;

		for (size_t i = 0; fuzz_seeds[i]; i++)
			size += add_line(text + size, sizeof(text) - size,
					 fuzz_seeds[i]);
		if (fuzz_next() % 4 == 0)
			size = fuzz_next() % (size + 1);
		LLVMFuzzerTestOneInput((const uint8_t *)text, size);
	}
	printf("%" PRIu64 " records read\n", rounds);
	return 0;
}
#endif
