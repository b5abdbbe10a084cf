/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged files of Valgrind's tools to their readers: XML of memcheck and
 * helgrind, and massif's text where there is no "<". Whatever is in them, the
 * findings are whole, and the same file again adds counts and no finding.
 */
#include "config.h"

#include "harness/tools/tool_valgrind.h"

#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/errors.h"

#include "fuzz_text.h"

#define HEAD "<?xml version=\"1.0\"?>\n<valgrindoutput>\n" \
	"<args><argv><exe>/opt/app</exe></argv></args>\n"
#define TAIL "</valgrindoutput>\n"
#define FRAME(name_) "<frame><ip>0x1</ip><obj>/opt/" name_ "</obj><fn>" name_ \
	"</fn><dir>/src</dir><file>a.c</file><line>12</line></frame>\n"

const char *const fuzz_seeds[] = {
	HEAD "<error><unique>0x1</unique><tid>1</tid><kind>InvalidRead</kind>"
	"<what>Invalid read of size 4</what><stack>" FRAME("app")
	FRAME("libdriver.so") "</stack><auxwhat>Address 0x4 is 0 bytes after "
	"a block of size 16</auxwhat><stack>" FRAME("app") "</stack></error>\n"
	TAIL,
	HEAD "<error><kind>Leak_DefinitelyLost</kind><xwhat><text>16 bytes in "
	"1 blocks are definitely lost in loss record 79 of 3,927</text>"
	"<leakedbytes>16</leakedbytes></xwhat><stack>" FRAME("malloc")
	FRAME("app") "</stack></error>\n" TAIL,
	HEAD "<error><kind>Race</kind><xwhat><text>Possible data race during "
	"write of size 8 at 0x1 by thread #2</text></xwhat><stack>"
	FRAME("app") "</stack><xauxwhat><text>This conflicts with a previous "
	"read</text></xauxwhat><stack>" FRAME("app") "</stack></error>\n" TAIL,
	HEAD "<error><kind>Race</kind><what>Possible&#10;data race at 0x1</what>"
	"<stack>" FRAME("app") "</stack></error>\n" TAIL,
	HEAD "<error><kind>InvalidWrite</kind><what>Invalid write of size 4"
	"</what><stack>" FRAME("_pocl_kernel_blur_workgroup") "</stack>"
	"</error>\n" TAIL,
	"desc: (none)\ncmd: app\ntime_unit: i\n#-----------\nsnapshot=0\n"
	"time=9\nmem_heap_B=4000\nmem_heap_extra_B=96\nmem_stacks_B=0\n"
	"heap_tree=peak\nn2: 4000 (heap allocation functions) malloc\n"
	" n0: 3000 0x4011: ??? (in /usr/lib/libdriver.so)\n"
	" n0: 1000 0x4012: hog (app.c:7)\n#-----------\nsnapshot=1\n",
	NULL,
};

const char *const fuzz_words[] = {
	"<", ">", "</", "/>", "&lt;", "&#10;", "&", "<!--", "<![CDATA[",
	"<error>", "</error>", "<stack>", "</stack>", "<kind>", "<what>",
	"</what>", "<xwhat>", "<text>", " of size ", "18446744073709551616",
	" in loss record", " at 0x", "_pocl_kernel_", "_workgroup", "<args>",
	"<argv>", "<exe>", "<line>-1</line>", "<fn/>", "\n", "\xff",
	"mem_heap_B=", "mem_heap_extra_B=", "heap_tree=peak\n",
	"heap_tree=detailed\n", "n1: ", " 0x1: f (", ":", "(", ")", NULL,
};

static int read_file(const char *path, bool is_xml,
		     struct claw_findings *findings)
{
	struct claw_under_run run = {
		.log = (char *)(uintptr_t)path, .peak_max_bytes = 1,
	};

	return is_xml ? claw_valgrind_read_xml(path, NULL, findings) :
	       claw_under_massif.read(&run, findings);
}

static unsigned int count_reports(const struct claw_findings *findings)
{
	unsigned int times = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const struct claw_finding *one = &findings->items[i];

		if (one->kind >= CLAW_FINDING_KIND_COUNT || one->times == 0 ||
		    strchr(one->what, '\n'))
			abort();
		times += one->times;
	}
	return times;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	bool is_xml = size > 0 && memchr(bytes, '<', size);
	struct claw_findings findings = { 0 };
	int file = memfd_create("log", MFD_CLOEXEC), ret;
	char path[64];
	unsigned int times;
	size_t count;

	if (file < 0)
		return 0;
	if (write(file, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	ret = read_file(path, is_xml, &findings);
	if (ret != 0 && ret != -CLAW_E_DAMAGED)
		abort();
	times = count_reports(&findings);
	count = findings.count;
	if (read_file(path, is_xml, &findings) != ret ||
	    findings.count != count || count_reports(&findings) != 2 * times)
		abort();
	claw_findings_release(&findings);
	close(file);
	return 0;
}
