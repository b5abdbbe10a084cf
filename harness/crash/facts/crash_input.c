/* SPDX-License-Identifier: Apache-2.0 */
/* Tell files apart by their first bytes. */
#include "config.h"

#include "crash_input.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/crash/dump/dump_session.h"
#include "harness/session/called.h"
#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/files/spare_memory.h"
#include "harness/base/text.h"
#include "harness/machine/xid.h"

enum { HEAD_BYTES = 1 << 20 };

struct head {
	char *bytes;		/* with a NUL behind them */
	size_t size;
};

/* One row a kind: bytes at an offset; in what to do %s is the quoted path, %c
 * openclaw as it was called. */
static const struct magic {
	size_t offset;
	const char *bytes;
	size_t size;
	const char *what;
} magics[] = {
#define MAGIC(offset_, bytes_, what_)					\
	{ offset_, bytes_, sizeof(bytes_) - 1, what_ }
	MAGIC(0, "MDMP", "a minidump of another crash reporter; for stacks: "
	      "minidump-stackwalk %s; for a dump: %c capture -- PROGRAM"),
	MAGIC(0, "PAGEDU", "a crash dump of a Windows kernel, which WinDbg "
	      "reads; for a dump: %c capture -- PROGRAM"),
	MAGIC(257, "ustar", "a tar file; if capture.sh wrote it, make dumps "
	      "with: %c capture --recover %s"),
	MAGIC(0, "\x1f\x8b", "compressed by gzip; if capture.sh wrote it, "
	      "make dumps with: %c capture --recover %s; otherwise "
	      "unpack it"),
	MAGIC(0, "\x28\xb5\x2f\xfd", "compressed by zstd: unpack it first, "
	      "zstd -d %s"),
	MAGIC(0, "\xfd" "7zXZ", "compressed by xz: unpack it first, xz -dk %s"),
	MAGIC(0, "BZh", "compressed by bzip2: unpack it first, bzip2 -dk %s"),
	MAGIC(0, "PK\x03\x04", "a zip file: unpack it first, unzip %s"),
	MAGIC(0, "CLAWJRNL", "the journal of a session; pass its directory to "
	      "%c capture --recover DIR"),
	MAGIC(0, "CLAWTRAC", "the trace of a session; pass its directory to "
	      "%c capture --recover DIR"),
	MAGIC(0, "CLAWBYTE", "the contents of a session; pass its directory "
	      "to %c capture --recover DIR"),
	MAGIC(0, "CLAWFIND", "the findings of a session; pass its directory "
	      "to %c capture --recover DIR"),
	MAGIC(0, "CLAWLEDG", "the ledger of a session; pass its directory to "
	      "%c capture --recover DIR"),
	MAGIC(0, "{\"v\":", "the records of a run: %c report %s"),
#undef MAGIC
};

static void read_head(const char *path, struct head *head)
{
	int fd = claw_outside_open(path, 0, UINT64_MAX);
	ssize_t n = 1;

	head->size = 0;
	head->bytes = claw_malloc(HEAD_BYTES + 1);
	while (fd >= 0 && n > 0 && head->size < HEAD_BYTES) {
		n = read(fd, head->bytes + head->size,
			 HEAD_BYTES - head->size);
		head->size += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
	head->bytes[head->size] = '\0';
}

/* NULL: it is none. */
static const char *elf_kind(const struct head *head)
{
	uint16_t type;

	if (head->size < sizeof(Elf64_Ehdr) ||
	    memcmp(head->bytes, ELFMAG, SELFMAG) != 0)
		return NULL;
	memcpy(&type, head->bytes + offsetof(Elf64_Ehdr, e_type),
	       sizeof(type));
	return type == ET_CORE ?
		"a core file, without OpenCL calls; for stacks: gdb PROGRAM "
		"%s; for a dump: %c capture -- PROGRAM" :
		"a program or a library; for a dump of it: %c capture "
		"-- %s";
}

static bool is_text(const struct head *head)
{
	for (size_t i = 0; i < head->size; i++) {
		unsigned char c = (unsigned char)head->bytes[i];

		if (c < 0x20 && c != '\n' && c != '\r' && c != '\t' &&
		    c != 0x1b && c != '\f')
			return false;
	}
	return true;
}

static char *fill_in(const char *what, const char *quoted)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (; *what; what++) {
		if (what[0] == '%' && (what[1] == 's' || what[1] == 'c'))
			fputs(*++what == 's' ? quoted : claw_called(), out);
		else
			fputc(*what, out);
	}
	claw_text_end(out);
	return text;
}

