/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device models: the files faults/devices/NAME.yaml (doc/device-model.md), what
 * --model says of them, and what the session is told.
 */
#ifndef CLAW_MODEL_FILE_H
#define CLAW_MODEL_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/base/options.h"

enum claw_model_kind {
	CLAW_MODEL_SIZE, CLAW_MODEL_COUNT, CLAW_MODEL_PERCENT,
	CLAW_MODEL_DURATION, CLAW_MODEL_WORD, CLAW_MODEL_TEXT,
};

/* A row of faults/shared/model_keys.def. */
struct claw_model_key {
	const char *name;
	enum claw_model_kind kind;
	const char *fallback;		/* as a file would say it */
	uint64_t lowest, highest;	/* in the session's unit */
	const char *words;		/* of a WORD, with spaces between; what
					 * a TEXT with a version begins with */
	const char *meaning;
};
enum claw_model_key_number {
#define KEY(key_, ...) CLAW_MODEL_KEY_##key_,
#include "faults/shared/model_keys.def"
#undef KEY
	CLAW_MODEL_KEY_COUNT
};
extern const struct claw_model_key claw_model_keys[CLAW_MODEL_KEY_COUNT];

enum { CLAW_MODELS_MAX = 8, CLAW_MODEL_TEXT_BYTES = 127 };

/*
 * A value as it is written, into the text that the session has. expected: what
 * should have been there, on failure.
 *
 * Returns 0 or -CLAW_E_SYNTAX.
 */
int claw_model_value(const struct claw_model_key *key, const char *text,
		     char *value, size_t value_size, char *expected,
		     size_t expected_size);

/* What a model says of a key; NULL, NULL, NULL: nothing. */
struct claw_model_fact {
	char *written, *value;
	char *source;		/* where it comes from, or NULL: not said */
	char *place;		/* "FILE:LINE:COLUMN" that it is written at */
};

struct claw_model {
	char *name;		/* of the file, without folder and .yaml */
	char *path;
	char *summary;		/* of the file, or NULL */
	struct claw_model_fact facts[CLAW_MODEL_KEY_COUNT];
	char *failure;		/* lines for the session, or NULL */
	char *failure_source;	/* of all of them, or NULL */
	char *failure_as;	/* the model whose lines they are, or NULL */
};

/*
 * Read the model of a word "NAME|FILE[,KEY=VALUE...]". error: one line.
 *
 * Returns 0, -CLAW_E_SYNTAX, -CLAW_E_NOT_FOUND (the folder is nowhere)
 * or -CLAW_E_IO.
 */
int claw_model_read(const char *word, struct claw_model *ret_model,
		    char *error, size_t error_size);
/* The file of a model that comes with openclaw; malloced. As
 * claw_model_read(). */
int claw_model_find_file(const char *name, char **ret_path, char *error,
			 size_t error_size);
/* The file alone (model_yaml.c). */
int claw_model_read_file(const char *path, struct claw_model *ret_model,
			 char *error, size_t error_size);
void claw_model_release(struct claw_model *model);

/* Names of the models that come with openclaw, sorted; the caller frees both
 * levels. 0, -CLAW_E_NOT_FOUND or -CLAW_E_IO. */
int claw_model_names(char ***ret_names, size_t *ret_count);

/*
 * The session's file "models" for these words of --model, malloced; NULL for
 * no words at all. Returns as claw_model_read().
 */
int claw_models_compile(const struct claw_strings *words, char **ret_text,
			char *error, size_t error_size);

/* The same for a command: a mistake ends it (cmd_*.c only). */
char *claw_models_of(const struct claw_strings *words);


/* " --model WORD" for each word, for a line that can be pasted. */
void claw_models_put(const struct claw_strings *words, FILE *out);

/* Print what there is, one line a model; or all that a model says, and where
 * each fact comes from. 0 or an exit status. */
int claw_models_list(void);
int claw_model_print(const char *word);

/* The option itself, for the tables of commands. */
#define CLAW_MODEL_OPTION(strings_)					\
	{ "model", 0, OPT_STRINGS, "NAME",				\
	  "simulate a device: NAME[,KEY=VALUE...] or a YAML file; may be " \
	  "repeated\n" \
	  "openclaw info --list-models lists the names.",	\
	  (strings_) }

#endif
