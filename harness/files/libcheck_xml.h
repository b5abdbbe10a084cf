/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read the XML log of a libcheck program (CK_XML_LOG_FILE_NAME).
 */
#ifndef CLAW_LIBCHECK_XML_H
#define CLAW_LIBCHECK_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum claw_libcheck_word {
	CLAW_LIBCHECK_SUCCESS,
	CLAW_LIBCHECK_FAILURE,	/* an assertion did not hold */
	CLAW_LIBCHECK_ERROR,	/* it ended its process, or did not end */
};

/* Texts are UTF-8, never NULL. */
struct claw_libcheck_test {
	char *suite;		/* title */
	char *id;		/* function's name */
	char *tcase;		/* "description" */
	/* "TCASE.ID", one of a kind in the log: ".N" behind it of a loop's
	 * iteration, and of one that was added several times; "SUITE:" before
	 * it where another suite has it, too. Control characters are '?'. */
	char *name;
	char *message;
	char *file;		/* where it is, or last was, with its folder; "" when unknown */
	char *path;		/* that folder, as the log has it, or NULL */
	unsigned int line;
	unsigned int iteration;	/* of a loop test, from 0 */
	enum claw_libcheck_word word;
	uint64_t duration_us;
};

struct claw_libcheck_log {
	struct claw_libcheck_test *tests;
	size_t count;
	bool is_cut;		/* it has no end: there may have been more */
};

/*
 * Read a log.
 *
 * error: one line, why it cannot be used, or where it was cut.
 *
 * Returns 0, -CLAW_E_NOT_FOUND (there is none), -CLAW_E_IO (errno set),
 * -CLAW_E_DAMAGED (it is no such log) or -CLAW_E_LIMIT.
 */
int claw_libcheck_read(const char *path, struct claw_libcheck_log *ret_log,
		       char *error, size_t error_size);
/* The same from memory. */
int claw_libcheck_parse(const char *bytes, size_t size,
			struct claw_libcheck_log *ret_log, char *error,
			size_t error_size);
void claw_libcheck_test_release(struct claw_libcheck_test *test);
void claw_libcheck_log_release(struct claw_libcheck_log *log);

#endif
