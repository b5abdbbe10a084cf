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
"#define __CLAW_READS 1u\n#define __CLAW_WRITES 2u\n#define __CLAW_ATOMICS 4u\n"
"#define __CLAW_ANY_VALUE 255u\n"
"#if __OPENCL_C_VERSION__ >= 200\n"
"#define __CLAW_LS(d) (uint)get_enqueued_local_size(d)\n"
"#else\n"
"#define __CLAW_LS(d) (uint)get_local_size(d)\n"
"#endif\n"
"#define __CLAW_RACES_BEGIN"
" __claw_k.sh = __claw_sh; __claw_k.sl = __claw_sl; __claw_k.tag = __claw_sw.x; __claw_k.lw = __claw_sw.y;"
" __claw_k.lsz = __CLAW_LS(0) * __CLAW_LS(1) * __CLAW_LS(2);"
" __claw_k.lid = (uint)get_local_id(0) + __CLAW_LS(0) * ((uint)get_local_id(1) + __CLAW_LS(1) * (uint)get_local_id(2));"
" __claw_k.item = ((uint)get_group_id(0) + (uint)get_num_groups(0) * ((uint)get_group_id(1) + (uint)get_num_groups(1) * (uint)get_group_id(2))) * __claw_k.lsz + __claw_k.lid;"
" __claw_k.ge = 0u; __claw_k.le = 0u; if (__claw_k.lw) __claw_clear(__claw);\n"
"#define __CLAW_SIZES (uint8)(__CLAW_LS(0), __CLAW_LS(1), (uint)get_num_groups(0), (uint)get_num_groups(1), __claw->lsz, __claw->item, (uint)get_global_offset(0), (uint)get_global_offset(1)), (uint)get_global_offset(2)\n"
"#define __CLAW_RACE_GLOBAL(a, lo, n, s, bytes, kind, value, access, site, object)"
" if ((s) != __CLAW_NO_SHADOW && __CLAW_IN(a, lo, n, bytes))"
" for (ulong __claw_g = (((ulong)(a) - (lo)) >> ((s) & 7UL)) + ((s) >> 3), __claw_h = (((ulong)(a) - (lo) + (bytes) - 1UL) >> ((s) & 7UL)) + ((s) >> 3); __claw_g <= __claw_h; __claw_g++)"
" if (!__claw_known(__claw, __claw_g, kind, value))"
" __claw_race(__claw->p, __claw->sh + __claw_g, kind, value, __claw->tag, __claw->ge, access, site, object, (ulong)(a) - (lo), __CLAW_IDS, __CLAW_SIZES)\n"
"#define __CLAW_RACE_LOCAL(a, lo, n, s, bytes, kind, value, access, site, object)"
" if ((s) != __CLAW_NO_SHADOW && __CLAW_IN(a, lo, n, bytes))"
" for (uint __claw_g = (uint)(((ulong)(a) - (lo)) >> ((s) & 7UL)) + (uint)((s) >> 3), __claw_h = (uint)(((ulong)(a) - (lo) + (bytes) - 1UL) >> ((s) & 7UL)) + (uint)((s) >> 3); __claw_g <= __claw_h; __claw_g++)"
" { const uint __claw_y = __claw_race_local(__claw, __claw_g, kind, value, site);"
" if (__claw_y) __claw_local_found(__claw->p, __claw_y, access, site, object, (ulong)(a) - (lo), __CLAW_IDS, __CLAW_SIZES); }\n"
"#define __CLAW_RACE_GENERIC(a, lo, n, s, bytes, kind, value, access, site, object)"
" if ((s) >> 63 && (s) != __CLAW_NO_SHADOW) { __CLAW_RACE_LOCAL(a, lo, n, s, bytes, kind, value, access, site, object) }"
" else { __CLAW_RACE_GLOBAL(a, lo, n, s, bytes, kind, value, access, site, object); }\n";

/* A granule of global memory, from the highest bit: tag 4 (of the launch),
 * many groups 1, many work-items 1, now 3, ever 3, epoch 10, work-item 26,
 * where 8 (the last write), last 8 (the last access; while only writes were
 * seen, what they wrote). now: since the last barrier, by the work-items of the group. */
