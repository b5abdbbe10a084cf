/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tools write and what is read of it: Oclgrind's log, Valgrind's XML,
 * massif's snapshots, .sim files. The tools themselves are asked by
 * tools.test and valgrind.test.
 */
#include "config.h"

#include "harness/tools/tools.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/session/session.h"
#include "harness/tools/tool_oclgrind_log.h"
#include "harness/tools/tool_sim.h"
#include "harness/tools/tool_valgrind.h"
#include "suites/self/lib/run_suite.h"

static char directory[] = "/tmp/openclaw-tools-XXXXXX";
static struct claw_findings findings;
static char said[4096];

static void setup(void)
{
	memcpy(strrchr(directory, '-') + 1, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	memset(&findings, 0, sizeof(findings));
}

static void teardown(void)
{
	claw_findings_release(&findings);
	claw_directory_remove(directory);
}

/* A file of that text in the scratch directory; the path is static. */
static const char *write_file(const char *name, const char *text)
{
	static char path[256];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	out = fopen(path, "we");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	ck_assert_int_eq(fclose(out), 0);
	return path;
}

/* "invalid-write global 4 k input.h:4:8 2,0,0 x1; ..." */
static const char *say(void)
{
	size_t used = 0;

	said[0] = '\0';
	for (size_t i = 0; i < findings.count; i++) {
		const struct claw_finding *one = &findings.items[i];

		used += (size_t)snprintf(said + used, sizeof(said) - used,
			"%s%s %s %d %s %s:%u:%u %s x%u", i ? "; " : "",
			claw_finding_kind_name(one->kind),
			one->space ? claw_space_name(one->space) : "-",
			(int)one->size_bytes, *one->kernel ? one->kernel : "-",
			one->file, one->line, one->column,
			*one->work_item ? one->work_item : "-", one->times);
	}
	return said;
}

/* ---- Oclgrind's log --------------------------------------------------- */

#define ENTITY "\tEntity: Global(2,1,0) Local(0,1,0) Group(2,0,0)\n"
#define AT(line_, column_) "\tAt line " #line_ " (column " #column_ \
	") of input.cl:\n\t  At line 99 (column 9) of input.cl:\n\t\n"
#define REPORT(headline_, instruction_) "\n" headline_ "\n\tKernel: k\n" \
	ENTITY "\t  " instruction_ "\n" AT(4, 8)
#define STORE "store i32 7, i32 addrspace(1)* %p, align 4, !dbg !26"

static const struct {
	const char *text, *said;
} reports[] = {
	{ REPORT("Invalid write of size 4 at global memory address 0x1020",
		 STORE), "invalid-write global 4 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid read of size 16 at local memory address 0x1020",
		 "%0 = load <4 x i32>, <4 x i32> addrspace(3)* %p, align 16"),
	  "invalid-read local 16 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid write of size 1 at private memory address 0x30",
		 "store i8 %v, i8* %p, align 1"),
	  "invalid-write private 1 k :4:8 2,1,0 x1" },
	/* Constant memory lies in the global one. */
	{ REPORT("Invalid read of size 4 at global memory address 0x1",
		 "%0 = load i32, i32 addrspace(2)* %p, align 4"),
	  "invalid-read constant 4 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid write to read-only buffer", STORE),
	  "invalid-write global 4 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid write to mapped buffer", STORE),
	  "invalid-write global 4 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid read from write-only buffer",
		 "%0 = load volatile double, double addrspace(1)* %p"),
	  "invalid-read global 8 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid read from buffer mapped for writing", "ret void"),
	  "invalid-read - 0 k :4:8 2,1,0 x1" },
	{ REPORT("Uninitialized value written to global memory address 0x1",
		 STORE), "uninitialized-read - 4 k :4:8 2,1,0 x1" },
	{ REPORT("Uninitialized address used to read from global memory "
		 "address 0x1", "%0 = load half, half addrspace(1)* %p"),
	  "uninitialized-read - 2 k :4:8 2,1,0 x1" },
	{ REPORT("Controlflow depends on uninitialized value",
		 "br i1 %cmp, label %a, label %b"),
	  "uninitialized-read - 0 k :4:8 2,1,0 x1" },
	{ REPORT("Instruction depends on an uninitialized index value",
		 "%1 = extractelement <4 x i32> %v, i32 %i"),
	  "uninitialized-read - 0 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid memory load - source pointer is not aligned to the "
		 "pointed type", "%2 = load i64, i64 addrspace(3)* %1"),
	  "misaligned local 8 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid memory store - source pointer is not aligned to the "
		 "pointed type", "store <3 x float> %v, ptr addrspace(1) %p"),
	  "misaligned global 12 k :4:8 2,1,0 x1" },
	{ REPORT("Unaligned address on atomic_inc", "%c = tail call spir_func "
		 "i32 @_Z10atomic_incPU3AS3Vi(i32 addrspace(3)* noundef %p)"),
	  "misaligned local 4 k :4:8 2,1,0 x1" },
	{ REPORT("Index (2) exceeds static array size (2)",
		 "store volatile i8 %v, i8* %arrayidx, align 1"),
	  "array-index private 1 k :4:8 2,1,0 x1" },
	/* A pointer is loaded, of a size that is not told. */
	{ REPORT("Index (2) exceeds static array size (2)",
		 "%0 = load i32 addrspace(1)*, i32 addrspace(1)** %p"),
	  "array-index private 0 k :4:8 2,1,0 x1" },
	{ REPORT("Invalid wait event", "ret void"),
	  "kernel-error - 0 k :4:8 2,1,0 x1" },
	{ REPORT("Work-item finished without waiting for events", "ret void"),
	  "kernel-error - 0 k :4:8 2,1,0 x1" },
	{ REPORT("Something that a later Oclgrind says", STORE),
	  "kernel-error global 4 k :4:8 2,1,0 x1" },
	{ "\nInvalid write of size 4 at global memory address 0x1\n"
	  "\tKernel: k\n\tEntity: Group(0,0,0)\n\t(location unknown)\n",
	  "invalid-write global 4 k :0:0 - x1" },
	{ "\nInvalid write of size 4 at global memory address 0x1\n"
	  "\tKernel: k\n" ENTITY "\t  " STORE "\n"
	  "\tAt line 3 (column 2) of lib/tile.h:\n\t  x\n",
	  "invalid-write global 4 k lib/tile.h:3:2 2,1,0 x1" },
	/* One that was cut off when the process was killed. */
	{ "\nInvalid write of size 4 at global memory address 0x1\n"
	  "\tKernel: k\n\tEnti", "invalid-write global 4 k :0:0 - x1" },
	{ "\nWork-group divergence detected (barrier)\n"
	  "\tKernel:     k\n\tWork-group: (0,0,0)\n"
	  "\tOnly 1 out of 4 work-items executed barrier\n"
	  "\t  call void @_Z7barrierj(i32 1)\n" AT(5, 3),
	  "divergence - 0 k :5:3 - x1" },
	{ "\nWork-group divergence detected (async copy)\n"
	  "\tKernel:     k\n\tWork-group: (0,0,0)\n\t\n"
	  "\tWork-item:  Global(1,0,0) Local(1,0,0) Group(0,0,0)\n"
	  "\t  ret\n" AT(11, 5) "\tPrevious work-items executed:\n"
	  "\t  ret\n" AT(17, 5), "divergence - 0 k :11:5 1,0,0 x1" },
	{ "\nOCLGRIND FATAL ERROR (./src/core/WorkItem.cpp:277)\n"
	  "Encountered unreachable instruction\n\tKernel: k\n" ENTITY
	  "\t  unreachable\n" AT(4, 8), "kernel-error - 0 k :4:8 2,1,0 x1" },
	{ "\nOclgrind: 1 errors generated - suppressing further errors\n\n",
	  "" },
	{ "", "" },
};

