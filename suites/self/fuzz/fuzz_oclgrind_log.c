/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged logs of Oclgrind to their reader. Whatever is in them, it
 * reads to the end, its findings are whole, and the same text again adds
 * counts and no finding.
 */
#include "config.h"

#include "harness/tools/tool_oclgrind_log.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"\nInvalid write of size 4 at global memory address 0x1000000000020\n"
	"\tKernel: k\n"
	"\tEntity: Global(2,0,0) Local(0,0,0) Group(2,0,0)\n"
	"\t  store i32 7, i32 addrspace(1)* %arrayidx, align 4, !dbg !26\n"
	"\tAt line 4 (column 8) of input.cl:\n"
	"\t  o[g+n]=7;\n\t\n",
	"\nWrite-write data race at local memory address 0x4\n"
	"\tKernel: race\n\t\n"
	"\tFirst entity:  Global(1,0,0) Local(1,0,0) Group(0,0,0)\n"
	"\t  store <4 x float> %v, <4 x float> addrspace(3)* %p, align 16\n"
	"\tAt line 7 (column 14) of input.cl:\n\t  s[l] = l;\n\t\n"
	"\tSecond entity: Group(0,0,0)\n\t(location unknown)\n\t\n",
	"\nWork-group divergence detected (barrier)\n"
	"\tKernel:     d\n\tWork-group: (0,0,0)\n\t\n"
	"\tWork-item:  Global(1,0,0) Local(1,0,0) Group(0,0,0)\n"
	"\t  call spir_func void @_Z7barrierj(i32 noundef 1), !dbg !33\n"
	"\tAt line 11 (column 5) of /tmp/x.h:\n\t  barrier(1);\n"
	"\tfence=0x2, num_events=0\n\t\n\tPrevious work-items executed:\n"
	"\t  call spir_func void @_Z7barrierj(i32 noundef 1), !dbg !31\n"
	"\tAt line 7 (column 5) of input.cl:\n\t  barrier(1);\n\t\n",
	"\nOCLGRIND FATAL ERROR (./src/core/WorkItem.cpp:277)\n"
	"Encountered unreachable instruction\n\tKernel: f\n"
	"\tEntity: Global(0,0,0) Local(0,0,0) Group(0,0,0)\n"
	"\t  %2 = load volatile i8, ptr addrspace(2) %q, align 1, !dbg !3\n"
	"\tAt line 1 (column 1) of input.cl:\n\t  }\n\t\n",
	"words of the program\n\nOclgrind - OpenCL runtime error detected\n"
	"\tFunction: clCreateBuffer\n\tError:    CL_INVALID_BUFFER_SIZE\n"
	"\tsize is 0\n\n\nOclgrind: 2 errors generated - suppressing further "
	"errors\n\n",
	"\nIndex (2) exceeds static array size (2)\n\tKernel: a\n"
	"\tEntity: Global(2,0,0) Local(2,0,0) Group(0,0,0)\n"
	"\t  %1 = load [2 x i8], [2 x i8]* getelementptr inbounds ([4 x i8], "
	"[4 x i8]* @t, i64 0), align 1\n"
	"\tAt line 11 (column 15) of input.cl:\n\t  o[i] = s.b[i];\n\t\n",
	NULL,
};

const char *const fuzz_words[] = {
	"\n", "\n\n", "\t", "\t  ", " at ", " memory", " address 0x", "Global(",
	"Invalid read of size ", "18446744073709551616", "-1", "(", ")", "<",
	">", "[", "]", ",", " x ", "addrspace(", "* ", "i", " = load ",
	"store ", "At line ", " (column ", ") of ", "OCLGRIND FATAL ERROR",
	"Oclgrind - OpenCL runtime error detected\n", "\tFirst entity:  ",
	"\tPrevious work-items executed:\n", "\tKernel: ", "\xff", "\r", NULL,
};

static void read_text(const uint8_t *bytes, size_t size,
		      enum claw_oclgrind_text which,
		      struct claw_findings *findings)
{
	FILE *in = fmemopen((void *)(uintptr_t)bytes, size, "r");

	if (!in)
		return;
	claw_oclgrind_read_stream(in, which, findings);
	fclose(in);
}

static unsigned int count_reports(const struct claw_findings *findings)
{
	unsigned int times = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const struct claw_finding *one = &findings->items[i];

		if (one->kind >= CLAW_FINDING_KIND_COUNT || one->times == 0 ||
		    !*one->text || strchr(one->what, '\n') ||
		    strchr(one->kernel, '\n') || strchr(one->file, '\n') ||
		    strspn(one->work_item, "0123456789,") !=
		    strlen(one->work_item))
			abort();
		times += one->times;
	}
	return times;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	enum claw_oclgrind_text which = size % 4 ? CLAW_OCLGRIND_LOG :
					CLAW_OCLGRIND_STDERR;
	struct claw_findings findings = { 0 };
	unsigned int times;
	size_t count;

	if (size == 0)
		return 0;
	read_text(bytes, size, which, &findings);
	times = count_reports(&findings);
	count = findings.count;
	read_text(bytes, size, which, &findings);
	if (findings.count != count || count_reports(&findings) != 2 * times)
		abort();
	claw_findings_release(&findings);
	return 0;
}