/* A log may name the dump, or have what --dmesg reads. */
static char *text_kind(const struct head *head, const char *quoted)
{
	static const char saved[] = "Context dump saved to: ";
	const char *at = strstr(head->bytes, saved);
	const char *log = head->bytes;
	struct claw_dmesg_line line;

	if (at) {
		at += strlen(saved);
		return claw_format("a log that names a dump; use: %s "
				   "crash-analyze %.*s", claw_called(),
				   (int)strcspn(at, "\r\n"), at);
	}
	if (claw_dmesg_next(&log, &line))
		return fill_in("a kernel log; use: %c crash-analyze --dmesg "
			       "%s DUMP", quoted);
	return fill_in("a text file; for a dump: %c capture -- PROGRAM",
		       quoted);
}

static char *file_kind(const char *path, const char *quoted)
{
	struct head head;
	const char *what = NULL;
	char *text;

	read_head(path, &head);
	if (head.size == 0)
		what = "empty: the capture was interrupted or the disk was "
			"full; if the session still exists, use: %c "
			"capture --recover DIR";
	else
		what = elf_kind(&head);
	for (size_t i = 0; !what && i < sizeof(magics) / sizeof(*magics); i++)
		if (head.size >= magics[i].offset + magics[i].size &&
		    memcmp(head.bytes + magics[i].offset, magics[i].bytes,
			   magics[i].size) == 0)
			what = magics[i].what;
	if (!what && !is_text(&head))
		what = "an unknown kind of file";
	text = what ? fill_in(what, quoted) : text_kind(&head, quoted);
	free(head.bytes);
	return text;
}

/* A session, or where dumps are. */
static char *directory_kind(const char *path, const char *quoted)
{
	char *latest = claw_path_in(path, "latest.dmp");
	const char *what = "a directory; name a dump in it";

	if (claw_dump_is_metered_only(path))
		what = "the session of a profile or a soak, which records no "
			"calls";
	else if (claw_dump_is_session(path))
		what = "the session of a run; make dumps with: %c "
			"capture --recover %s";
	else if (access(latest, R_OK) == 0)
		what = "a directory of dumps; use: %c crash-analyze "
			"%s/latest.dmp";
	free(latest);
	return fill_in(what, quoted);
}

/* "a core file: ...": one line, malloced. The file is only read, and only if it
 * is one. */
static char *text_of(const char *path)
{
	char *quoted = claw_shell_quote_printable(path);
	struct stat status;
	char *text;

	if (stat(path, &status) < 0)
		text = fill_in(errno == ENOENT ? "nothing: no such file" :
			       strerror(errno), quoted);
	else if (S_ISDIR(status.st_mode))
		text = directory_kind(path, quoted);
	else if (!S_ISREG(status.st_mode))
		text = fill_in("something other than a regular file", quoted);
	else if (access(path, R_OK) < 0)
		text = fill_in(strerror(errno), quoted);
	else
		text = file_kind(path, quoted);
	free(quoted);
	return text;
}

char *claw_crash_input_refusal(const char *command, const char *path, int error,
			       int *ret_status)
{
	char *text, *kind, *quoted;

	*ret_status = CLAW_EXIT_UNKNOWN;
	if (error == -CLAW_E_LIMIT)
		return claw_format("%s: the unpacked dump exceeds half of the "
				   "free memory (%" PRIu64 " MiB) or 4 GiB, "
				   "or has too many parts; use a machine with "
				   "more memory", path,
				   claw_spare_memory() / 2 >> 20);
	if (error == -CLAW_E_VERSION) {
		quoted = claw_shell_quote_printable(path);
		text = claw_format("%s: a dump of another version of "
				   "openclaw; its first lines are text: head "
				   "%s", path, quoted);
		free(quoted);
		return text;
	}
	*ret_status = CLAW_EXIT_USAGE;
	kind = text_of(path);
	text = claw_format("%s: %s: expected a dump of openclaw capture, "
			   "found %s", command, path, kind);
	free(kind);
	return text;
}