static void read_log(const char *text, enum claw_oclgrind_text which)
{
	ck_assert_int_eq(claw_oclgrind_read(write_file("log", text), which,
					    &findings), 0);
}

START_TEST(log__each_report_is_understood)
{
	read_log(reports[_i].text, CLAW_OCLGRIND_LOG);
	ck_assert_str_eq(say(), reports[_i].said);
}
END_TEST

#define FIRST "\tFirst entity:  Global(1,0,0) Local(1,0,0) Group(0,0,0)\n" \
	"\t  store i16 1, i16 addrspace(1)* %p, align 2\n"
#define SECOND "\tSecond entity: Global(3,0,0) Local(3,0,0) Group(0,0,0)\n" \
	"\t  %1 = load i32, i32 addrspace(1)* %p, align 4\n"
#define RACE "\nRead-write data race at global memory address 0x4\n" \
	"\tKernel: k\n\t\n"

START_TEST(log__race_is_told_at_its_later_place)
{
	static const struct {
		const char *text, *said;
	} races[] = {
		{ RACE FIRST AT(4, 8) SECOND AT(7, 2),
		  "race global 4 k :7:2 3,0,0 x1" },
		{ RACE FIRST AT(7, 2) SECOND AT(4, 8),
		  "race global 2 k :7:2 1,0,0 x1" },
		{ RACE FIRST AT(7, 2) SECOND AT(7, 12),
		  "race global 4 k :7:12 3,0,0 x1" },
		/* One place: the write. */
		{ RACE FIRST AT(7, 2) SECOND AT(7, 2),
		  "race global 2 k :7:2 1,0,0 x1" },
		{ RACE "\tFirst entity:  Group(0,0,0)\n\t(location unknown)\n"
		  "\t\n" SECOND AT(7, 2), "race global 4 k :7:2 3,0,0 x1" },
	};

	for (size_t i = 0; i < sizeof(races) / sizeof(*races); i++) {
		read_log(races[i].text, CLAW_OCLGRIND_LOG);
		ck_assert_str_eq(say(), races[i].said);
		claw_findings_release(&findings);
	}
}
END_TEST

