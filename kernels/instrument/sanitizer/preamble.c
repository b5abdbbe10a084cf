/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text that all checks need, in front of the rewritten one. What is rare
 * (a finding) is a function of its own that is not put in where it is called.
 */
#include "config.h"

#include "faults/shared/probe_format.h"
#include "sanitizer_private.h"

static const char macros[] =
"#define __CLAW_ANY 0x3fffffffffffffffUL\n"
"#define __CLAW_ANY_IMAGE (uint4)(0xffffffffu)\n"
"#define __CLAW_LONG(n) ((long)((n) & __CLAW_ANY))\n"
/* s bytes from a on lie in the n bytes from lo on. _STEP: a - lo is a multiple of
 * s, so that what lies below lo does not come round to 0 with s - 1 more. Nothing
 * that a compiler makes a saturating subtraction of: oclgrind has none. */
"#define __CLAW_IN(a, lo, n, s) ((ulong)(a) - (lo) < (n) && (ulong)(a) - (lo) + ((s) - 1UL) < (n))\n"
"#define __CLAW_IN_STEP(a, lo, n, s) ((ulong)(a) - (lo) + ((s) - 1UL) < (n))\n"
"#define __CLAW_UP_TO(a, lo, n) ((ulong)(a) - (lo) <= (n))\n"
"#define __CLAW_PIXEL_AT(c, n, normalized) ((c) >= 0.0f && (c) < ((normalized) ? 1.0f : (float)(n)))\n"
/* Who it is, and the launch. A function that asks would be put in where it is
 * called: it is told; one word of it is another in each work-item of a row. */
"#define __CLAW_IDS (uint)get_global_id(0), (uint8)((uint)get_global_id(1), (uint)get_global_id(2), (uint)get_group_id(0), (uint)get_group_id(1), (uint)get_group_id(2), __claw->launch, 0u, 0u)\n"
"#define __CLAW_IDS_IN uint g0, uint8 ids\n"
"#define __CLAW_LIKELY(x) __builtin_expect(!!(x), 1)\n"
"#define __CLAW_LEAST(a, b, c, d) __claw_min(__claw_min((a) * (c), (a) * (d)), __claw_min((b) * (c), (b) * (d)))\n"
"#define __CLAW_MOST(a, b, c, d) __claw_max(__claw_max((a) * (c), (a) * (d)), __claw_max((b) * (c), (b) * (d)))\n"
/* Where a work-group is a loop over its work-items one answer for all of them
 * can be taken out of it; elsewhere each work-item has its own. */
"#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__arm__) || defined(__riscv) || defined(__powerpc64__)\n"
"#define __CLAW_GROUP 1\n"
/* Words that are the same in all of a group, as pocl sees it; from 2.0 on groups
 * may be smaller than the others. */
"#if __OPENCL_C_VERSION__ >= 200\n"
"#define __CLAW_G0(d) ((long)get_global_id(d) - (long)get_local_id(d))\n"
"#else\n"
"#define __CLAW_G0(d) ((long)(get_group_id(d) * get_local_size(d) + get_global_offset(d)))\n"
"#endif\n"
"#define __CLAW_G1(d) (__CLAW_G0(d) + (long)get_local_size(d) - 1L)\n"
"#define __CLAW_L0(d) 0L\n"
"#define __CLAW_L1(d) ((long)get_local_size(d) - 1L)\n"
"#else\n"
"#define __CLAW_GROUP 0\n"
"#define __CLAW_G0(d) ((long)get_global_id(d))\n"
"#define __CLAW_G1(d) ((long)get_global_id(d))\n"
"#define __CLAW_L0(d) ((long)get_local_id(d))\n"
"#define __CLAW_L1(d) ((long)get_local_id(d))\n"
"#endif\n"
/* What is read is zero, what is written goes elsewhere. */
"#define __CLAW_SINK_GLOBAL(n) (__claw->p + __claw->p[%d] + ((n) > 0 ? 0 : %d))\n"
"#define __CLAW_SINK_LOCAL(n) __claw_local_sink(__claw, n)\n"
"#define __CLAW_SINK_PRIVATE(n) __claw_private_sink(__claw, n)\n"
"#define __CLAW_WORDS_LOCAL %lluUL\n#define __CLAW_WORDS_PRIVATE %lluUL\n"
"#define __CLAW_SINK_CONSTANT(n) __claw_cs\n"
"#if __OPENCL_C_VERSION__ >= 120\nstatic\n#endif\n__constant ulong16 __claw_cs[%d] = { (ulong16)(0) };\n";

static const char functions[] =
/* A program may call its variables min and max. */
"__CLAW_STATIC inline __attribute__((always_inline)) long __claw_min(long a, long b) { return a < b ? a : b; }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) long __claw_max(long a, long b) { return a > b ? a : b; }\n"
/* Put in where they are called: pocl 3.1 falls over functions of their own that
 * are given pointers to local memory. n: words of 64 bits that are read; 0: only
 * written; -1: both, zero the first time. They are zeroed as chars, which may be read
 * as any type: else a compiler may say that what is read was never written, and
 * that no sane program comes to where it is used. */
