/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of call sites. Unwinding a stack takes microseconds; to see that it
 * is the stack of an earlier call takes some loads. An entry remembers where
 * on the stack each return address was found, and which it was; the site is
 * the same when the stack pointer is and all those words are.
 *
 * What this can confuse. The innermost word is our own return address. Where
 * it stands fixes how large its function's frame is, and with that where the
 * next one stands, and so on outwards: every word that is compared is truly a
 * return address, unless a function in between has a frame whose size
 * changes from call to call (alloca, an array of variable length). Then a
 * word may be what an earlier call left in such an array, and the site that of
 * the earlier call: it takes the same function at the same depth, with a stale
 * return address at just the right place. A module that was unloaded, and
 * another one loaded at its addresses that makes the same calls from the same
 * places, has the old one's sites.
 *
 * Python's frames are not on the stack, nor are lines of a script
 * (site_script.h): there, and where return addresses are not just below the
 * frame (other than x86-64), each call is looked up anew.
 */
#include "config.h"

#include "site_cache.h"

#include <stdbool.h>
#include <string.h>

#include "site.h"
#include "site_script.h"

static __attribute__((noinline)) uint32_t capture_anew(void)
{
	uint32_t number = claw_site_script_number();
	struct claw_site site;

	if (number)
		return number;
	claw_site_capture(&site);
	number = claw_site_record(&site);
	claw_site_script_keep(number);
	return number;
}

#if defined(__x86_64__)

enum { SLOTS = 1 << 10, WAYS = 2, LATEST = 8 };

struct slot {
	uint32_t sequence;	/* odd: being written */
	uint32_t thread;	/* 0: empty. A thread's stack stays its own. */
	uint32_t site;
	uint32_t count;
	uintptr_t frame;	/* stack address from which offsets count */
	struct word {
		uintptr_t pc, offset;
	} words[CLAW_SITE_MAX_WORDS];
};

static struct slot slots[SLOTS];
/* This thread's latest, by the place of the frame: calls that a program makes
 * in turn have frames of different functions. */
static __thread struct slot *latest[LATEST]
	__attribute__((tls_model(CLAW_TLS_MODEL)));
static bool used;

void claw_site_cache_begin(void)
{
	if (used)
		memset(slots, 0, sizeof(slots));
	used = false;
	claw_site_script_begin();
}

static inline struct slot **latest_of(uintptr_t frame)
{
	return &latest[(frame >> 4) % LATEST];
}

static struct slot *first_way(uint32_t thread, uintptr_t frame, uintptr_t pc)
{
	uint64_t mix = ((frame >> 4) ^ (uint64_t)thread << 40 ^ pc << 13) *
		UINT64_C(0x9e3779b97f4a7c15);

	return &slots[(mix >> 54) & ~(uint64_t)(WAYS - 1)];
}

/* Are all the words where they were? The sanitizer would take them for none
 * of our business. */
static __attribute__((no_sanitize("address"))) bool
same_words(const struct slot *slot, uintptr_t frame, uint32_t count)
{
	const struct word *word = slot->words, *end = word + count;

	/* Two at once; of an odd count the last one is there twice. */
	for (; word < end; word += 2)
		if ((*(const uintptr_t *)(frame + word[0].offset) ^
		     word[0].pc) |
		    (*(const uintptr_t *)(frame + word[1].offset) ^
		     word[1].pc))
			return false;
	return true;
}

static inline __attribute__((always_inline)) bool
hit(const struct slot *slot, uint32_t thread, uintptr_t frame,
    uint32_t *ret_site)
{
	uint32_t before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
	uint32_t count = slot->count, site = slot->site;

	if (before & 1 || slot->thread != thread || slot->frame != frame ||
	    count > CLAW_SITE_MAX_WORDS || !same_words(slot, frame, count))
		return false;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) != before)
		return false;
	*ret_site = site;
	return true;
}

/* Whoever writes it now keeps it. */
static void remember(struct slot *slot, uint32_t thread, uintptr_t frame,
		     const struct claw_site_words *words, uint32_t site)
{
	uint32_t before = __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED);

	if (before & 1 ||
	    !__atomic_compare_exchange_n(&slot->sequence, &before, before + 1,
					 false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	used = true;
	slot->thread = thread;
	slot->frame = frame;
	slot->site = site;
	slot->count = (words->count + 1) & ~1u;
	for (uint32_t i = 0; i < slot->count; i++) {
		uint32_t j = i < words->count ? i : words->count - 1;

		slot->words[i].pc = words->pcs[j];
		slot->words[i].offset = words->places[j] - frame;
	}
	__atomic_store_n(&slot->sequence, before + 2, __ATOMIC_RELEASE);
}

/* Of two ways: an empty one, else either in turn. */
static struct slot *victim(struct slot *way)
{
	for (unsigned int i = 0; i < WAYS; i++)
		if (!way[i].thread)
			return &way[i];
	return &way[(way[0].sequence ^ way[1].sequence) >> 1 & 1];
}

static __attribute__((noinline)) uint32_t capture(uintptr_t frame,
						  struct slot *way,
						  uint32_t thread)
{
	struct claw_site_words words = { .from = frame };
	struct claw_site site;
	uint32_t number;

	claw_site_capture_words(&site, &words);
	number = claw_site_record(&site);
	if (words.whole && !claw_site_has_python())
		remember(victim(way), thread, frame, &words, number);
	return number;
}

/* Of the stack that begins at that frame, in the function that returns there. */
static __attribute__((noinline)) uint32_t look_up(uintptr_t frame, uintptr_t pc)
{
	uint32_t thread = claw_journal_thread_number();
	struct slot *way = first_way(thread, frame, pc);
	uint32_t number;

	/* The same stack does one line after the other. */
	if (__builtin_expect(claw_site_has_scripts, false))
		return capture_anew();
	for (unsigned int i = 0; i < WAYS; i++)
		if (hit(&way[i], thread, frame, &number)) {
			*latest_of(frame) = &way[i];
			return number;
		}
	return capture(frame, way, thread);
}

__attribute__((noinline)) uint32_t claw_site_cached(void)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	const struct slot *slot = *latest_of(frame);
	uint32_t number;

	if (__builtin_expect(slot && !claw_site_has_scripts, true) &&
	    hit(slot, claw_journal_self.number, frame, &number))
		return number;
	return look_up(frame, (uintptr_t)__builtin_return_address(0));
}

#else

void claw_site_cache_begin(void)
{
	claw_site_script_begin();
}

uint32_t claw_site_cached(void)
{
	return capture_anew();
}

#endif