START_TEST(log__repeated_reports_are_counted)
{
	read_log(REPORT("Invalid write of size 4 at global memory address 0x1",
			STORE)
		 REPORT("Invalid write of size 4 at global memory address 0x2",
			STORE)
		 REPORT("Invalid write of size 4 at local memory address 0x2",
			"store i32 7, i32 addrspace(3)* %p"),
		 CLAW_OCLGRIND_LOG);
	ck_assert_str_eq(say(), "invalid-write global 4 k :4:8 2,1,0 x2; "
			 "invalid-write local 4 k :4:8 2,1,0 x1");
	ck_assert_str_eq(findings.items[0].what,
			 "Invalid write of size 4 at global memory");
}
END_TEST

START_TEST(log__of_a_stderr_only_its_reports_count)
{
	read_log("Invalid write of size 4 at global memory: our own words\n"
		 "\nOclgrind - OpenCL runtime error detected\n"
		 "\tFunction: clCreateBuffer\n"
		 "\tError:    CL_INVALID_BUFFER_SIZE\n"
		 "\tsize is 0\n\nSegmentation fault\n", CLAW_OCLGRIND_STDERR);
	ck_assert_str_eq(say(), "api-error - 0 clCreateBuffer :0:0 - x1");
	ck_assert_str_eq(findings.items[0].what,
			 "CL_INVALID_BUFFER_SIZE: size is 0");
}
END_TEST

START_TEST(log__that_is_not_there_is_told)
{
	ck_assert_int_eq(claw_oclgrind_read("/nowhere/log", CLAW_OCLGRIND_LOG,
					    &findings), -CLAW_E_NOT_FOUND);
}
END_TEST

/* ---- Valgrind's XML --------------------------------------------------- */

