/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged records to their reader and to every report format. Without
 * libFuzzer it changes its seed by itself, from a fixed number, as often as
 * it is told:
 *
 *	fuzz_records [ROUNDS [SEED]]
 *
 * Half of the damaged lines get a right CRC again, so that the formats, too,
 * are given what no writer writes. Sanitizers see the rest.
 */
#include "config.h"

#include <unistd.h>
#include <zlib.h>

#include "harness/errors.h"
#include "harness/session.h"
#include "reports/report.h"

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
	"{\"v\":1,\"n\":10,\"t\":\"end\",\"exit_status\":1,\"cancelled\":false}",
	NULL,
};

const char *const fuzz_words[] = {
	"\"n\":2", "\"v\":2", "null", "-1", "1e308", "9223372036854775807",
	"\"t\":\"end\"", "\"t\":\"plan\"", "{}", "[]", "\\u0000", "\\ud800",
	"\xff", "\n", "\"verdict\":\"HANG\"", "\"suite\":7", "\"name\":null",
	",", "}", "\"", "\"result\"", "\\n\\n\\n\\n", "#", "]]>", "&", "`",
	NULL,
};

static char directory[] = "/tmp/openclaw-fuzz-XXXXXX";
static FILE *nowhere;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct claw_report_head options = { .verbose = true };
	char path[64];
	FILE *out;

	snprintf(path, sizeof(path), "%s/records.jsonl", directory);
	out = fopen(path, "wb");
	if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
		abort();
	for (size_t i = 0; claw_report_formats[i]; i++) {
		int ret = claw_report_write(directory, claw_report_formats[i],
					    nowhere, &options, NULL);

		if (ret != 0 && ret != -CLAW_E_DAMAGED &&
		    ret != -CLAW_E_VERSION) {
			fprintf(stderr, "%s: %s\n", claw_report_formats[i]->name,
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

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	char text[16384];

	nowhere = fopen("/dev/null", "w");
	if (!nowhere || !mkdtemp(directory))
		return 1;
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
	fclose(nowhere);
	claw_directory_remove(directory);
	printf("%" PRIu64 " records read\n", rounds);
	return 0;
}
#endif
