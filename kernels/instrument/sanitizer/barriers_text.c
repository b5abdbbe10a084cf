/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the votes on conditions do: the text in front of a rewritten one. A vote
 * is a row of words in local memory, one a side, for the lowest work-item that
 * takes it. There are three rows: one is voted in, the one of the vote before,
 * which all have read by the barrier of this one, is cleared, the third one is
 * clear. So a vote needs one barrier.
 */
#include "config.h"

#include "faults/shared/probe_format.h"
#include "sanitizer_private.h"

static const char text[] =
"#define __CLAW_SIDES %uu\n"
"#define __CLAW_NOBODY 0xffffffffu\n"
"#define __CLAW_BARRIERS_BEGIN"
" __local uint __claw_votes[3 * (__CLAW_SIDES + 2)]; __claw_k.votes = __claw_votes; __claw_k.turn = 0u; __claw_k.apart = 0u;"
" __claw_k.me = (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));"
" if (__claw_k.me == 0u) for (uint __claw_i = 0u; __claw_i < 3u * (__CLAW_SIDES + 2u); __claw_i++) __claw_votes[__claw_i] = __CLAW_NOBODY;"
" barrier(CLK_LOCAL_MEM_FENCE);\n"
/* other: a work-item of another side, by its flat local id. */
"__CLAW_STATIC __attribute__((noinline)) void __claw_parted(__global uint *p, uint access, uint condition, uint other, uint4 size, __CLAW_IDS_IN, uint4 at) {"
" const uint x = other %% size.x + g0 - at.x, y = other / size.x %% size.y + ids.s0 - at.y, z = other / size.x / size.y + ids.s1 - at.z;"
" const bool known = other != __CLAW_NOBODY;"
" __claw_record(p, access, 0u, %du, condition, known ? x | (ulong)y << 32 : 0UL, known ? z + 1UL : 0UL, g0, ids); }\n"
"#define __CLAW_PARTED(met, condition, other)"
" __claw_parted(__claw->p, CLAW_A + (met), condition, other, (uint4)((uint)get_local_size(0), (uint)get_local_size(1), (uint)get_local_size(2), 0u), __CLAW_IDS, (uint4)((uint)get_local_id(0), (uint)get_local_id(1), (uint)get_local_id(2), 0u))\n"
/* Sides that were taken, as bits; row: who took them. */
"__CLAW_STATIC inline __attribute__((always_inline)) uint __claw_sides(__private struct __claw_ctx *__claw, uint side, __local uint *__private *row) {"
" const uint turn = __claw->turn, before = turn == 0u ? 2u : turn - 1u;"
" __local uint *const now = __claw->votes + turn * (__CLAW_SIDES + 2u), *const old = __claw->votes + before * (__CLAW_SIDES + 2u);"
" __claw->turn = turn == 2u ? 0u : turn + 1u; *row = now;"
" __CLAW_LOWEST(now + side, __claw->me);"
" barrier(CLK_LOCAL_MEM_FENCE);"
" uint sides = 0u;"
" for (uint i = 0u; i < __CLAW_SIDES; i++) { sides |= (uint)(now[i] != __CLAW_NOBODY) << i; old[i] = __CLAW_NOBODY; }"
" return sides; }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) uint __claw_vote(__private struct __claw_ctx *__claw, uint side, uint sure, uint rest, uint bit, uint condition, uint met) {"
" __local uint *row; const uint sides = __claw_sides(__claw, side, &row), others = sides & ~(1u << side);"
" if (others == 0u) return side;"
" if ((sides & sure) == 0u) { if (__claw->apart == 0u) { __claw->parted = CLAW_A + condition + 1u; __claw->beyond = row[31u - clz(others)]; } __claw->apart |= bit; return side; }"
" if (sure >> side & 1u && row[side] == __claw->me) __CLAW_PARTED(met, CLAW_A + condition + 1u, row[31u - clz(others)]);"
" return rest; }\n"
/* A condition that only some of the group may have come to. within: those at
 * which the group can have gone apart and not have come together yet; the first
 * of these is where it parted. */
"__CLAW_STATIC inline __attribute__((always_inline)) uint __claw_alone(__private struct __claw_ctx *__claw, uint side, uint sure, uint rest, uint within, uint met) {"
" __claw->apart &= within; if (__claw->apart == 0u || !(sure >> side & 1u)) return side;"
" __CLAW_PARTED(met, __claw->parted, __claw->beyond); return rest; }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) uint __claw_vote_apart(__private struct __claw_ctx *__claw, uint side, uint sure, uint rest, uint within, uint bit, uint condition, uint met) {"
" __claw->apart &= within;"
" if (__claw->apart) return __claw_alone(__claw, side, sure, rest, within, met);"
" return __claw_vote(__claw, side, sure, rest, bit, condition, met); }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) void __claw_same(__private struct __claw_ctx *__claw, ulong value, uint met) {"
" __local uint *const first = __claw->votes + __claw->turn * (__CLAW_SIDES + 2u) + __CLAW_SIDES; __local uint *row;"
" if (__claw->me == 0u) { first[0] = (uint)value; first[1] = (uint)(value >> 32); }"
" barrier(CLK_LOCAL_MEM_FENCE);"
" const uint side = first[0] != (uint)value || first[1] != (uint)(value >> 32);"
" if (__claw_sides(__claw, side, &row) == 3u && side == 1u && row[1] == __claw->me) __CLAW_PARTED(met, CLAW_A + met + 1u, row[0]); }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) void __claw_same_apart(__private struct __claw_ctx *__claw, ulong value, uint met, uint within) {"
" __claw->apart &= within; if (__claw->apart == 0u) __claw_same(__claw, value, met); }\n";

/* What follows depends on one word, and not on the way that led to it: where a
 * group is a loop, all of it has to leave by one way (regions.h). */
static const char settled[] =
"#define __CLAW_LOWEST(p, item) (*(p) = __claw_least(*(p), item))\n"
"__CLAW_STATIC inline __attribute__((always_inline)) uint __claw_least(uint a, uint b) { return a < b ? a : b; }\n"
"#define __CLAW_SETTLED(d, x) ({ __claw->settled = (ulong)(x); (__typeof__(d))__claw->settled; })\n";

/* Where work-items are at work at once. */
static const char apart[] =
"#define __CLAW_SETTLED(d, x) (x)\n"
"#define __CLAW_LOWEST(p, item) atomic_min((volatile __local uint *)(p), item)\n";

void claw_barriers_text(const struct claw_sanitizer *sanitizer, FILE *out,
			FILE *fields)
{
	unsigned int sides = sanitizer->vote_sides;
	bool is_loop = sanitizer->rewrite->has_regions;

	fputs("__local uint *votes; volatile uint turn, apart; uint me, parted, beyond; ",
	      fields);
	fputs(is_loop ? "volatile ulong settled; " : "", fields);
	fputs(is_loop ? settled : apart, out);
	fprintf(out, text, sides < 2 ? 2 : sides, CLAW_WHY_DIVERGENCE);
}
