/* SPDX-License-Identifier: Apache-2.0 */
/* A line of records and the sum that it ends with. */
#include "config.h"

#include "records_put.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

unsigned long claw_records_sum(const char *text, size_t length)
{
	return crc32(0, (const Bytef *)text, (uInt)length);
}

json_t *claw_records_parse(char *line, size_t length)
{
	const size_t tail = strlen(CLAW_RECORDS_CRC) + 8 + 2;	/* up to '"}' */
	char *crc, sum[9];

	if (length <= tail || memchr(line, '\0', length))
		return NULL;
	crc = line + length - tail;
	if (memcmp(crc, CLAW_RECORDS_CRC, strlen(CLAW_RECORDS_CRC)) != 0 ||
	    memcmp(line + length - 2, "\"}", 2) != 0)
		return NULL;
	crc[0] = '}';
	snprintf(sum, sizeof(sum), "%08lx",
		 claw_records_sum(line, (size_t)(crc - line) + 1));
	if (memcmp(sum, crc + strlen(CLAW_RECORDS_CRC), 8) != 0)
		return NULL;
	return json_loadb(line, (size_t)(crc - line) + 1,
			  JSON_REJECT_DUPLICATES, NULL);
}
