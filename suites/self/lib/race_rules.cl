/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses that a probe can be left out of, and what looks like them and races:
 * suites/self/slow/race_rules.test. A kernel whose name begins with bad_ has a
 * race, one with ok_ none. See suites/self/helpers/race_rules.c.
 */
#define K(name) kernel void name(global int *a, global int *b, local int *l, int n)
#define X (int)get_global_id(0)
#define Y (int)get_global_id(1)
#define Z (int)get_global_id(2)
#define LX (int)get_local_id(0)
#define LY (int)get_local_id(1)
#define LS (int)get_local_size(0)
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define OUT b[Y * (int)get_global_size(0) + X]

/* ---- global memory: an element each ------------------------------------------- */

//! ok_line 0 2 512,1,1 64,1,1 0
K(ok_line) { a[X] = b[X] + X; a[X]++; }
//! bad_line 0 2 512,2,1 64,1,1 0
K(bad_line) { a[X] = Y; }
//! bad_deep_line 0 2 64,1,2 8,1,1 0
K(bad_deep_line) { a[X] = Z; }
//! ok_square 64 2 64,8,1 8,8,1 0
K(ok_square) { int at = Y * n + X; a[at] = at; }
//! bad_square 63 2 64,8,1 8,8,1 0
K(bad_square) { int at = Y * n + X; a[at] = X; }
//! bad_flat 0 2 64,8,1 8,8,1 0
K(bad_flat) { a[Y * n + X] = Y; }
//! bad_backwards -1 2 64,8,1 8,8,1 0
K(bad_backwards) { a[Y * n + X + 64] = X; }
//! ok_cube 64 2 64,4,4 8,1,1 0
K(ok_cube) { a[Z * (4 * n) + Y * n + X] = X; }
//! bad_cube 64 2 64,4,4 8,1,1 0
K(bad_cube) { a[Z * (3 * n) + Y * n + X] = Z; }
//! bad_changed 64 2 64,8,1 8,8,1 0
K(bad_changed) { n = n - 1; a[Y * n + X] = X; }
//! bad_moved 0 2 512,1,1 64,1,1 0
K(bad_moved) { int i = X; i = i / 2; a[i] = X; }
//! bad_next 0 2 512,1,1 64,1,1 0
K(bad_next) { a[X] = X; b[X] = a[X + 1]; }
//! ok_pairs 0 2 512,1,1 64,1,1 0
K(ok_pairs) { a[2 * X] = X; a[2 * X + 1] = -X; }
//! bad_pairs 0 2 512,1,1 64,1,1 0
K(bad_pairs) { a[2 * X] = X; a[2 * X + 2] = -X; }
//! ok_vectors 0 2 512,1,1 64,1,1 0
K(ok_vectors) { vstore2((int2)(X, -X), X, a); }
//! bad_vectors 0 2 512,1,1 64,1,1 0
K(bad_vectors) { vstore2((int2)(X, -X), 0, a + X); }
//! ok_members 0 2 512,1,1 64,1,1 0
K(ok_members) { ((global int2 *)a)[X].x = X; ((global int2 *)a)[X].y = -X; }
//! bad_members 0 2 512,1,1 64,1,1 0
K(bad_members) { ((global int2 *)a)[X].y = X; a[X] = -X; }
//! ok_pointer 0 2 512,1,1 64,1,1 0
K(ok_pointer) { global int *p = a + X; *p = X; p[0]++; }
//! bad_pointer 0 2 512,1,1 64,1,1 0
K(bad_pointer) { global int *p = a + X; *p = X; p[1]++; }
//! ok_bytes 0 2 256,1,1 64,1,1 0
K(ok_bytes) { uchar i = get_global_id(0); a[i] = X; }
//! bad_bytes 0 2 512,1,1 64,1,1 0
K(bad_bytes) { uchar i = get_global_id(0); a[i] = X; }
//! bad_truth 0 2 512,1,1 64,1,1 0
K(bad_truth) { bool i = get_global_id(0); a[i] = X; }
//! bad_signs 0 2 512,1,1 64,1,1 0
K(bad_signs) { char i = get_global_id(0); a[i + 128] = X; }
//! bad_fraction 0 2 512,1,1 64,1,1 0
K(bad_fraction) { int i = X * 0.5f; a[i] = X; }
//! bad_choice 0 2 512,1,1 64,1,1 0
K(bad_choice) { int i = X < 100 ? X : 100; a[i] = X; }
//! bad_taken 0 2 512,1,1 64,1,1 0
K(bad_taken) { int i = X, *p = &i; *p /= 2; a[i] = X; }
//! bad_later 0 2 512,1,1 64,1,1 0
K(bad_later) { int i = X; for (int k = 0; k < 2; k++) { a[i] = X; i++; } }
//! ok_shorts 0 2 256,1,1 64,1,1 0
K(ok_shorts) { a[(ushort)(X * 256)] = X; }
//! bad_shorts 0 2 512,1,1 64,1,1 0
K(bad_shorts) { a[(ushort)(X * 256)] = X; }
//! bad_wrap 33554432 2 512,1,1 64,1,1 0
K(bad_wrap) { a[(uint)(X * 4) * (uint)n >> 27] = X; }
//! bad_round 0 2 512,1,1 64,1,1 0
K(bad_round) { if (X % 2 == 0) a[(uint)X * 0x80000000u] = X; }
//! bad_round_n 1073741824 2 512,1,1 64,1,1 0
K(bad_round_n) { if (X % 4 == 0) a[(uint)X * (uint)n] = X; }
//! ok_offset 0 2 512,1,1 64,1,1 100
K(ok_offset) { a[X] = X; a[X]--; }
//! bad_offset 0 2 512,1,1 64,1,1 1
K(bad_offset) { a[X] = X; b[X] = a[X - (int)get_global_offset(0)]; }
//! ok_groups 0 2 512,1,1 64,1,1 0
K(ok_groups) { a[(int)get_group_id(0) * LS + LX] = X; }
//! bad_groups 0 2 512,1,1 64,1,1 0
K(bad_groups) { a[(int)get_group_id(0) * (LS - 1) + LX] = X; }
//! ok_stride 64 2 512,1,1 64,1,1 0
K(ok_stride) { a[(int)get_group_id(0) * n + LX] = X; }
//! bad_stride 63 2 512,1,1 64,1,1 0
K(bad_stride) { a[(int)get_group_id(0) * n + LX] = X; }
//! ok_lanes 0 2 64,1,1 64,1,1 0
K(ok_lanes) { a[LX] = X; }
//! bad_lanes 0 2 128,1,1 64,1,1 0
K(bad_lanes) { a[LX] = X; }
//! bad_group 0 2 128,1,1 64,1,1 0
K(bad_group) { a[get_group_id(0)] = X; }
//! bad_none 0 2 512,1,1 64,1,1 0
K(bad_none) { a[X * 0] = X; }
//! bad_half 0 2 512,1,1 64,1,1 0
K(bad_half) { a[X >> 1] = X; }
//! bad_rest 0 2 512,1,1 64,1,1 0
K(bad_rest) { a[X % 256] = X; }
//! bad_or 0 2 512,1,1 64,1,1 0
K(bad_or) { a[X | 1] = X; }
//! ok_shift 64 2 64,8,1 8,8,1 0
K(ok_shift) { a[(Y << 6) + X] = X; }
//! bad_shift 64 2 64,8,1 8,8,1 0
K(bad_shift) { a[(Y << 5) + X] = Y; }
//! ok_turned 64 2 64,64,1 8,8,1 0
K(ok_turned) { int gx = get_group_id(0) * 8, gy = get_group_id(1) * 8; a[(gx + LY) * n + gy + LX] = X; }
//! bad_turned 64 2 64,64,1 8,8,1 0
K(bad_turned) { int gx = get_group_id(0) * 8, gy = get_group_id(1) * 7; a[(gx + LY) * n + gy + LX] = X; }
//! ok_twice 0 1 512,1,1 64,1,1 0
K(ok_twice) { int v = b[X]; a[X] = v + X; }
//! bad_twice 0 1 512,1,1 64,1,1 0
K(bad_twice) { int v = b[X + 1]; a[X] = v + X; }
//! ok_counts 0 2 512,1,1 64,1,1 0
K(ok_counts) { atomic_inc(&a[X & 7]); }
//! bad_counts 0 2 512,1,1 64,1,1 0
K(bad_counts) { atomic_inc(&a[X & 7]); b[X] = a[7]; }
//! bad_counts_twice 0 1 512,1,1 64,1,1 0
K(bad_counts_twice) { atomic_inc(&a[X & 7]); if (X > 100) l[0] = b[7]; }
void put(global int *p, int i) { p[i] = i; }
//! bad_passed 0 2 512,1,1 64,1,1 0
K(bad_passed) { a[X] = -1; put(a, X / 2); }