#define FRAME(object_, function_, place_) "<frame><ip>0x1</ip><obj>" object_ \
	"</obj><fn>" function_ "</fn>" place_ "</frame>"
#define PLACE "<file>app.c</file><line>12</line>"
#define IN_APP FRAME("/opt/app", "work", PLACE)
#define IN_MALLOC FRAME("/v/vgpreload_memcheck.so", "malloc", "")
#define IN_DRIVER FRAME("/usr/lib/libdriver.so", "drive", "")
#define IN_OTHER FRAME("/usr/lib/libdriver.so", "steer", "")
#define ERROR(kind_, what_, stack_) "<error><unique>0x1</unique><kind>" kind_ \
	"</kind>" what_ "<stack>" stack_ "</stack></error>"
#define WHAT(text_) "<what>" text_ "</what>"
#define OUTPUT(errors_) "<?xml version=\"1.0\"?><valgrindoutput><args>" \
	"<vargv><exe>/usr/bin/valgrind</exe></vargv>" \
	"<argv><exe>/opt/app</exe></argv></args>" errors_
#define WHOLE(errors_) OUTPUT(errors_) "</valgrindoutput>"

static const struct {
	const char *xml, *said;
} errors[] = {
	{ WHOLE(ERROR("InvalidRead", WHAT("Invalid read of size 4"), IN_APP)),
	  "host-invalid-read - 4 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("InvalidWrite", WHAT("Invalid write of size 1"),
		      FRAME("/l/libc.so.6", "memset", "") IN_APP)),
	  "host-invalid-write - 1 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("UninitCondition", WHAT("Conditional jump"), IN_APP)),
	  "host-uninitialized - 0 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("SyscallParam", WHAT("Syscall param write(buf) points "
		      "to uninitialised byte(s)"), IN_APP)),
	  "host-uninitialized - 0 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("SyscallParam", WHAT("Syscall param write(buf) points "
		      "to unaddressable byte(s)"), IN_APP)),
	  "host-invalid-read - 0 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("InvalidFree", WHAT("Invalid free()"),
		      IN_MALLOC IN_APP)),
	  "host-invalid-free - 0 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("Race", "<xwhat><text>Possible data race during write "
		      "of size 8 at 0x1</text></xwhat>", IN_APP)),
	  "host-race - 8 work app.c:12:0 - x1" },
	/* Between a driver's own threads, and in a library of the program's. */
	{ WHOLE(ERROR("Race", WHAT("Possible data race during write of size 8"),
		      IN_DRIVER)), "" },
	{ WHOLE(ERROR("Race", WHAT("Possible data race during write of size 8"),
		      FRAME("/src/.libs/libtile.so.0", "fill", PLACE))),
	  "host-race - 8 fill app.c:12:0 - x1" },
	{ WHOLE(ERROR("Overlap", WHAT("Source and destination overlap"),
		      IN_APP)), "host-error - 0 work app.c:12:0 - x1" },
	/* Who made the block that is lost: the program or its driver. */
	{ WHOLE(ERROR("Leak_DefinitelyLost", "<xwhat><text>4 bytes in 1 "
		      "blocks are definitely lost in loss record 1 of 2"
		      "</text></xwhat>", IN_MALLOC IN_APP)),
	  "host-leak - 0 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("Leak_DefinitelyLost", WHAT("lost"), IN_MALLOC IN_DRIVER
		      IN_APP)), "" },
	/* Not in the baseline: shown where the program called. */
	{ WHOLE(ERROR("InvalidRead", WHAT("Invalid read of size 2"),
		      IN_OTHER IN_APP)),
	  "host-invalid-read - 2 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("InvalidRead", WHAT("Invalid read of size 2"),
		      IN_OTHER)), "host-invalid-read - 2 steer :0:0 - x1" },
	/* In the baseline, but about a block of the program's. */
	{ WHOLE(ERROR("InvalidRead", WHAT("Invalid read of size 2"),
		      IN_DRIVER "</stack><auxwhat>Address 0x1 is 0 bytes "
		      "after a block</auxwhat><stack>" IN_MALLOC IN_APP)),
	  "host-invalid-read - 2 work app.c:12:0 - x1" },
	{ WHOLE(ERROR("InvalidRead", WHAT("Invalid read of size 2"),
		      IN_DRIVER IN_APP)), "" },
	/* What pocl made of a kernel. */
	{ WHOLE(ERROR("InvalidWrite", WHAT("Invalid write of size 4"),
		      FRAME("/cache/k.so", "_pocl_kernel_blur_workgroup",
			    ""))), "invalid-write - 4 blur :0:0 - x1" },
	{ WHOLE(""), "" },
};