"#define __CLAW_SINK(space, all, words, bit)"
" __##space ulong *s = all + (n > 0 ? 0UL : words);"
" if (n < 0 && !(k->zeroed & bit)) { n = (int)words; k->zeroed |= bit; }"
" for (int i = 0; i < 8 * n; i++) ((__##space char *)s)[i] = 0;"
" return s;\n"
"__CLAW_STATIC inline __attribute__((always_inline)) __local ulong *__claw_local_sink(__private struct __claw_ctx *k, int n) { __CLAW_SINK(local, k->ls, __CLAW_WORDS_LOCAL, 1u) }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) __private ulong *__claw_private_sink(__private struct __claw_ctx *k, int n) { __CLAW_SINK(private, k->ps, __CLAW_WORDS_PRIVATE, 2u) }\n"
"__CLAW_STATIC uint __claw_count(__global uint *p, uint access) { return atomic_inc((volatile __global uint *)p + p[%d] + access); }\n"
"__CLAW_STATIC __attribute__((noinline)) void __claw_put(__global uint *p, uint access, uint object, uint why, ulong address, ulong offset, ulong n, __CLAW_IDS_IN) {"
" const uint at = atomic_inc((volatile __global uint *)p + %d);"
" if (at >= p[%d]) return;"
" __global uint *r = p + p[%d] + at * %du;"
" r[%d] = access; r[%d] = ids.s5; r[%d] = object;"
" r[%d] = (uint)offset; r[%d] = (uint)(offset >> 32);"
" r[%d] = (uint)n; r[%d] = (uint)(n >> 32);"
" r[%d] = g0; r[%d] = ids.s0; r[%d] = ids.s1;"
" r[%d] = ids.s2; r[%d] = ids.s3; r[%d] = ids.s4;"
" r[%d] = (uint)address; r[%d] = (uint)(address >> 32);"
" mem_fence(CLK_GLOBAL_MEM_FENCE); r[%d] = why; }\n"
"__CLAW_STATIC __attribute__((noinline)) void __claw_record(__global uint *p, uint access, uint object, uint why, ulong address, ulong offset, ulong n, __CLAW_IDS_IN) {"
" if (__claw_count(p, access) < p[%d]) __claw_put(p, access, object, why, address, offset, n, g0, ids); }\n"
/* size: bytes, alignment - 1 in the upper half. */
"__CLAW_STATIC __attribute__((noinline)) void __claw_bad(__global uint *p, uint access, uint object, uint size, ulong a, ulong lo, ulong n, __CLAW_IDS_IN) {"
" const uint why = __CLAW_IN(a, lo, n, (ulong)(size & 0xffffu)) ? %du : lo == 0UL && (n == 0UL) ? %du : %du;"
" __claw_record(p, access, object, why, a, a - lo, n, g0, ids); }\n"
"__CLAW_STATIC __attribute__((noinline)) void __claw_bad_index(__global uint *p, uint access, ulong i, ulong size, ulong count, __CLAW_IDS_IN) {"
" __claw_record(p, access, 0u, %du, 0UL, i * size, count * size, g0, ids); }\n";

/* Three coordinates and three sizes. */
static const char pixel[] =
"__CLAW_STATIC __attribute__((noinline)) void __claw_bad_pixel(__global uint *p, uint access, uint object, uint4 c, uint4 size, __CLAW_IDS_IN) {"
" __claw_record(p, access, object, %du, c.z | (ulong)size.z << 32, c.x | (ulong)c.y << 32, size.x | (ulong)size.y << 32, g0, ids); }\n";

/* async_work_group_copy: a range that is checked as a whole. */
static const char range[] =
"__CLAW_STATIC __attribute__((noinline)) int __claw_bad_range(__global uint *p, uint access, ulong a, ulong size, ulong lo, ulong n, uint object, __CLAW_IDS_IN) {"
" if (__CLAW_IN(a, lo, n, size)) return 0;"
" const ulong at = a - lo <= n ? n : a - lo;"
" __claw_record(p, access, object, lo == 0UL && n == 0UL ? %du : %du, lo + at, at, n, g0, ids); return 1; }\n";

void claw_preamble_write(struct claw_sanitizer *sanitizer, FILE *out)
{
	fprintf(out, macros, CLAW_PROBE_SINK_AT, CLAW_PROBE_SINK_BYTES / 8,
		sanitizer->sink_bytes[CLAW_SPACE_LOCAL] / 8,
		sanitizer->sink_bytes[CLAW_SPACE_PRIVATE] / 8,
		CLAW_PROBE_SINK_BYTES / 2 / 128);
	fprintf(out, functions, CLAW_PROBE_SEEN_AT,
		CLAW_PROBE_FOUND, CLAW_PROBE_CAPACITY, CLAW_PROBE_RECORDS_AT,
		CLAW_PROBE_RECORD_WORDS, CLAW_RECORD_ACCESS, CLAW_RECORD_LAUNCH,
		CLAW_RECORD_OBJECT, CLAW_RECORD_OFFSET, CLAW_RECORD_OFFSET + 1,
		CLAW_RECORD_BYTES, CLAW_RECORD_BYTES + 1, CLAW_RECORD_GLOBAL_ID,
		CLAW_RECORD_GLOBAL_ID + 1, CLAW_RECORD_GLOBAL_ID + 2,
		CLAW_RECORD_GROUP_ID, CLAW_RECORD_GROUP_ID + 1,
		CLAW_RECORD_GROUP_ID + 2, CLAW_RECORD_ADDRESS,
		CLAW_RECORD_ADDRESS + 1, CLAW_RECORD_WHY,
		CLAW_PROBE_PER_ACCESS, CLAW_WHY_MISALIGNED,
		CLAW_WHY_NULL, CLAW_WHY_BOUNDS, CLAW_WHY_BOUNDS);
	fprintf(out, range, CLAW_WHY_NULL, CLAW_WHY_BOUNDS);
	fprintf(out, pixel, CLAW_WHY_PIXEL);
}
