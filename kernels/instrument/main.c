/* SPDX-License-Identifier: Apache-2.0 */
/* openclaw-instrument: see doc/kernel-instrumentation.md and --help. */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/instrument/coverage/coverage.h"
#include "kernels/instrument/sanitizer/sanitizer.h"
#include "kernels/instrument/unit/clang.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "kernels/instrument/unit/names.h"
#include "kernels/instrument/unit/preprocess.h"
#include "kernels/instrument/unit/request.h"
#include "kernels/instrument/unit/rewrite.h"

enum { EXIT_CANNOT = 3, EXIT_USAGE = 64, EXIT_OURS = 99 };

/* In this order their parameters and statements stand in a text. */
static const struct claw_probes_kind *const kinds[] = {
	&claw_probes_coverage,
	&claw_probes_sanitizer,
	NULL,
};

static const char help[] =
"usage: openclaw-instrument REQUEST OUT\n"
"       openclaw-instrument --names REQUEST\n"
"       openclaw-instrument --clang\n"
"       openclaw-instrument --mode MODE[,MODE...] [OPTION...] FILE.cl\n"
"       openclaw-instrument --preprocess [OPTION...] FILE.cl\n"
"Rewrites OpenCL C so that it counts what runs and checks what it touches.\n"
"  REQUEST OUT        what the layer asks: write OUT.cl and OUT.map\n"
"  --names REQUEST    print the macros that the driver has to be asked about\n"
"  --clang            print which libclang and clang it uses, or what to install\n"
"  --mode LIST        hit, count, asan, arithmetic, races, barriers, init:\n"
"                     print FILE.cl rewritten\n"
"  --preprocess       print FILE.cl with its macros and includes done\n"
"  --options STRING   build options [none]\n"
"  --extensions LIST  the device's extensions, with blanks between them [none]\n"
"  --device-version V CL_DEVICE_OPENCL_C_VERSION [OpenCL C 1.2]\n"
"  --bits N           of an address, 32 or 64 [64]\n"
"  --map FILE         write the map, too\n"
"exit status: 0 done, 3 cannot be done (one line says why), 64 usage\n";