START_TEST(xml__each_error_is_understood)
{
	char baseline[256];

	snprintf(baseline, sizeof(baseline), "%s",
		 write_file("baseline", WHOLE(ERROR("InvalidRead",
			    WHAT("Invalid read of size 2"), IN_DRIVER IN_APP)
			    ERROR("InvalidRead", WHAT("Invalid read of size 2"),
				  IN_DRIVER))));
	ck_assert_int_eq(claw_valgrind_read_xml(
		write_file("xml", errors[_i].xml), baseline, &findings), 0);
	ck_assert_str_eq(say(), errors[_i].said);
}
END_TEST

/* Its process was killed: what it had said counts, and is not all. */
START_TEST(xml__without_an_end_is_damaged)
{
	ck_assert_int_eq(claw_valgrind_read_xml(write_file("xml", OUTPUT("")),
						NULL, &findings),
			 -CLAW_E_DAMAGED);
	ck_assert_int_eq(claw_valgrind_read_xml(
		write_file("xml", OUTPUT(ERROR("InvalidRead",
			   WHAT("Invalid read of size 4"), IN_APP)
			   "<error><kind>Inva")), NULL, &findings),
		-CLAW_E_DAMAGED);
	ck_assert_str_eq(say(), "host-invalid-read - 4 work app.c:12:0 - x1");
}
END_TEST

/* A script and the program that it starts. */
START_TEST(xml__of_every_process_is_read)
{
	char log[256];

	snprintf(log, sizeof(log), "%s/x.%%p.xml", directory);
	ck_assert_int_eq(claw_valgrind_read_xml(log, NULL, &findings),
			 -CLAW_E_DAMAGED);
	write_file("x.7.xml", WHOLE(""));
	write_file("x.12.xml", WHOLE(ERROR("InvalidFree", WHAT("Invalid free()"),
					   IN_APP)));
	write_file("x.old.xml", "none of its own");
	ck_assert_int_eq(claw_valgrind_read_xml(log, NULL, &findings), 0);
	ck_assert_str_eq(say(), "host-invalid-free - 0 work app.c:12:0 - x1");
	write_file("x.13.xml", OUTPUT(""));
	ck_assert_int_eq(claw_valgrind_read_xml(log, NULL, &findings),
			 -CLAW_E_DAMAGED);
}
END_TEST

START_TEST(xml__words_of_a_leak_are_found)
{
	ck_assert_int_eq(claw_valgrind_read_xml(
		write_file("xml", WHOLE(ERROR("Leak_DefinitelyLost",
			   "\n  <xwhat>\n    <text>16 bytes in 1 blocks are "
			   "definitely lost in loss record 79 of 3,927</text>"
			   "\n  </xwhat>\n", IN_MALLOC IN_APP))),
		NULL, &findings), 0);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_str_eq(findings.items[0].what,
			 "16 bytes in 1 blocks are definitely lost");
}
END_TEST

START_TEST(xml__without_a_baseline_nothing_is_left_out)
{
	ck_assert_int_eq(claw_valgrind_read_xml(
		write_file("xml", WHOLE(ERROR("InvalidRead",
			   WHAT("Invalid read of size 2"), IN_DRIVER IN_APP))),
		NULL, &findings), 0);
	ck_assert_uint_eq(findings.count, 1);
}
END_TEST