static const char global[] =
"#define __CLAW_FLAGS(o) ((uint)((o) >> 52) & 0xffu)\n"
"#define __CLAW_EPOCH(o) ((uint)((o) >> 42) & 0x3ffu)\n"
"#define __CLAW_ITEM(o) ((uint)((o) >> 16) & 0x3ffffffu)\n"
"#define __CLAW_MANY_GROUPS 0x80u\n#define __CLAW_MANY_ITEMS 0x40u\n"
"#define __CLAW_LAST_EPOCH 1023u\n"
/* Nothing that a word does not say already. */
"__CLAW_STATIC inline __attribute__((always_inline)) bool __claw_known(__private struct __claw_ctx *k, ulong at, uint kind, uint value) {"
" const ulong o = *(volatile __global ulong *)(k->sh + at); const uint f = __CLAW_FLAGS(o);"
" if ((uint)(o >> 60) != k->tag) return false;"
" if (f & __CLAW_MANY_GROUPS) return (f & 7u) == kind && kind != __CLAW_WRITES;"
" if (f & __CLAW_MANY_ITEMS) return __CLAW_EPOCH(o) == k->ge && (f >> 3 & 7u) == kind && kind != __CLAW_WRITES && __CLAW_ITEM(o) - (k->item - k->lid) < k->lsz;"
" return __CLAW_ITEM(o) == k->item && __CLAW_EPOCH(o) == k->ge && (f >> 3 & kind) && (kind != __CLAW_WRITES || (f & 7u) != __CLAW_WRITES || (o & 255UL) == value); }\n"
"__CLAW_STATIC inline bool __claw_conflict(uint was, uint kind) {"
" return kind == __CLAW_WRITES || was & __CLAW_WRITES || (was | kind) == (__CLAW_READS | __CLAW_ATOMICS); }\n"
/* The other work-item's place in the range, from its number. */
"__CLAW_STATIC void __claw_race_found(__global uint *p, uint access, uint object, ulong offset, uint other, uint site, uint what, __CLAW_IDS_IN, uint8 z, uint z2) {"
" const uint l = other %% z.s4, g = other / z.s4;"
" const uint x = g %% z.s2 * z.s0 + l %% z.s0 + z.s6, y = g / z.s2 %% z.s3 * z.s1 + l / z.s0 %% z.s1 + z.s7, w = g / z.s2 / z.s3 * (z.s4 / (z.s0 * z.s1)) + l / z.s0 / z.s1 + z2;"
" __claw_record(p, access, object, %du, (ulong)(site ? CLAW_A + site : 0u) | (ulong)(what | w << 8) << 32, offset, (ulong)x | (ulong)y << 32, g0, ids); }\n"
"__CLAW_STATIC __attribute__((noinline)) void __claw_race(__global uint *p, __global ulong *at, uint kind, uint value, uint tag, uint epoch, uint access, uint site, uint object, ulong offset, __CLAW_IDS_IN, uint8 z, uint z2) {"
" const uint item = z.s5; volatile __global ulong *const word = at;"
" for (;;) {"
"  const ulong o = *word; const bool fresh = (uint)(o >> 60) != tag;"
"  uint f = fresh ? 0u : __CLAW_FLAGS(o), ever = f & 7u, now = f >> 3 & 7u, many = f & 0xc0u, e = __CLAW_EPOCH(o), i = __CLAW_ITEM(o), where = (uint)(o >> 8) & 255u, last = (uint)o & 255u;"
"  const bool ours = i / z.s4 == item / z.s4, mine = i == item && !many;"
"  const bool same_value = kind == __CLAW_WRITES && ever == kind && value != __CLAW_ANY_VALUE && last == value;"
"  uint clash = 0u;"
"  if (f == 0u) { now = 0u; many = 0u; e = epoch; i = item; }"
"  else if (many & __CLAW_MANY_GROUPS) { if (!__claw_conflict(ever, kind) || same_value) return; clash = ever; }"
"  else if (!ours) { if (!__claw_conflict(ever, kind) || same_value) { many = __CLAW_MANY_GROUPS; now = 0u; } else clash = ever; }"
"  else if (epoch > e || epoch == __CLAW_LAST_EPOCH) { now = 0u; many = 0u; e = epoch; i = item; }"
"  else if (epoch < e) return;"
"  else if (mine) { if (now & kind && (kind != __CLAW_WRITES || ever != kind || last == value || last == __CLAW_ANY_VALUE)) return; }"
"  else if (!__claw_conflict(now, kind) || (same_value && now == kind)) { if (many && now == kind) return; many = __CLAW_MANY_ITEMS; }"
"  else clash = now;"
"  if (clash) {"
"   const bool by_write = ever & __CLAW_WRITES && (kind != __CLAW_WRITES || clash & __CLAW_WRITES), last_wrote = by_write && !many && (ever == __CLAW_WRITES || where == last);"
"   const uint what = by_write ? __CLAW_WRITES : clash & __CLAW_ATOMICS && kind != __CLAW_ATOMICS ? __CLAW_ATOMICS : clash & __CLAW_READS ? __CLAW_READS : clash;"
"   __claw_race_found(p, access, object, offset, i, by_write ? where : last, what | (many || (by_write && !last_wrote) ? 0u : 8u) | (ours && !(many & __CLAW_MANY_GROUPS) ? 16u : 0u), g0, ids, z, z2); return; }"
"  const uint all = ever | kind;"
"  if (all == __CLAW_WRITES) last = f && ever && last != value ? __CLAW_ANY_VALUE : value; else last = site;"
"  if (kind == __CLAW_WRITES || !(ever & __CLAW_WRITES)) where = site;"
"  if (!(many & __CLAW_MANY_GROUPS)) now |= kind;"
"  if (atom_cmpxchg(word, o, (ulong)tag << 60 | (ulong)(many | now << 3 | all) << 52 | (ulong)e << 42 | (ulong)i << 16 | (ulong)(where << 8 | last)) == o) return; } }\n";

