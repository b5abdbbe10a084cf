/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the probes of data races do: the text in front of a rewritten one. The
 * state of a granule is one word, which an access changes by compare-and-swap,
 * and only where it changes. After HiRace (Jacobson, Burtscher and
 * Gopalakrishnan, SC '24), whose states are those of one bit set here; who
 * accessed a granule, since which barrier, and how, decides what is a race,
 * not what came first.
 */
#include "config.h"

#include "faults/shared/probe_format.h"
#include "sanitizer_private.h"

static const char macros[] =
"#ifdef cl_khr_int64_base_atomics\n"
"#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
"#endif\n"
/* Of a buffer: index of its first word << 3 | log2 of a granule's bytes; local
 * ones with the highest bit set. */
"#define __CLAW_NO_SHADOW (~0UL)\n"
"#define __CLAW_LOCAL_SHADOW(at, shift) (0x8000000000000000UL | (at) << 3 | (shift))\n"
/* Of a buffer that is one argument only. */
"#define __CLAW_ALONE (1UL << 62)\n"
"#define __CLAW_FIRST(s) ((s) << 2 >> 5)\n"
"#define __CLAW_READS 1u\n#define __CLAW_WRITES 2u\n#define __CLAW_ATOMICS 4u\n"
/* async_work_group_copy(): by nobody of the group. */
"#define __CLAW_BY_COPY 8u\n"
/* An atomic whose scope ends at the work-group: for the others it is also a
 * read, which races with their atomics. */
"#define __CLAW_NARROW 16u\n"
"#define __CLAW_FOR_OTHERS(kind) ((kind) & __CLAW_NARROW ? __CLAW_READS | __CLAW_ATOMICS : (kind) & 7u)\n"
"#define __CLAW_ANY_VALUE 255u\n"
"#if __OPENCL_C_VERSION__ >= 200\n"
"#define __CLAW_LS(d) (uint)get_enqueued_local_size(d)\n"
"#define __CLAW_ALIKE(d) (get_global_size(d) % get_enqueued_local_size(d) == 0)\n"
"#else\n"
"#define __CLAW_LS(d) (uint)get_local_size(d)\n"
"#define __CLAW_ALIKE(d) 1\n"
"#endif\n"
"#define __CLAW_RACES_BEGIN(clean)"
" __claw_k.sh = __claw_sh; __claw_k.sl = __claw_sl; __claw_k.tag = __claw_sw.x; __claw_k.lw = __claw_sw.y;"
" __claw_k.lsz = __CLAW_LS(0) * __CLAW_LS(1) * __CLAW_LS(2);"
" __claw_k.lid = (uint)get_local_id(0) + __CLAW_LS(0) * ((uint)get_local_id(1) + __CLAW_LS(1) * (uint)get_local_id(2));"
" __claw_k.item = (((uint)get_group_id(0) + (uint)get_num_groups(0) * ((uint)get_group_id(1) + (uint)get_num_groups(1) * (uint)get_group_id(2))) * __claw_k.lsz + __claw_k.lid) & 0x3ffffffu;"
" __claw_k.ge = 0u; __claw_k.le = 0u; if (__claw_k.lw && __claw_k.lsz > 4096u) { __claw_k.le = __CLAW_LOCAL_LAST_EPOCH; __claw_k.p[__CLAW_SATURATED] = 1u; } if (__claw_k.lw && !(clean)) __claw_clear(__claw);\n"
"#define __CLAW_SIZES (uint8)(__CLAW_LS(0), __CLAW_LS(1), (uint)get_num_groups(0), (uint)get_num_groups(1), __claw->lsz, __claw->item, (uint)get_global_offset(0), (uint)get_global_offset(1)), (uint)get_global_offset(2)\n"
"#define __CLAW_RACE_GLOBAL(a, lo, n, s, bytes, kind, value, access, site, object)"
" if ((s) != __CLAW_NO_SHADOW && __CLAW_IN(a, lo, n, bytes))"
" for (ulong __claw_g = (((ulong)(a) - (lo)) >> ((s) & 7UL)) + __CLAW_FIRST(s), __claw_h = (((ulong)(a) - (lo) + (bytes) - 1UL) >> ((s) & 7UL)) + __CLAW_FIRST(s); __claw_g <= __claw_h; __claw_g++)"
" if (!__claw_known(__claw, __claw_g, kind, value))"
" __claw_race(__claw->p, __claw->sh + __claw_g, kind, value, __claw->tag, __claw->ge, access, site, object, (ulong)(a) - (lo), __CLAW_IDS, __CLAW_SIZES)\n"
"#define __CLAW_RACE_LOCAL(a, lo, n, s, bytes, kind, value, access, site, object)"
" if ((s) != __CLAW_NO_SHADOW && __CLAW_IN(a, lo, n, bytes))"
" for (uint __claw_g = (uint)(((ulong)(a) - (lo)) >> ((s) & 7UL)) + (uint)((s) >> 3), __claw_h = (uint)(((ulong)(a) - (lo) + (bytes) - 1UL) >> ((s) & 7UL)) + (uint)((s) >> 3); __claw_g <= __claw_h; __claw_g++)"
" { const ulong __claw_y = __claw_race_local(__claw, __claw_g, kind, value, site);"
" if (__claw_y) __claw_local_found(__claw->p, __claw_y, kind, value, access, object, (ulong)(a) - (lo), __CLAW_IDS, __CLAW_SIZES); }\n"
"#define __CLAW_RACE_GENERIC(a, lo, n, s, bytes, kind, value, access, site, object)"
" if ((s) >> 63 && (s) != __CLAW_NO_SHADOW) { __CLAW_RACE_LOCAL(a, lo, n, s, bytes, kind, value, access, site, object) }"
" else { __CLAW_RACE_GLOBAL(a, lo, n, s, bytes, kind, value, access, site, object); }\n";

/* a * b; where one of them is not of 31 bits more than any object has. */
static const char times[] =
"__CLAW_STATIC inline __attribute__((always_inline)) long __claw_times(long a, long b) { return (ulong)(a | b) >> 31 ? 1L << 56 : a * b; }\n";

/* A granule of global memory, from the highest bit: tag 4 (of the launch),
 * many groups 1, many work-items 1, now 3, ever 3, epoch 10, work-item 26,
 * where 8, last 8. now: since the last barrier, by the work-items of the group. */
static const char global[] =
"#define __CLAW_FLAGS(o) ((uint)((o) >> 52) & 0xffu)\n"
"#define __CLAW_EPOCH(o) ((uint)((o) >> 42) & 0x3ffu)\n"
"#define __CLAW_ITEM(o) ((uint)((o) >> 16) & 0x3ffffffu)\n"
"#define __CLAW_WHERE(o) ((uint)(o) >> 8 & 0xffu)\n"
"#define __CLAW_LAST(o) ((uint)(o) & 0xffu)\n"
"#define __CLAW_LOCAL_NOW(o) ((uint)((o) >> 61))\n"
"#define __CLAW_LOCAL_MANY(o) ((uint)((o) >> 60) & 1u)\n"
"#define __CLAW_LOCAL_EPOCH(o) ((uint)((o) >> 44) & 0xffffu)\n"
"#define __CLAW_LOCAL_ITEM(o) ((uint)((o) >> 32) & 0xfffu)\n"
"#define __CLAW_MANY_GROUPS 0x80u\n#define __CLAW_MANY_ITEMS 0x40u\n"
"#define __CLAW_LAST_EPOCH 1023u\n"
/* Nothing that a word does not say already. */
"__CLAW_STATIC inline __attribute__((always_inline)) bool __claw_known(__private struct __claw_ctx *k, ulong at, uint kind, uint value) {"
" const ulong o = *(volatile __global ulong *)(k->sh + at); const uint f = __CLAW_FLAGS(o);"
" if ((uint)(o >> 60) != k->tag || kind & (__CLAW_BY_COPY | __CLAW_NARROW)) return false;"
" if (f & __CLAW_MANY_GROUPS) return (f & 7u) == kind && kind != __CLAW_WRITES;"
" if (f & __CLAW_MANY_ITEMS) return __CLAW_EPOCH(o) == k->ge && (f >> 3 & 7u) == kind && kind != __CLAW_WRITES && __CLAW_ITEM(o) - (k->item - k->lid) < k->lsz;"
" return __CLAW_ITEM(o) == k->item && __CLAW_EPOCH(o) == k->ge && (f >> 3 & kind) && (kind != __CLAW_WRITES || (f & 7u) != __CLAW_WRITES || (o & 255UL) == value); }\n"
"__CLAW_STATIC inline bool __claw_conflict(uint was, uint kind) {"
" return kind == __CLAW_WRITES || was & __CLAW_WRITES || (was | kind) == (__CLAW_READS | __CLAW_ATOMICS); }\n"
/* The other work-item's place in the range, from its number. */
"__CLAW_STATIC void __claw_race_found(__global uint *p, uint access, uint object, ulong offset, uint other, uint site, uint what, __CLAW_IDS_IN, uint8 z, uint z2) {"
" __claw_count(p, access); const uint pair = (access * 256u + (access >> 6) * 97u + site) %% %du;"
" if (atomic_or((volatile __global uint *)p + p[%d] + pair / 32u, 1u << pair %% 32u) >> pair %% 32u & 1u) return;"
" const uint l = other %% z.s4, g = other / z.s4;"
" const uint x = g %% z.s2 * z.s0 + l %% z.s0 + z.s6, y = g / z.s2 %% z.s3 * z.s1 + l / z.s0 %% z.s1 + z.s7, w = g / z.s2 / z.s3 * (z.s4 / (z.s0 * z.s1)) + l / z.s0 / z.s1 + z2;"
" __claw_put(p, access, object, %du, (ulong)(site ? CLAW_A + site : 0u) | (ulong)(what | w << 8) << 32, offset, (ulong)x | (ulong)y << 32, g0, ids); }\n";

/* Where the accesses were that a word knows. where: the last write; while there
 * is none the last atomic; while there are only reads, by several, that of the
 * second. last: what a write that was alone wrote; the last read, or while
 * there is none since the barrier, the last access; while there are only
 * atomics, by several, that of the second. 0: not known. The item of a word is
 * the first of several. */
static const char sites[] =
"__CLAW_STATIC inline uint __claw_sites(uint ever, uint now, uint kind, uint value, uint site, uint o, bool joins) {"
" uint where = __CLAW_WHERE(o), last = __CLAW_LAST(o); const uint writes = ever & __CLAW_WRITES;"
" if (joins) {"
"  if (ever == __CLAW_READS) where = site; else if (ever == __CLAW_ATOMICS) last = site;"
"  else if (ever == __CLAW_WRITES || (kind == __CLAW_ATOMICS && !writes)) where = where == site ? site : 0u;"
"  else last = last == site ? site : 0u;"
"  return where << 8 | last; }"
" if (kind == __CLAW_WRITES || (!writes && (kind == __CLAW_ATOMICS || !(ever & __CLAW_ATOMICS)))) where = site;"
" if ((ever | kind) == __CLAW_WRITES) last = ever && last != value ? __CLAW_ANY_VALUE : value;"
" else if (kind != __CLAW_ATOMICS || !((writes ? now : ever) & __CLAW_READS)) last = site;"
" return where << 8 | last; }\n"
/* The other access: what it does, 8 if by the word's item; where it is. ours:
 * the word's item is the one that has come, or cannot race with it. */
"__CLAW_STATIC inline uint2 __claw_other(uint ever, uint clash, uint kind, bool ours, uint o) {"
" const uint where = __CLAW_WHERE(o), last = __CLAW_LAST(o), item = ours ? 0u : 8u;"
" if (clash & __CLAW_WRITES)"
"  return (uint2)(__CLAW_WRITES | (ever == __CLAW_WRITES || where == last ? item : 0u), where);"
" if (clash & __CLAW_ATOMICS && kind != __CLAW_ATOMICS)"
"  return (uint2)(__CLAW_ATOMICS | item, ever & __CLAW_WRITES ? clash & __CLAW_READS ? 0u : last : ours && ever == __CLAW_ATOMICS ? last : where);"
" return (uint2)(__CLAW_READS | item, ours && ever == __CLAW_READS ? where : last); }\n";

static const char access[] =
"__CLAW_STATIC __attribute__((noinline)) void __claw_race(__global uint *p, __global ulong *at, uint kind, uint value, uint tag, uint epoch, uint access, uint site, uint object, ulong offset, __CLAW_IDS_IN, uint8 z, uint z2) {"
" const uint item = z.s5, by = kind & __CLAW_BY_COPY, far = __CLAW_FOR_OTHERS(kind); kind &= 7u; volatile __global ulong *const word = at;"
" for (;;) {"
"  const ulong o = *word; const bool fresh = (uint)(o >> 60) != tag;"
"  uint f = fresh ? 0u : __CLAW_FLAGS(o), ever = f & 7u, now = f >> 3 & 7u, many = f & 0xc0u, e = __CLAW_EPOCH(o), i = __CLAW_ITEM(o), last = __CLAW_LAST(o);"
"  const bool ours = i / z.s4 == item / z.s4, mine = i == item && !many && !by;"
"  const bool same = kind == __CLAW_WRITES && ever == kind && value != __CLAW_ANY_VALUE && last == value, same_value = same && !__CLAW_SAME_VALUE;"
"  uint clash = 0u; bool joins = false;"
"  if (f == 0u) { now = 0u; many = 0u; e = epoch; i = item; }"
"  else if (many & __CLAW_MANY_GROUPS) { if (!__claw_conflict(ever, far) || same_value) return; clash = ever; }"
"  else if (!ours) { if (!__claw_conflict(ever, far) || same_value) { many = __CLAW_MANY_GROUPS; now = 0u; joins = true; } else clash = ever; }"
"  else if (epoch > e || epoch == __CLAW_LAST_EPOCH) { now = 0u; many = 0u; e = epoch; i = item; }"
"  else if (epoch < e) return;"
"  else if (mine) { if (now & kind && !(far & ~ever) && (kind != __CLAW_WRITES || ever != kind || last == value || last == __CLAW_ANY_VALUE)) return; }"
"  else if (!__claw_conflict(now, kind) || (same_value && now == kind)) { if (many && now == kind && !(far & ~ever)) return; many = __CLAW_MANY_ITEMS; joins = true; }"
"  else clash = now;"
"  if (clash) {"
"   const bool apart = many & __CLAW_MANY_GROUPS;"
"   const uint2 other = __claw_other(ever, clash, apart || !ours ? far : kind, many && (apart ? ours : i == item), (uint)o);"
"   __claw_race_found(p, access, object, offset, i, other.y, other.x | (ours && !apart ? 16u : 0u) | (same ? 32u : 0u), g0, ids, z, z2); return; }"
"  const uint all = ever | far, sites = __claw_sites(ever, now, kind, value, site, (uint)o, joins);"
"  if (!(many & __CLAW_MANY_GROUPS)) { now |= kind; if (by) many = __CLAW_MANY_ITEMS; }"
"  if (atom_cmpxchg(word, o, (ulong)tag << 60 | (ulong)(many | now << 3 | all) << 52 | (ulong)e << 42 | (ulong)i << 16 | sites) == o) return; } }\n";

/* Of local memory: now 3, many work-items 1, epoch 16, work-item 12, where 8,
 * last 8. */
static const char local[] =
"#define __CLAW_LOCAL_LAST_EPOCH 0xffffu\n"
"__CLAW_STATIC inline __attribute__((always_inline)) void __claw_epoch(__private struct __claw_ctx *k, uint flags) {"
" k->ge += flags & CLK_GLOBAL_MEM_FENCE && k->ge < __CLAW_LAST_EPOCH ? 1u : 0u;"
" k->le += flags & CLK_LOCAL_MEM_FENCE && k->le < __CLAW_LOCAL_LAST_EPOCH ? 1u : 0u;"
" if (k->ge == __CLAW_LAST_EPOCH || k->le == __CLAW_LOCAL_LAST_EPOCH) k->p[__CLAW_SATURATED] = 1u; }\n"
/* 0: no race; else the word that it is one with. */
"__CLAW_STATIC __CLAW_LOCAL_INLINE ulong __claw_race_local(__private struct __claw_ctx *k, uint at, uint kind, uint value, uint site) {"
" volatile __local ulong *const word = k->sl + at; const uint by = kind & __CLAW_BY_COPY; kind &= 7u; if (k->le == __CLAW_LOCAL_LAST_EPOCH) return 0UL;"
" for (;;) {"
"  const ulong o = *word; uint now = __CLAW_LOCAL_NOW(o), many = __CLAW_LOCAL_MANY(o), i = __CLAW_LOCAL_ITEM(o), last = __CLAW_LAST(o);"
"  bool joins = false; const bool same_value = !__CLAW_SAME_VALUE && kind == __CLAW_WRITES && now == kind && value != __CLAW_ANY_VALUE && last == value;"
"  if (now == 0u || __CLAW_LOCAL_EPOCH(o) != k->le) { now = 0u; many = 0u; i = k->lid; }"
"  else if (!many && i == k->lid && !by) { if (now & kind && (kind != __CLAW_WRITES || now != kind || last == value || last == __CLAW_ANY_VALUE)) return 0UL; }"
"  else if (!__claw_conflict(now, kind) || same_value) { if (many && now == kind) return 0UL; many = 1u; joins = true; }"
"  else return o;"
"  const uint sites = __claw_sites(now, now, kind, value, site, (uint)o, joins);"
"  now |= kind; if (by) many = 1u;"
"  if (__CLAW_LOCAL_SWAP(word, o, (ulong)(now << 1 | many) << 60 | (ulong)k->le << 44 | (ulong)(i & 0xfffu) << 32 | sites)) return 0UL; } }\n";

/* Where a group is a loop nobody else is at its local memory meanwhile, and the
 * first work-item is there before the others. */
static const char loop[] =
"#define __CLAW_LOCAL_INLINE inline __attribute__((always_inline))\n"
"__CLAW_STATIC inline __attribute__((always_inline)) void __claw_clear(__private struct __claw_ctx *k) {"
" if (k->lid == 0u) for (uint i = 0u; i < k->lw; i++) k->sl[i] = 0UL; }\n"
"#define __CLAW_LOCAL_SWAP(word, o, n) ({ *(word) = (n); true; })\n";
static const char items[] =
"#define __CLAW_LOCAL_INLINE\n"
"__CLAW_STATIC void __claw_clear(__private struct __claw_ctx *k) {"
" const uint step = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));"
" for (uint i = (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))); i < k->lw; i += step) k->sl[i] = 0UL;"
" barrier(CLK_LOCAL_MEM_FENCE); }\n"
"#define __CLAW_LOCAL_SWAP(word, o, n) (atom_cmpxchg(word, o, n) == (o))\n";

/* What was found, and what was written. */
static const char found[] =
"__CLAW_STATIC __attribute__((noinline)) void __claw_local_found(__global uint *p, ulong o, uint kind, uint value, uint access, uint object, ulong offset, __CLAW_IDS_IN, uint8 z, uint z2) {"
" const uint now = __CLAW_LOCAL_NOW(o), i = __CLAW_LOCAL_ITEM(o); const uint2 other = __claw_other(now, now, kind & 7u, __CLAW_LOCAL_MANY(o) && i == z.s5 % z.s4, (uint)o);"
" __claw_race_found(p, access, object, offset, z.s5 - z.s5 % z.s4 + i, other.y, other.x | 16u | ((kind & 7u) == __CLAW_WRITES && now == __CLAW_WRITES && value != __CLAW_ANY_VALUE && __CLAW_LAST(o) == value ? 32u : 0u), g0, ids, z, z2); }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) uint __claw_hash(const __private uchar *v, uint n) {"
" uint h = 0u, i = 0u; if (n == 0u) return __CLAW_ANY_VALUE;"
" for (; i + 4u <= n; i += 4u) h = h * 923521u + v[i] * 29791u + v[i + 1u] * 961u + v[i + 2u] * 31u + v[i + 3u];"
" for (; i < n; i++) h = h * 31u + v[i];"
" return (h ^ h >> 8 ^ h >> 16 ^ h >> 24) % 255u; }\n";

void claw_races_text(const struct claw_rewrite *rewrite, FILE *out)
{
	fputs(macros, out);
	fprintf(out, "#define __CLAW_SATURATED %d\n#define __CLAW_SAME_VALUE %d\n",
		CLAW_PROBE_SATURATED,
		(rewrite->request->modes & CLAW_PROBE_SAME_VALUE) != 0);
	fputs(times, out);
	fprintf(out, global, CLAW_PROBE_PAIR_WORDS * 32, CLAW_PROBE_PAIRS_AT,
		CLAW_WHY_RACE);
	fputs(sites, out);
	fputs(access, out);
	fputs(rewrite->has_regions ? loop : items, out);
	fputs(local, out);
	fputs(found, out);
}