START_TEST(xml__something_else_is_damaged)
{
	static const char *const texts[] = { "", "valgrind: no such tool\n",
					     "<?xml version=\"1.0\"?>" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_int_eq(claw_valgrind_read_xml(
			write_file("xml", texts[i]), NULL, &findings),
			-CLAW_E_DAMAGED);
	ck_assert_int_eq(claw_valgrind_read_xml("/nowhere/xml", NULL,
						&findings), -CLAW_E_DAMAGED);
}
END_TEST

/* ---- massif ----------------------------------------------------------- */

#define SNAPSHOTS "desc: (none)\ncmd: app\ntime_unit: i\n" \
	"#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=0\n" \
	"mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=empty\n" \
	"#-----------\nsnapshot=1\n#-----------\ntime=9\nmem_heap_B=4000\n" \
	"mem_heap_extra_B=96\nmem_stacks_B=0\nheap_tree=peak\n" \
	"n2: 4000 (heap allocation functions) malloc/new/new[]\n" \
	" n0: 3000 0x4011: ??? (in /usr/lib/libdriver.so)\n" \
	" n0: 1000 0x4012: hog (app.c:7)\n" \
	"#-----------\nsnapshot=2\n#-----------\ntime=10\nmem_heap_B=8\n" \
	"mem_heap_extra_B=8\nmem_stacks_B=0\nheap_tree=empty\n"

static int read_massif(const char *text, uint64_t peak_max_bytes)
{
	struct claw_under_run run = { .peak_max_bytes = peak_max_bytes };
	int ret;

	run.log = strdup(write_file("massif.out", text));
	ret = claw_under_massif.read(&run, &findings);
	claw_under_run_release(&run);
	return ret;
}

START_TEST(massif__peak_over_the_limit_is_told)
{
	ck_assert_int_eq(read_massif(SNAPSHOTS, 4096), 0);
	ck_assert_str_eq(say(), "");
	ck_assert_int_eq(read_massif(SNAPSHOTS, 4095), 0);
	ck_assert_str_eq(say(), "host-memory-peak - 4096 hog app.c:7:0 - x1");
	ck_assert_str_eq(findings.items[0].what, "the heap's peak is 4096 "
			 "bytes, limit 4095");
	ck_assert_ptr_nonnull(strstr(findings.items[0].text, "libdriver.so"));
}
END_TEST

START_TEST(massif__something_else_is_damaged)
{
	ck_assert_int_eq(read_massif("", 1), -CLAW_E_DAMAGED);
	ck_assert_int_eq(read_massif("desc: (none)\nmem_heap_B=77\n", 1),
			 -CLAW_E_DAMAGED);
}
END_TEST

/* ---- .sim files ------------------------------------------------------- */

static bool has_text(char *const *list, const char *text)
{
	for (; list && *list; list++)
		if (strcmp(*list, text) == 0)
			return true;
	return false;
}

START_TEST(sim__first_line_adds_options)
{
	const char *file = write_file("one.sim", "# ARGS: -i  --build-options "
				      "-DN=4\none.cl\none\n1 1 1\n1 1 1\n");
	struct claw_under_run run;

	ck_assert_int_eq(claw_sim_start(file, directory, &run), 0);
	ck_assert_str_eq(run.argv[0], "oclgrind-kernel");
	ck_assert_str_eq(run.argv[1], "-i");
	ck_assert_str_eq(run.argv[2], "--build-options");
	ck_assert_str_eq(run.argv[3], "-DN=4");
	ck_assert_str_eq(run.argv[4], "one.sim");
	ck_assert_ptr_null(run.argv[5]);
	ck_assert_str_eq(run.directory, directory);
	ck_assert_ptr_null(run.stdin_path);
	ck_assert(has_text(run.environment, "OCLGRIND_DATA_RACES=1"));
	ck_assert(has_text(run.environment, "OCLGRIND_UNINITIALIZED=1"));
	claw_under_run_release(&run);
}
END_TEST

START_TEST(sim__without_a_log_is_damaged)
{
	const char *file = write_file("one.sim", "# words\none.cl\none\n");
	struct claw_under_run run;

	ck_assert_int_eq(claw_sim_start(file, directory, &run), 0);
	ck_assert_int_eq(claw_sim_read(&run, &findings), -CLAW_E_DAMAGED);
	write_file("oclgrind.log", REPORT("Invalid write of size 4 at global "
					  "memory address 0x1", STORE));
	ck_assert_int_eq(claw_sim_read(&run, &findings), 0);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_ptr_nonnull(strstr(findings.items[0].file, "/one.cl"));
	claw_under_run_release(&run);
}
END_TEST

START_TEST(sim__ref_says_what_is_expected)
{
	struct claw_expected_finding *expected;
	char file[256];
	size_t count;

	snprintf(file, sizeof(file), "%s", write_file("one.sim", "one.cl\n"));
	claw_sim_expected(file, &expected, &count);
	ck_assert_uint_eq(count, 0);
	write_file("one.ref", "ERROR Read-write data race at local memory\n"
		   "ERROR Read-write data race at local memory\n\n"
		   "EXACT Argument 'o': 4 bytes\nERROR exceeds static array "
		   "size\nERROR Uninitialized value written to global memory\n"
		   "ERROR Invalid wait event\n");
	claw_sim_expected(file, &expected, &count);
	for (size_t i = 0; i < count; i++) {
		char *text = claw_expected_finding_text(&expected[i]);

		strncat(said, text, sizeof(said) - strlen(said) - 1);
		strncat(said, "; ", sizeof(said) - strlen(said) - 1);
		free(text);
	}
	ck_assert_str_eq(said, "race local; array-index; uninitialized-read; "
			 "kernel-error; ");
	free(expected);
}
END_TEST

/* ---- a log of several processes ---------------------------------------- */

static void write_log(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");	/* as Oclgrind does: emptied */

	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	ck_assert_int_eq(fclose(out), 0);
}

START_TEST(gathered__every_process_keeps_its_part)
{
	char file[256], text[64] = "";
	struct claw_tool_log *log;
	FILE *in;

	snprintf(file, sizeof(file), "%s/log", directory);
	ck_assert_int_eq(claw_tool_log_new(file, &log), 0);
	write_log(claw_tool_log_path(log), "first\n");
	write_log(claw_tool_log_path(log), "");
	write_log(claw_tool_log_path(log), "second\n");
	ck_assert_int_eq(claw_tool_log_end(log), 0);
	ck_assert_int_eq(claw_tool_log_end(log), 0);
	claw_tool_log_free(log);
	in = fopen(file, "re");
	ck_assert_ptr_nonnull(in);
	ck_assert_uint_eq(fread(text, 1, sizeof(text) - 1, in), 13);
	fclose(in);
	ck_assert_str_eq(text, "first\nsecond\n");
}
END_TEST

/* A file: the tool was there and had nothing to say. */
START_TEST(gathered__file_is_there_when_it_was_opened)
{
	char file[256];
	struct claw_tool_log *log;

	snprintf(file, sizeof(file), "%s/log", directory);
	for (int opened = 0; opened < 2; opened++) {
		ck_assert_int_eq(claw_tool_log_new(file, &log), 0);
		if (opened)
			write_log(claw_tool_log_path(log), "");
		claw_tool_log_free(log);
		ck_assert_int_eq(access(file, F_OK), opened ? 0 : -1);
	}
	ck_assert_int_eq(claw_tool_log_new("/nowhere/log", &log),
			 -CLAW_E_IO);
}
END_TEST

/* ---- the table, drivers ----------------------------------------------- */

START_TEST(rows__all_are_whole_and_found_by_name)
{
	for (size_t i = 0; claw_under_rows[i]; i++) {
		const struct claw_under_row *row = claw_under_rows[i];

		ck_assert_ptr_eq(claw_under_find(row->name), row);
		ck_assert(*row->summary && claw_under_times(row) > 0);
		ck_assert(row->prepare && row->start && row->read);
		ck_assert_uint_ne(row->checks, 0);
		ck_assert_uint_eq(row->checks >> CLAW_FINDING_KIND_COUNT, 0);
	}
	ck_assert_ptr_null(claw_under_find("nothing"));
}
END_TEST

/* What the directory's only .icd file names. */
static void choose(const char *icd, struct claw_under *under, char *line,
		   size_t size)
{
	struct claw_under_config config = { .directory = directory,
					    .icd = icd };
	char path[512];
	FILE *in;

	ck_assert_int_eq(claw_under_begin(under, claw_under_find("native"),
					 &config), 0);
	line[0] = '\0';
	if (!under->icd_directory)
		return;
	snprintf(path, sizeof(path), "%s/native.icd", under->icd_directory);
	in = fopen(path, "re");
	ck_assert_ptr_nonnull(in);
	ck_assert_ptr_nonnull(fgets(line, (int)size, in));
	fclose(in);
}

START_TEST(icd__is_a_file_a_library_or_native)
{
	struct claw_under under;
	char line[256], wanted[256];

	choose(write_file("a.icd", "libdriver.so.2\n"), &under, line,
	       sizeof(line));
	ck_assert_str_eq(line, "libdriver.so.2\n");
	claw_under_release(&under);
	snprintf(wanted, sizeof(wanted), "%s\n", write_file("drv.so", "\177ELF"));
	choose(write_file("drv.so", "\177ELF"), &under, line, sizeof(line));
	ck_assert_str_eq(line, wanted);
	claw_under_release(&under);
	choose("native", &under, line, sizeof(line));
	ck_assert_str_eq(under.why, "");
	ck_assert_ptr_null(under.icd_directory);
	claw_under_release(&under);
	choose("/nowhere.icd", &under, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(under.why, "/nowhere.icd"));
	claw_under_release(&under);
	choose(write_file("empty.icd", "\n"), &under, line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(under.why, "names a library"));
	claw_under_release(&under);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tools");
	TCase *all = tcase_create("tools");

	tcase_add_checked_fixture(all, setup, teardown);
	tcase_add_loop_test(all, log__each_report_is_understood, 0,
			    sizeof(reports) / sizeof(*reports));
	tcase_add_test(all, log__race_is_told_at_its_later_place);
	tcase_add_test(all, log__repeated_reports_are_counted);
	tcase_add_test(all, log__of_a_stderr_only_its_reports_count);
	tcase_add_test(all, log__that_is_not_there_is_told);
	tcase_add_loop_test(all, xml__each_error_is_understood, 0,
			    sizeof(errors) / sizeof(*errors));
	tcase_add_test(all, xml__without_an_end_is_damaged);
	tcase_add_test(all, xml__of_every_process_is_read);
	tcase_add_test(all, xml__words_of_a_leak_are_found);
	tcase_add_test(all, xml__without_a_baseline_nothing_is_left_out);
	tcase_add_test(all, xml__something_else_is_damaged);
	tcase_add_test(all, massif__peak_over_the_limit_is_told);
	tcase_add_test(all, massif__something_else_is_damaged);
	tcase_add_test(all, sim__first_line_adds_options);
	tcase_add_test(all, sim__without_a_log_is_damaged);
	tcase_add_test(all, sim__ref_says_what_is_expected);
	tcase_add_test(all, gathered__every_process_keeps_its_part);
	tcase_add_test(all, gathered__file_is_there_when_it_was_opened);
	tcase_add_test(all, rows__all_are_whole_and_found_by_name);
	tcase_add_test(all, icd__is_a_file_a_library_or_native);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}
