/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the probes of unwritten memory do: the text in front of a rewritten
 * one. Nothing here is atomic: whoever writes a byte writes its shadow, and
 * work-items that do so at the same time write the same.
 */
#include "config.h"

#include "faults/shared/probe_format.h"
#include "init.h"

/* A handle of a shadow: an address, log2 of a granule's bytes << 58, and in the
 * two highest bits whose: 0 global, 1 local, 2 private memory. 0: none. */
static const char handles[] =
"#define __CLAW_NO_CELL 0UL\n"
"#define __CLAW_CELL(p, shift, whose) ((ulong)(p) | (ulong)(shift) << 58 | (ulong)(whose) << 62)\n"
"#define __CLAW_CELL_AT(h) ((h) & 0x03ffffffffffffffUL)\n"
"#define __CLAW_CELL_SHIFT(h) ((uint)((h) >> 58) & 7u)\n"
"#define __CLAW_WROTE ((uchar)0xff)\n"
"#define __CLAW_UNSET(access, object, at, n) __claw_unset(__claw->p, access, object, at, n, __CLAW_IDS)\n"
"__CLAW_STATIC __attribute__((noinline)) void __claw_unset(__global uint *p, uint access, uint object, ulong at, ulong n, __CLAW_IDS_IN) {"
" __claw_record(p, access, object, %du, 0UL, at, n, g0, ids); }\n";

/* Of global memory, a word of so many bytes at once. */
static const char global[] =
"__CLAW_STATIC inline __attribute__((always_inline)) bool __claw_is_global_%u(ulong h, ulong at, ulong n) {"
" if (!h) return true; __global const %s *const p = (__global const %s *)(h + at); bool is = true;"
" for (ulong i = 0UL; i < n / %uUL; i++) is = is && p[i] == (%s)~(%s)0; return is; }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) void __claw_set_global_%u(ulong h, ulong at, ulong n, uchar v) {"
" if (!h) return; __global %s *const p = (__global %s *)(h + at);"
" for (ulong i = 0UL; i < n / %uUL; i++) p[i] = (%s)(v ? ~(%s)0 : (%s)0); }\n"
"#define __claw_is_constant_%u __claw_is_global_%u\n";

/* Of local memory and variables, by granules. */
static const char others[] =
"__CLAW_STATIC inline __attribute__((always_inline)) bool __claw_%s_is(__%s const uchar *p, uint shift, ulong at, ulong n) {"
" bool is = true; for (ulong i = at >> shift, end = (at + n - 1UL) >> shift; i <= end; i++) is = is && p[i]; return is; }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) void __claw_%s_set(__%s uchar *p, uint shift, ulong at, ulong n, uchar v) {"
" for (ulong i = at >> shift, end = (at + n - 1UL) >> shift; i <= end; i++) p[i] = v; }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) bool __claw_is_%s(ulong h, ulong at, ulong n) {"
" return !h || __claw_%s_is((__%s const uchar *)__CLAW_CELL_AT(h), __CLAW_CELL_SHIFT(h), at, n); }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) void __claw_set_%s(ulong h, ulong at, ulong n, uchar v) {"
" if (h) __claw_%s_set((__%s uchar *)__CLAW_CELL_AT(h), __CLAW_CELL_SHIFT(h), at, n, v); }\n";

/* Where a pointer may be any of them. */
static const char generic[] =
"__CLAW_STATIC inline bool __claw_is_generic_%u(ulong h, ulong at, ulong n) {"
" return h >> 62 == 1UL ? __claw_is_local(h, at, n) : h >> 62 == 2UL ? __claw_is_private(h, at, n) : __claw_is_global_%u(h, at, n); }\n"
"__CLAW_STATIC inline void __claw_set_generic_%u(ulong h, ulong at, ulong n, uchar v) {"
" if (h >> 62 == 1UL) __claw_set_local(h, at, n, v); else if (h >> 62 == 2UL) __claw_set_private(h, at, n, v); else __claw_set_global_%u(h, at, n, v); }\n";

static const char begin[] =
"#define __CLAW_CELL_LSZ (get_local_size(0) * get_local_size(1) * get_local_size(2))\n"
"#define __CLAW_CELL_LID (get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)))\n"
"__CLAW_STATIC void __claw_cells_clear(__local uchar *p, uint n) {"
" for (uint i = (uint)__CLAW_CELL_LID; i < n; i += (uint)__CLAW_CELL_LSZ) p[i] = (uchar)0;"
" barrier(CLK_LOCAL_MEM_FENCE); }\n";

void claw_init_text(FILE *out)
{
	static const struct { unsigned int bytes; const char *type; } units[] = {
		{ 1, "uchar" }, { 2, "ushort" }, { 4, "uint" }, { 8, "ulong" },
	};
	static const char *const spaces[] = { "local", "private" };

	fprintf(out, handles, CLAW_WHY_UNWRITTEN);
	for (size_t i = 0; i < 4; i++) {
		unsigned int n = units[i].bytes;
		const char *t = units[i].type;

		fprintf(out, global, n, t, t, n, t, t, n, t, t, n, t, t, t, n,
			n);
	}
	for (size_t i = 0; i < 2; i++) {
		const char *s = spaces[i];

		fprintf(out, others, s, s, s, s, s, s, s, s, s, s);
	}
	for (size_t i = 0; i < 4; i++)
		fprintf(out, generic, units[i].bytes, units[i].bytes,
			units[i].bytes, units[i].bytes);
	fputs(begin, out);
}