/* Anything but a file, a device say, is written to, not replaced. */
static bool is_replaceable(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

static bool write_file(const char *path, const char *text)
{
	bool replace = is_replaceable(path);
	char *fresh = claw_format(replace ? "%s.%ld" : "%s", path,
				  (long)getpid());
	FILE *file = fopen(fresh, "w");
	bool good = file && fputs(text, file) >= 0;

	if (file)
		good = fclose(file) == 0 && good;
	good = good && (!replace || rename(fresh, path) == 0);
	if (!good) {
		fprintf(stderr, "openclaw-instrument: cannot write %s\n", path);
		if (replace)
			unlink(fresh);
	}
	free(fresh);
	return good;
}

static bool write_suffixed(const char *out, const char *suffix, const char *text)
{
	char *path = claw_format("%s.%s", out, suffix);

	bool good = write_file(path, text);

	free(path);
	return good;
}

static int usage(const char *error)
{
	fprintf(stderr, "openclaw-instrument: %s\n", error);
	return EXIT_USAGE;
}

static int answer(const char *request_path, const char *out)
{
	struct claw_request request;
	char error[512], *text = NULL, *map = NULL;
	int status = 0;

	if (claw_request_read(request_path, &request, error, sizeof(error)) < 0)
		return usage(error);
	if (claw_rewrite_run(kinds, &request, &text, &map, error,
			     sizeof(error)) < 0) {
		puts(error);
		status = EXIT_CANNOT;
	} else if (!write_suffixed(out, "map", map) ||
		   !write_suffixed(out, "cl", text)) {
		/* The text last: who finds it finds the map. */
		status = EXIT_OURS;
	}
	free(text);
	free(map);
	claw_request_release(&request);
	return status;
}

static int print_names(const char *request_path)
{
	struct claw_request request;
	char error[512];

	if (claw_request_read(request_path, &request, error, sizeof(error)) < 0)
		return usage(error);
	claw_names_write(&request, stdout);
	claw_request_release(&request);
	return fflush(stdout) == 0 ? 0 : EXIT_OURS;
}

/* ---- the command line for people */

struct words {
	const char *mode, *options, *extensions, *version, *bits, *map, *path;
	bool preprocess;
};

static const struct {
	const char *name;
	size_t at;
} options[] = {
	{ "--mode", offsetof(struct words, mode) },
	{ "--options", offsetof(struct words, options) },
	{ "--extensions", offsetof(struct words, extensions) },
	{ "--device-version", offsetof(struct words, version) },
	{ "--bits", offsetof(struct words, bits) },
	{ "--map", offsetof(struct words, map) },
};

static bool set_word(struct words *words, size_t at, const char *value)
{
	if (!value)
		return false;
	memcpy((char *)words + at, &value, sizeof(value));
	return true;
}

static bool read_words(char **argv, struct words *words)
{
	for (; *argv; argv++) {
		size_t i = 0, count = sizeof(options) / sizeof(options[0]);

		while (i < count && strcmp(*argv, options[i].name) != 0)
			i++;
		if (i < count) {
			if (!set_word(words, options[i].at, *++argv))
				return false;
		} else if (strcmp(*argv, "--preprocess") == 0) {
			words->preprocess = true;
		} else if (words->path || argv[0][0] == '-') {
			return false;
		} else {
			words->path = *argv;
		}
	}
	return words->path && !words->mode == words->preprocess;
}

static char *read_source(const char *path, size_t *size)
{
	char *bytes = NULL;

	return claw_outside_read(path, CLAW_OUTSIDE_GIVEN,
				 CLAW_OUTSIDE_TEXT_MAX, &bytes, size) < 0 ?
		NULL : bytes;
}

/* Of -cl-std=: 20 for CL2.0; 0: there is none. */
static unsigned int standard_of(const struct words *words)
{
	static const char word[] = "-cl-std=CL";
	const char *at = words->options ? strstr(words->options, word) : NULL;
	unsigned int major, minor;

	return at && sscanf(at + strlen(word), "%u.%u", &major, &minor) == 2 ?
		major * 10 + minor : 0;
}

/* Print the macros of a driver with that version and these extensions. */
static void write_macros(const struct words *words, FILE *out)
{
	const char *version = words->version ? words->version : "1.2";
	const char *at = words->extensions ? words->extensions : "";
	unsigned int major = 1, minor = 2, standard = standard_of(words);

	version += strcspn(version, "0123456789");
	if (sscanf(version, "%u.%u", &major, &minor) != 2)
		major = 1, minor = 2;
	fprintf(out, "macro __OPENCL_VERSION__ %u\n", major * 100 + minor * 10);
	fprintf(out, "macro __OPENCL_C_VERSION__ %u\n", standard ?
		standard * 10 : major > 1 ? 120 : 100 + minor * 10);
	for (size_t i = 0; standard >= 30 && claw_features[i]; i++)
		if (claw_feature_extension(claw_features[i]) == NULL)
			fprintf(out, "macro %s 1\n", claw_features[i]);
	fputs("macro __ENDIAN_LITTLE__ 1\nmacro __IMAGE_SUPPORT__ 1\n", out);
	while (*at) {
		size_t length = strcspn(at, " ");

		if (length)
			fprintf(out, "macro %.*s 1\n", (int)length, at);
		at += length + (at[length] == ' ');
	}
}

/* The words as a request's text: one reader for both. */
static char *request_text(const struct words *words, const char *source,
			  size_t source_size, size_t *size)
{
	char *text = NULL, *list = claw_strdup(words->mode ? words->mode : "hit"),
	     *saved = NULL;
	FILE *out = claw_text_begin(&text, size);

	fputs("openclaw-instrument 1\n", out);
	for (char *mode = strtok_r(list, ",", &saved); mode;
	     mode = strtok_r(NULL, ",", &saved))
		fprintf(out, "mode %s\n", mode);
	fprintf(out, "name %s\n", words->path);
	if (words->extensions)
		fprintf(out, "extensions %s\n", words->extensions);
	if (words->version)
		fprintf(out, "version %s\n", words->version);
	write_macros(words, out);
	if (words->bits)
		fprintf(out, "address-bits %s\n", words->bits);
	if (words->options)
		fprintf(out, "options %zu\n%s\n", strlen(words->options),
			words->options);
	fprintf(out, "source %zu\n", source_size);
	fwrite(source, 1, source_size, out);
	fputc('\n', out);
	claw_text_end(out);
	free(list);
	return text;
}

/* 0, or -1 with one line in error. */
static int rewrite(const struct words *words, const struct claw_request *request,
		   char **ret_text, char **ret_map, char *error, size_t size)
{
	if (!words->preprocess)
		return claw_rewrite_run(kinds, request, ret_text, ret_map,
					error, size);
	*ret_text = claw_preprocess(request, error, size);
	return *ret_text ? 0 : -1;
}

static int rewrite_file(const struct words *words)
{
	struct claw_request request;
	char error[512], *text = NULL, *map = NULL;
	size_t size, source_size;
	char *source = read_source(words->path, &source_size);

	if (!source) {
		snprintf(error, sizeof(error), "%s:1: expected a file that can be read",
			 words->path);
		return usage(error);
	}
	char *asked = request_text(words, source, source_size, &size);
	int ret = claw_request_parse(asked, size, "the command line", &request,
				     error, sizeof(error));

	free(asked);
	free(source);
	if (ret < 0)
		return usage(error);
	int status = 0;

	if (rewrite(words, &request, &text, &map, error, sizeof(error)) < 0) {
		puts(error);
		status = EXIT_CANNOT;
	} else {
		fputs(text, stdout);
		if ((words->map && map && !write_file(words->map, map)) ||
		    fflush(stdout) != 0)
			status = EXIT_OURS;
	}
	free(text);
	free(map);
	claw_request_release(&request);
	return status;
}

/* A text that a compiler never comes to an end with is one that cannot be. */
static void bound_time(void)
{
	enum { SECONDS = 120 };
	struct rlimit limit = { SECONDS, SECONDS };

	setrlimit(RLIMIT_CPU, &limit);
}

int main(int argc, char **argv)
{
	struct words words = { .mode = NULL };

	bound_time();

	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(help, stdout);
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--clang") == 0)
		return claw_clang_tell() < 0 ? EXIT_CANNOT : 0;
	if (argc == 3 && strcmp(argv[1], "--names") == 0)
		return print_names(argv[2]);
	if (argc == 3 && argv[1][0] != '-')
		return answer(argv[1], argv[2]);
	if (argc > 2 && read_words(argv + 1, &words))
		return rewrite_file(&words);
	fputs(help, stderr);
	return EXIT_USAGE;
}
