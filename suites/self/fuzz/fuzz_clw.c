/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged kernel files to their reader. Every answer has to be an error
 * with one line that names the file, or tests that a runner can work with.
 * Sanitizers see the rest.
 */
#include "config.h"

#include "harness/cases/clw/clw.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"/*!\n[config]\nname: a b\nkernel_name: k\nglobal_size: 4 0 0\n"
	"local_size: null\ntimeout: 10s\nexpect_finding: race local 3\n"
	"[test]\nname: o/n e\narg_out: 0 buffer float[4] 3 5 7 9 tolerance 2 ulp"
	"\narg_in:  0 buffer float[4] 1 1 1 1 guard 4KiB\n"
	"arg_in:  1 float 2\n[test]\narg_in: 0 buffer int3[3] repeat 1 2 \\ # x\n"
	" 3 4 alias 2 offset 8\narg_in: 2 buffer char[99] random\n!*/\nvoid k();\n",
	"/*!\n[config]\nkernel_name: k\n[test]\narg_in: 1 image uchar4 1 2 3 4 "
	"\\\n image_type 2d image_width 1 image_height 1 image_channel_order "
	"RGBA image_channel_data_type UNSIGNED_INT8\narg_in: 2 sampler "
	"normalized_coords 0 addressing_mode NONE filter_mode NEAREST\n"
	"arg_in: 3 local half16[4]\narg_in: 4 half4 1 -2 nan 65504\n!*/\n",
	"[config]\nbuild_options: -D X \\\n -D Y\nclc_version_min: 10\n"
	"device_regex: gfx[0-9]{1,3}\nrequire_device_extensions: a b\n"
	"[program source]\nkernel void k() {}\n[test]\nkernel_name: k\n"
	"global_size: 1 2 3\ndimensions: 3\nglobal_offset: 0 0 0\ntags: a b\n",
	"[config]\nprogram_source_file: no.cl\nexpect_build_fail: true\n",
	"/*! [config] !*/",
	NULL,
};

const char *const fuzz_words[] = {
	"[config]\n", "[test]\n", "[program source]\n", "/*!", "!*/", "*/",
	"name: x\n", "kernel_name: k\n", "dimensions: 2\n", "arg_in: ",
	"arg_out: ", "\narg_in: 0 ", "buffer ", "float[4] ", "int3[5] ",
	"half2 ", "repeat ", "random ", "null ", "undefined ", "1 ", "-1 ",
	"0x7f ", "1.5e3 ", "nan ", "tolerance 0.1 ", "ulp ", "guard 8 ",
	"offset 4 ", "alias 1 ", "freed ", "read_only ", "image float ",
	"image_width 3 ", "sampler ", "local ", "\\\n", "#", ":", "\n", "\r\n",
	"expect_finding: race\n", "xfail: y\n", "repeat: 3\n", "(a|b){9}",
	"18446744073709551616", "4294967296", "\xff", "\xef\xbb\xbf",
	NULL,
};

static void complain(const char *what, const char *text)
{
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

static void check_arg(const struct claw_clw_arg *arg)
{
	bool has_data = arg->kind != CLAW_CLW_SAMPLER &&
		arg->fill == CLAW_CLW_DATA;
	volatile unsigned char last;

	if (has_data != (arg->data != NULL))
		complain("data", "there or not");
	if (arg->kind == CLAW_CLW_SAMPLER)
		return;
	if (arg->count == 0 || arg->size_bytes / arg->count !=
	    claw_clw_type_bytes(arg->type))
		complain("size", "of an argument");
	if (has_data) {		/* a sanitizer sees what is not there */
		last = ((unsigned char *)arg->data)[arg->size_bytes - 1];
		(void)last;
	}
}

static void check_test(const struct claw_clw *clw,
		       const struct claw_clw_test *test)
{
	const char *name = test->case_name;

	if (!*name || *name == '.' || *name == '-' || strspn(name,
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789_.-") != strlen(name))
		complain("case", name);
	if (claw_clw_find(clw, name) != test)
		complain("case of another test", name);
	if (test->dimensions < 1 || test->dimensions > 3 || test->repeat < 1)
		complain("launch", name);
	for (unsigned int i = 0; i < test->dimensions; i++)
		if (test->global[i] == 0 ||
		    (test->has_local && test->local[i] == 0))
			complain("size", name);
	for (size_t i = 0; i < test->in_count; i++)
		check_arg(&test->in[i]);
	for (size_t i = 0; i < test->out_count; i++)
		check_arg(&test->out[i]);
}

static void feed(const char *path, const uint8_t *bytes, size_t size)
{
	struct claw_clw_error error = { 0 };
	struct claw_clw *clw = NULL;
	int ret = claw_clw_parse(path, (const char *)bytes, size, &clw,
				 &error);

	if (ret < 0) {
		if (strncmp(error.message, path, strlen(path)) != 0 ||
		    strchr(error.message, '\n'))
			complain("bad error text", error.message);
		return;
	}
	if (clw->test_count == 0 || !clw->source || !clw->name)
		complain("file", "without tests, source or name");
	for (size_t i = 0; i < clw->test_count; i++)
		check_test(clw, &clw->tests[i]);
	claw_clw_free(clw);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	feed("/proc/nonexistent/fuzz.clw", bytes, size);
	feed("/proc/nonexistent/fuzz.program_test", bytes, size);
	return 0;
}
