/* SPDX-License-Identifier: Apache-2.0 */
/* One dump: its sections one after the other. */
#include "config.h"

#include "dump_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/byte_source.h"
#include "dump_choose.h"
#include "dump_head.h"
#include "harness/base/errors.h"
#include "harness/session/session.h"
#include "harness/base/text.h"

static int write_sibling(struct claw_dump_writer *writer,
			 const char *journal_path, const char *kind,
			 enum claw_dump_section section)
{
	char *path = claw_session_sibling(journal_path, kind), *bytes = NULL;
	size_t size = 0;
	int ret = 0;

	claw_source_read_own(path, SIZE_MAX - 1, &bytes, &size);
	if (size)
		ret = claw_dump_write(writer, section, bytes, size);
	free(bytes);
	free(path);
	return ret;
}

static int write_json(struct claw_dump_writer *writer,
		      enum claw_dump_section section, const json_t *value)
{
	return value ? claw_dump_write_json(writer, section, value) : 0;
}

static int write_text(struct claw_dump_writer *writer,
		      enum claw_dump_section section, const char *text)
{
	return text && *text ? claw_dump_write(writer, section, text,
					       strlen(text)) : 0;
}

/* One that is damaged beyond use is left out: the rest is worth having. */
static int write_trace(struct claw_dump_writer *writer,
		       const struct claw_dump *view, const char *journal_path)
{
	char *path = claw_session_sibling(journal_path, "trace");
	int ret = 0;

	if (ret == 0 && view->trace)
		ret = claw_dump_write_trace_file(writer, path, view->trace);
	free(path);
	return ret == -CLAW_E_DAMAGED ? 0 : ret;
}

static int write_sections(struct claw_dump_writer *writer,
			  const struct claw_dump *view,
			  const char *journal_path)
{
	int ret = write_json(writer, CLAW_DUMP_META, view->meta);

	if (ret == 0)
		ret = write_sibling(writer, journal_path, "journal",
				    CLAW_DUMP_JOURNAL);
	if (ret == 0)
		ret = write_json(writer, CLAW_DUMP_SITES, view->sites);
	if (ret == 0)
		ret = write_json(writer, CLAW_DUMP_STACKS, view->stacks);
	if (ret == 0)
		ret = write_text(writer, CLAW_DUMP_DMESG, view->dmesg);
	if (ret == 0)
		ret = write_text(writer, CLAW_DUMP_STDOUT, view->out);
	if (ret == 0)
		ret = write_text(writer, CLAW_DUMP_STDERR, view->err);
	if (ret == 0 && view->ledger_size)
		ret = claw_dump_write(writer, CLAW_DUMP_LEDGER, view->ledger,
				      view->ledger_size);
	if (ret == 0)
		ret = write_sibling(writer, journal_path, "found",
				    CLAW_DUMP_FOUND);
	if (ret == 0)
		ret = write_trace(writer, view, journal_path);
	return ret;
}

/* Which the list of what it holds has, too. */
static void read_ledger(struct claw_dump *view, const char *journal_path)
{
	char *path = claw_session_sibling(journal_path, "ledger"), *bytes;

	claw_source_read_own(path, SIZE_MAX - 1, &bytes, &view->ledger_size);
	free(path);
	view->ledger = bytes;
}

int claw_dump_file_write(struct claw_dump *view, const char *journal_path,
			 const char *path)
{
	struct claw_dump_writer *writer = NULL;
	char *head;
	int ret = 0;

	read_ledger(view, journal_path);
	head = claw_dump_head(view, claw_base_name(path));
	if (view->trace)
		claw_dump_leave_out(view->trace);
	if (ret == 0)
		ret = claw_dump_writer_new(path, head, &writer);
	free(head);
	if (ret < 0)
		return ret;
	ret = write_sections(writer, view, journal_path);
	if (ret == 0)
		return claw_dump_writer_finish(writer);
	int error = errno;

	claw_dump_writer_cancel(writer);
	errno = error;
	return ret;
}
