/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that wait_group_events() is sure to stand behind, and copies that it
 * may not (race_rules.test: maybe_...); what a sub-group's barrier orders. */
#define K(name)                                                        \
	kernel void name(global const int *a, global int *o, local int *l, \
			 int n)
#define COPY(to, event) async_work_group_copy(l + to, a + to, 4, event)
#define OUT o[get_global_id(0)] = l[get_local_id(0)]

K(one) { event_t e = COPY(0, 0); wait_group_events(1, &e); OUT; }
K(list) { event_t e[2]; e[0] = COPY(0, 0); e[1] = COPY(4, 0); wait_group_events(2, e); OUT; }
K(chained) { event_t e = COPY(0, 0); COPY(4, e); wait_group_events(1, &e); OUT; }
K(apart) { event_t e = COPY(0, 0), f = COPY(4, 0); wait_group_events(1, &e); wait_group_events(1, &f); OUT; }
K(next) { event_t e = COPY(0, 0); for (int i = 0; i < n; i++) { wait_group_events(1, &e); OUT; barrier(CLK_LOCAL_MEM_FENCE); e = COPY(0, 0); } wait_group_events(1, &e); }
K(maybe_barrier) { event_t e = COPY(0, 0); barrier(CLK_LOCAL_MEM_FENCE); OUT; wait_group_events(1, &e); }
K(maybe_never) { COPY(0, 0); OUT; }
K(maybe_short) { event_t e[2]; e[0] = COPY(0, 0); e[1] = COPY(4, 0); wait_group_events(1, e); OUT; wait_group_events(1, e + 1); }
K(maybe_overwritten) { event_t e = COPY(0, 0); e = COPY(4, 0); wait_group_events(1, &e); OUT; }
K(maybe_loop) { event_t e; for (int i = 0; i < n; i++) e = COPY(i, 0); wait_group_events(1, &e); OUT; }
K(maybe_if) { event_t e = COPY(0, 0); if (n) wait_group_events(1, &e); OUT; }
K(maybe_between) { event_t e = COPY(0, 0), f = COPY(4, 0); wait_group_events(1, &e); OUT; wait_group_events(1, &f); }
K(maybe_other) { event_t e[2]; for (int i = 0; i < n; i++) { e[i & 1] = COPY(0, 0); wait_group_events(1, &e[i & 1]); } OUT; }
void sub_group_barrier(uint flags);
K(maybe_part) { l[get_local_id(0)] = n; sub_group_barrier(CLK_LOCAL_MEM_FENCE); OUT; }