/* Of local memory: now 3, many work-items 1, epoch 5, work-item 10, where 6,
 * what was written 7. */
static const char local[] =
"#define __CLAW_LOCAL_EPOCHS 31u\n"
"__CLAW_STATIC void __claw_clear(__private struct __claw_ctx *k) {"
" const uint step = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));"
" for (uint i = (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))); i < k->lw; i += step) k->sl[i] = 0u;"
" barrier(CLK_LOCAL_MEM_FENCE); }\n"
"__CLAW_STATIC void __claw_epoch(__private struct __claw_ctx *k, uint flags) {"
" if (flags & CLK_GLOBAL_MEM_FENCE && k->ge < __CLAW_LAST_EPOCH) k->ge++;"
" if (flags & CLK_LOCAL_MEM_FENCE && k->lw && ++k->le == __CLAW_LOCAL_EPOCHS) { __claw_clear(k); k->le = 0u; } }\n"
/* 0: no race; else the word that it is one with, the lowest bit of now set. */
"__CLAW_STATIC uint __claw_race_local(__private struct __claw_ctx *k, uint at, uint kind, uint value, uint site) {"
" volatile __local uint *const word = k->sl + at; value = value == __CLAW_ANY_VALUE ? 127u : value %% 127u; site = site < 63u ? site : 0u;"
" for (;;) {"
"  const uint o = *word; uint now = o >> 29, many = o >> 28 & 1u, i = o >> 13 & 0x3ffu, where = o >> 7 & 63u, last = o & 127u;"
"  const uint e = o >> 23 & 31u; const bool same_value = kind == __CLAW_WRITES && now == kind && value != 127u && last == value;"
"  if (now == 0u || e != k->le) { now = 0u; many = 0u; i = k->lid; }"
"  else if (!many && i == k->lid) { if (now & kind && (kind != __CLAW_WRITES || now != kind || last == value || last == 127u)) return 0u; }"
"  else if (!__claw_conflict(now, kind) || same_value) { if (many && now == kind) return 0u; many = 1u; }"
"  else return o;"
"  if ((now | kind) == __CLAW_WRITES) last = now && last != value ? 127u : value;"
"  if (kind == __CLAW_WRITES || !(now & __CLAW_WRITES)) where = site;"
"  now |= kind;"
"  if (atomic_cmpxchg(word, o, now << 29 | many << 28 | k->le << 23 | i << 13 | where << 7 | last) == o) return 0u; } }\n"
"__CLAW_STATIC __attribute__((noinline)) void __claw_local_found(__global uint *p, uint o, uint access, uint site, uint object, ulong offset, __CLAW_IDS_IN, uint8 z, uint z2) {"
" const uint now = o >> 29, i = o >> 13 & 0x3ffu, what = now & __CLAW_WRITES ? __CLAW_WRITES : now & __CLAW_ATOMICS ? __CLAW_ATOMICS : __CLAW_READS;"
" __claw_race_found(p, access, object, offset, z.s5 - z.s5 %% z.s4 + i, o >> 7 & 63u, what | (o >> 28 & 1u ? 0u : 8u) | 16u, g0, ids, z, z2); }\n"
"__CLAW_STATIC inline __attribute__((always_inline)) uint __claw_hash(const __private uchar *v, uint n) {"
" uint h = 0u; if (n == 0u) return __CLAW_ANY_VALUE;"
" for (uint i = 0u; i < n; i++) h = h * 31u + v[i]; return (h ^ h >> 8 ^ h >> 16 ^ h >> 24) %% 255u; }\n";

void claw_races_text(FILE *out)
{
	fputs(macros, out);
	fprintf(out, global, CLAW_WHY_RACE);
	fprintf(out, local);
}
