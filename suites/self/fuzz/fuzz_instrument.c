/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged requests to the reader of openclaw-instrument, and what they
 * have as build options to the reader of those. A refusal is one line that
 * names a line of the request; what is accepted is complete.
 */
#include "config.h"

#include "kernels/instrument/unit/options.h"
#include "kernels/instrument/unit/request.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"openclaw-instrument 1\nmode hit\nsource 3\nabc\n",
	"openclaw-instrument 1\nmode count\nversion OpenCL C 1.2 pocl\n"
	"extensions cl_khr_fp64 cl_khr_fp16\naddress-bits 32\nname <source>\n"
	"separate 1\ndirectory /tmp\nmacro A\nmacro B 1 2\nmacro C \n"
	"header a/b.h 4\nx\ny\n\n"
	"options 31\n-D'A B'=\"1 2\" -DC -cl-std=CL2.0\nsource 0\n\n",
	"openclaw-instrument 1\nmode asan\nmode arithmetic\n"
	"options 24\n-I \"a b\" -U X -include \\\"\nsource 5\n\n\n\n\n\n",
	NULL,
};

const char *const fuzz_words[] = {
	"\n", " ", "\"", "'", "\\", "-D", "-I", "-U", "-include", "-cl-std=",
	"-1", "18446744073709551615", "18446744073709551616", "0", "header ",
	"source ", "options ", "macro ", "mode hit\n", "mode \n", "\xff",
	"address-bits 16\n", "separate\n", "openclaw-instrument 1\n", NULL,
};

static void check_options(const char *text)
{
	struct claw_build_options options;
	size_t seen = 0;

	claw_build_options_parse(text, &options);
	if (options.words[options.count])
		abort();
	for (size_t i = 0; i < options.count;) {
		size_t words = claw_build_options_preprocessor(&options, i);

		if (i + words > options.count)
			abort();
		seen += strlen(options.words[i]);
		i += words ? words : 1;
	}
	if (seen > strlen(text) ||
	    (options.standard && !strstr(text, "std")
	     && !strpbrk(text, "\"'\\")))
		abort();
	claw_build_options_release(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_request request;
	char error[256] = "";

	if (claw_request_parse((const char *)bytes, size, "request", &request,
			       error, sizeof(error)) < 0) {
		if (strncmp(error, "request:", 8) != 0 || strchr(error, '\n'))
			abort();
		return 0;
	}
	if (!request.source.text || !request.options.text || !request.name ||
	    !request.directory || !request.version || !request.extensions ||
	    (request.address_bits != 32 && request.address_bits != 64) ||
	    request.source.text[request.source.bytes] != '\0')
		abort();
	check_options(request.options.text);
	claw_request_release(&request);
	return 0;
}
