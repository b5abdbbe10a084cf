/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver's object that one thread of the program has made and another gives
 * up for us: ThreadSanitizer, where the program is built with it, does not see
 * the order that our locks make, and is told.
 */
#ifndef CLAW_THREAD_ORDER_H
#define CLAW_THREAD_ORDER_H

extern void __tsan_acquire(void *at) __attribute__((weak));
extern void __tsan_release(void *at) __attribute__((weak));

static inline void claw_order_acquire(void *at)
{
	if (__tsan_acquire)
		__tsan_acquire(at);
}

static inline void claw_order_release(void *at)
{
	if (__tsan_release)
		__tsan_release(at);
}

#endif