/* ---- local memory: from barrier to barrier --------------------------------------- */

#define TILES(end) { int sum = 0; for (int k = 0; k < n; k++) { l[LX] = k + LX; WAIT; \
	sum += l[LS - 1 - LX]; end; } OUT = sum; }
//! ok_tiles 3 2 128,1,1 64,1,1 0
K(ok_tiles) TILES(WAIT)
//! bad_tiles 3 2 128,1,1 64,1,1 0
K(bad_tiles) TILES(;)
//! bad_fence 3 2 128,1,1 64,1,1 0
K(bad_fence) TILES(barrier(CLK_GLOBAL_MEM_FENCE))
//! bad_mem_fence 3 2 128,1,1 64,1,1 0
K(bad_mem_fence) TILES(mem_fence(CLK_LOCAL_MEM_FENCE))
//! ok_both_fences 3 2 128,1,1 64,1,1 0
K(ok_both_fences) TILES(barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE))
//! ok_if 3 2 128,1,1 64,1,1 0
K(ok_if) TILES(if (n) WAIT)
//! bad_if 3 2 128,1,1 64,1,1 0
K(bad_if) TILES(if (n > 3) WAIT)
//! bad_break 3 2 128,1,1 64,1,1 0
K(bad_break) { for (int k = 0; ; k++) { l[LX] = k; if (k == n) break; WAIT; } OUT = l[LX ^ 1]; }
//! ok_break 3 2 128,1,1 64,1,1 0
K(ok_break) { for (int k = 0; ; k++) { l[LX] = k; if (k == n) break; WAIT; } WAIT; OUT = l[LX ^ 1]; }
//! bad_continue 2 2 128,1,1 64,1,1 0
K(bad_continue) { int sum = 0; for (int k = 0; k < n; k++) { sum += l[LX ^ 1]; if (k == 1) continue; WAIT; l[LX] = k; WAIT; } OUT = sum; l[LX] = 1; }
//! bad_goto 3 2 128,1,1 64,1,1 0
K(bad_goto) { int k = n, sum = 0; again: l[LX] = k; WAIT; sum += l[LX ^ 1]; if (--k > 0) goto again; OUT = sum; }
//! ok_goto 3 2 128,1,1 64,1,1 0
K(ok_goto) { int k = n, sum = 0; again: l[LX] = k; WAIT; sum += l[LX ^ 1]; WAIT; if (--k > 0) goto again; OUT = sum; }
//! bad_switch 1 2 128,1,1 64,1,1 0
K(bad_switch) { l[LX] = X; switch (n) { case 0: WAIT; break; case 1: break; default: WAIT; } OUT = l[LX ^ 1]; }
//! ok_switch 1 2 128,1,1 64,1,1 0
K(ok_switch) { l[LX] = X; switch (n) { case 0: WAIT; break; case 1: WAIT; break; default: WAIT; } OUT = l[LX ^ 1]; }
//! bad_do 2 2 128,1,1 64,1,1 0
K(bad_do) { int k = n, sum = 0; l[LX] = 0; WAIT; do { sum += l[LX ^ 1]; WAIT; l[LX] = k; } while (--k > 0); OUT = sum; }
//! ok_do 2 2 128,1,1 64,1,1 0
K(ok_do) { int k = n, sum = 0; l[LX] = 0; WAIT; do { sum += l[LX ^ 1]; WAIT; l[LX] = k; WAIT; } while (--k > 0); OUT = sum; }
//! bad_beside 0 2 128,1,1 64,1,1 0
K(bad_beside) { l[LX] = X; int v = l[LX + 1]; WAIT; OUT = l[LX ^ 1] + (v & 0); }
//! ok_beside 0 2 128,1,1 64,1,1 0
K(ok_beside) { l[LX] = X; int v = l[LX]; WAIT; OUT = l[LX ^ 1] + v; }
//! bad_plane 0 2 64,2,1 64,2,1 0
K(bad_plane) { l[LX] = LY; WAIT; OUT = l[LX]; }
//! ok_plane 0 2 64,2,1 64,1,1 0
K(ok_plane) { l[LX] = Y; WAIT; OUT = l[LX]; }
//! ok_rows 0 2 8,8,1 8,8,1 0
K(ok_rows) { local int t[8][8]; t[LY][LX] = X; WAIT; OUT = t[LX][LY]; }
//! bad_rows 0 2 9,2,1 9,2,1 0
K(bad_rows) { local int t[8][8]; t[LY][LX] = X; WAIT; OUT = t[LX & 7][LY]; }
//! bad_columns 0 2 8,8,1 8,8,1 0
K(bad_columns) { local int t[8][8]; t[LX][0] = Y; WAIT; OUT = t[LY][0]; }
//! bad_mod 0 2 128,1,1 64,1,1 0
K(bad_mod) { l[LX % 16] = X; WAIT; OUT = l[0]; }
//! bad_zero 0 2 128,1,1 64,1,1 0
K(bad_zero) { l[LX * 0] = X; WAIT; OUT = l[0]; }
//! bad_narrow 0 2 512,1,1 512,1,1 0
K(bad_narrow) { uchar i = get_local_id(0); l[i] = X; WAIT; OUT = l[0]; }
//! ok_narrow 0 2 512,1,1 256,1,1 0
K(ok_narrow) { uchar i = get_local_id(0); l[i] = X; WAIT; OUT = l[0]; }
//! bad_pointers 0 2 128,1,1 64,1,1 0
K(bad_pointers) { local int *p = l + 1; p[LX] = X; l[LX] = -X; WAIT; OUT = l[0]; }
//! ok_pointers 0 2 128,1,1 64,1,1 0
K(ok_pointers) { local int *p = l; p[LX] = X; l[LX] = -X; WAIT; OUT = l[0]; }
//! bad_either 1 2 128,1,1 64,1,1 0
K(bad_either) { local int t[64]; local int *p = n ? l : t; p[LX] = X; l[LX ^ 1] = -X; t[LX] = 0; WAIT; OUT = l[LX]; }
//! bad_either_read 1 2 128,1,1 64,1,1 0
K(bad_either_read) { local int t[64]; local int *p = n ? l : t; l[LX] = X; t[LX] = X; int v = p[LX ^ 1]; WAIT; OUT = v & 0; }
void wait_if(int n) { if (n) WAIT; }
//! bad_callee 0 2 128,1,1 64,1,1 0
K(bad_callee) { l[LX] = X; wait_if(n); OUT = l[LX ^ 1]; }
//! ok_callee 1 2 128,1,1 64,1,1 0
K(ok_callee) { l[LX] = X; wait_if(n); OUT = l[LX ^ 1]; }
void put_local(local int *p, int i) { p[i] = i; }
//! bad_given 0 2 128,1,1 64,1,1 0
K(bad_given) { l[LX] = -1; put_local(l, (LX + 1) % LS); WAIT; OUT = l[LX]; }
int waited(int value) { WAIT; return value; }
//! ok_expression 0 2 128,1,1 64,1,1 0
K(ok_expression) { l[LX] = X; WAIT; l[LX] = waited(l[LX ^ 1]); WAIT; OUT = l[LX ^ 1]; }
//! bad_expression 0 2 128,1,1 64,1,1 0
K(bad_expression) { l[LX] = waited(X); int v = l[LX ^ 1]; WAIT; OUT = v & 0; }
//! bad_comma 0 2 128,1,1 64,1,1 0
K(bad_comma) { l[LX] = (WAIT, X); int v = l[LX ^ 1]; WAIT; OUT = v & 0; }
//! bad_argument 0 2 128,1,1 64,1,1 0
K(bad_argument) { l[LX] = X; int v = waited(l[LX ^ 1]); OUT = v & 0; }
//! ok_scalar 0 2 128,1,1 64,1,1 0
K(ok_scalar) { local int s; if (LX == 0) s = X; WAIT; OUT = s; }
//! bad_scalar 0 2 128,1,1 64,1,1 0
K(bad_scalar) { local int s; if (LX == 0) s = X; OUT = s & 0; }
//! ok_bins 0 2 128,1,1 64,1,1 0
K(ok_bins) { l[LX] = 0; WAIT; atomic_inc(&l[X & 7]); WAIT; OUT = l[LX]; }
//! bad_bins 0 2 128,1,1 64,1,1 0
K(bad_bins) { l[LX] = 0; WAIT; atomic_inc(&l[X & 7]); OUT = l[LX] & 0; }
//! ok_relative 0 2 128,1,1 64,1,1 0
K(ok_relative) { l[X - (int)get_group_id(0) * LS] = X; WAIT; OUT = l[LX ^ 1]; }
//! bad_relative 0 2 128,1,1 64,1,1 0
K(bad_relative) { l[X - (int)get_group_id(0) * LS] = X; int v = l[LX + 1]; WAIT; OUT = v & 0; }
//! ok_copied 0 2 128,1,1 64,1,1 0
K(ok_copied) { event_t e = async_work_group_copy(l, a, 64, 0); wait_group_events(1, &e); OUT = l[LX ^ 1]; }
//! bad_copied 0 2 128,1,1 64,1,1 0
K(bad_copied) { l[LX] = X; event_t e = async_work_group_copy(l, a, 64, 0); wait_group_events(1, &e); OUT = l[LX]; }
//! ok_halves 0 2 128,1,1 64,1,1 0
K(ok_halves) { l[LX] = X; WAIT; for (int h = LS / 2; h > 0; h /= 2) { if (LX < h) l[LX] += l[LX + h]; WAIT; } OUT = l[0]; }
//! bad_halves 0 2 128,1,1 64,1,1 0
K(bad_halves) { l[LX] = X; WAIT; for (int h = LS / 2; h > 0; h /= 2) { if (LX <= h) l[LX] += l[LX + h]; WAIT; } OUT = l[0]; }
