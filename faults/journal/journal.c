/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's writer. One mapping holds everything: header, counters and
 * tables first, the calls area last. Its addresses are reserved once for the
 * largest journal this process may grow, so that nothing ever moves; behind
 * them is a file whose space was had before it was mapped, or, where it could
 * not be had, plain memory.
 */
#include "config.h"

#include "journal_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "faults/shared/statx.h"

enum {
	/* Entries may be longer than what is in them: blocks of different
	 * threads share no cache line this way. */
	THREAD_STRIDE = 2432,
	DEFAULT_RING_CALLS = 4096,
	DEFAULT_FULL_CALLS = 1 << 22,
	SMALLEST_RING_CALLS = 64,
	GROW_CALLS = 1 << 16,		/* 4 MiB */
	FIRST_GROW_CALLS = 1 << 12,	/* 256 KiB */
	MAX_FILES_PER_PID = 10000,
};

struct claw_journal_process claw_own_journal CLAW_HIDDEN;

static bool touching_clock;

/* What stands for the journal before there is one. */
static struct claw_journal_header no_header;

struct claw_journal_writer claw_journal_writer CLAW_HIDDEN = {
	.header = &no_header,
};

/* ---- layout and mapping */

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

static uint64_t page_bytes(void)
{
	long bytes = sysconf(_SC_PAGESIZE);

	return bytes > 0 ? (uint64_t)bytes : 65536;
}

static void place(struct claw_journal_area *area, uint64_t *offset,
		  uint32_t entry_bytes, uint32_t capacity)
{
	*area = (struct claw_journal_area){
		.offset = *offset,
		.entry_bytes = entry_bytes,
		.capacity = capacity,
	};
	*offset = round_up(*offset + (uint64_t)entry_bytes * capacity, 128);
}

static void make_layout(struct claw_journal_layout *layout)
{
	uint64_t offset = round_up(sizeof(struct claw_journal_header), 4096);

	place(&layout->threads, &offset, THREAD_STRIDE,
	      CLAW_JOURNAL_MAX_THREADS);
	place(&layout->rules, &offset, sizeof(struct claw_journal_rule),
	      CLAW_JOURNAL_MAX_RULES);
	place(&layout->events, &offset, sizeof(struct claw_journal_record),
	      CLAW_JOURNAL_MAX_EVENTS);
	place(&layout->sites, &offset, sizeof(struct claw_journal_site),
	      CLAW_JOURNAL_MAX_SITES);
	place(&layout->modules, &offset, sizeof(struct claw_journal_module),
	      CLAW_JOURNAL_MAX_MODULES);
	place(&layout->strings, &offset, 1, CLAW_JOURNAL_STRING_BYTES);
	layout->calls_offset = round_up(offset, page_bytes());
}

/* Would a file of this size be refused with SIGXFSZ? */
static bool size_is_allowed(uint64_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
		return false;
	return limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

bool claw_journal_reserve_space(int fd, uint64_t offset, uint64_t bytes)
{
	int err = EINTR;

	if (!size_is_allowed(offset + bytes))
		return false;
	for (int i = 0; i < 100 && err == EINTR; i++)
		err = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
	return err == 0;
}

bool claw_file_write_at(int fd, const void *bytes, uint64_t size,
			uint64_t offset)
{
	const unsigned char *at = bytes;

	while (size) {
		ssize_t done = pwrite(fd, at, size, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		offset += (uint64_t)done;
		size -= (uint64_t)done;
	}
	return true;
}

bool claw_file_write(int fd, const void *bytes, uint64_t size)
{
	return size_is_allowed(size) && claw_file_write_at(fd, bytes, size, 0);
}

void *claw_journal_map_new(const char *path, uint64_t bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		      0644);
	void *base = MAP_FAILED;

	if (fd < 0)
		return NULL;
	if (claw_journal_reserve_space(fd, 0, bytes))
		base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fd, 0);
	if (base == MAP_FAILED)
		unlink(path);
	close(fd);
	return base == MAP_FAILED ? NULL : base;
}

/* Remember, or compare, which file this is. */
static bool file_identity(int fd, bool compare)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_TYPE, &st) != 0)
		return false;
	if (compare)
		return st.stx_ino == claw_own_journal.file_inode &&
		       st.stx_dev_major == claw_own_journal.file_device_major &&
		       st.stx_dev_minor == claw_own_journal.file_device_minor;
	claw_own_journal.file_inode = st.stx_ino;
	claw_own_journal.file_device_major = st.stx_dev_major;
	claw_own_journal.file_device_minor = st.stx_dev_minor;
	return true;
}

/* Create an empty journal.<pid>.<n>, n from 0 up. -1: cannot be had. */
static int open_next_file(void)
{
	char *path = claw_own_journal.path;
	int fd = -1;

	for (unsigned int n = 0; n < MAX_FILES_PER_PID && fd < 0; n++) {
		int length = snprintf(path, PATH_MAX, "%s/journal.%ld.%u",
				      claw_own_journal.session,
				      (long)getpid(), n);

		if (length < 0 || length >= PATH_MAX)
			break;
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC |
			  O_NOFOLLOW, 0644);
		if (fd < 0 && errno != EEXIST && errno != EINTR)
			break;
	}
	return fd;
}

/* Create a journal with that much space in it. -1: cannot be had, and no
 * file is left. */
static int create_file(uint64_t bytes)
{
	char *path = claw_own_journal.path;
	int fd;

	if (!claw_own_journal.session[0] || !size_is_allowed(bytes))
		return -1;
	fd = open_next_file();
	if (fd >= 0 && (!claw_journal_reserve_space(fd, 0, bytes) ||
			!file_identity(fd, false))) {
		unlink(path);
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		path[0] = '\0';
	return fd;
}

/*
 * Map a new journal of that size over where (NULL: anywhere). Memory when
 * memory is true, else a file.
 *
 * Returns MAP_FAILED when that cannot be had.
 */
static void *map_new(void *where, uint64_t bytes, bool memory)
{
	int flags = where ? MAP_FIXED : 0;
	int fd;
	void *base;

	if (memory)
		return mmap(where, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags,
			    -1, 0);
	fd = create_file(bytes);
	if (fd < 0)
		return MAP_FAILED;
	base = mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags,
		    fd, 0);
	if (base == MAP_FAILED) {
		unlink(claw_own_journal.path);
		claw_own_journal.path[0] = '\0';
	}
	close(fd);
	return base;
}

/* Nothing can be recorded: an empty file says that this process was here, so
 * that a reader does not take the others for all there was. */
static void leave_empty_file(void)
{
	int fd = claw_own_journal.session[0] ? open_next_file() : -1;

	if (fd >= 0)
		close(fd);
	claw_own_journal.path[0] = '\0';
}

/* Whole pages for so many calls. */
static uint64_t calls_bytes(uint64_t calls)
{
	return round_up(calls * sizeof(struct claw_journal_record),
			page_bytes());
}

/* Calls that a new journal has room for at once. */
static uint64_t first_calls(void)
{
	if (claw_own_journal.record == CLAW_RECORD_FULL &&
	    claw_own_journal.max_calls > FIRST_GROW_CALLS)
		return FIRST_GROW_CALLS;
	return claw_own_journal.max_calls;
}

/*
 * A file with room for calls; or one without; or memory without. Sets
 * on_disk, and *ret_calls to the calls there is room for.
 */
static void *map_best(void *where, uint64_t *ret_bytes, uint64_t *ret_calls)
{
	uint64_t fixed = claw_own_journal.layout.calls_offset;
	uint64_t calls = first_calls();

	for (int attempt = 0; attempt < 3; attempt++) {
		bool memory = attempt == 2;
		uint64_t bytes;
		void *base;

		if (attempt == 1 && calls == 0)
			continue;
		if (attempt > 0)
			calls = 0;
		bytes = fixed + calls_bytes(calls);
		base = map_new(where, bytes, memory);
		if (base != MAP_FAILED) {
			claw_own_journal.on_disk = !memory;
			if (memory)
				leave_empty_file();
			*ret_bytes = bytes;
			*ret_calls = calls;
			return base;
		}
	}
	return MAP_FAILED;
}

/* Reserve addresses for the largest journal; fewer calls where the process
 * may not have that many addresses. */
static void *reserve_addresses(void)
{
	uint64_t fixed = claw_own_journal.layout.calls_offset;
	uint64_t calls = claw_own_journal.max_calls;

	for (;;) {
		size_t bytes = fixed + calls_bytes(calls);
		void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE |
				  MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (base != MAP_FAILED) {
			claw_own_journal.reserved_bytes = bytes;
			claw_own_journal.max_calls = calls;
			return base;
		}
		if (calls == 0)
			return NULL;
		calls = calls > SMALLEST_RING_CALLS ? calls / 2 : 0;
	}
}

/* ---- header */

static void read_boot_id(char *id, size_t size)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return;
	got = read(fd, id, size - 1);
	close(fd);
	for (ssize_t i = 0; i < got; i++)
		if (id[i] == '\n')
			id[i] = '\0';
}

static uint64_t realtime_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint32_t last_pid;	/* of whom a forked child is */

/* Everything but the magic, which goes last: until then it is no journal. */
static void fill_header(struct claw_journal_header *header, uint64_t bytes,
			uint64_t calls)
{
	const struct claw_journal_layout *layout = &claw_own_journal.layout;

	header->version = CLAW_JOURNAL_VERSION;
	header->header_bytes = sizeof(*header);
	header->endian = CLAW_JOURNAL_ENDIAN;
	header->state = CLAW_JOURNAL_OPEN;
	header->file_bytes = bytes;
	header->pid = (uint32_t)getpid();
	/* A forked child makes no call that it need not make. */
	header->parent_pid = last_pid && last_pid != header->pid ? last_pid :
			     (uint32_t)getppid();
	last_pid = header->pid;
	header->record_mode = (uint32_t)claw_own_journal.record;
	header->clock_is_ns = claw_journal_writer.clock_is_ns;
	read_boot_id(header->boot_id, sizeof(header->boot_id));
	header->start_realtime_ns = realtime_ns();
	claw_clock_pair(claw_journal_writer.clock_is_ns, &header->start_ticks,
			&header->start_mono_ns);
	header->last_mono_ns = header->start_mono_ns;
	header->last_ticks = header->start_ticks;
	header->threads = layout->threads;
	header->rules = layout->rules;
	header->events = layout->events;
	header->sites = layout->sites;
	header->modules = layout->modules;
	header->strings = layout->strings;
	header->strings.used = 4;	/* offset 0 is never an entry */
	header->calls = (struct claw_journal_area){
		.offset = layout->calls_offset,
		.entry_bytes = sizeof(struct claw_journal_record),
		.capacity = (uint32_t)calls,
	};
}

static void set_magic(struct claw_journal_header *header)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(header->magic, CLAW_JOURNAL_MAGIC, sizeof(header->magic));
}

/* Point the inline functions at the journal, with room for so many calls. */
static void set_writer(uint64_t calls)
{
	struct claw_journal_writer *writer = &claw_journal_writer;

	writer->header = (void *)claw_own_journal.base;
	writer->calls = (void *)(claw_own_journal.base +
				 claw_own_journal.layout.calls_offset);
	writer->calls_mask = UINT64_MAX;
	writer->calls_limit = calls;
	if (claw_own_journal.record == CLAW_RECORD_LAST && calls > 0) {
		writer->calls_mask = calls - 1;
		writer->calls_limit = UINT64_MAX;
	}
	/* In memory nobody could ever read them. */
	writer->record = CLAW_RECORD_NONE;
	if (claw_own_journal.on_disk)
		writer->record = (uint32_t)claw_own_journal.record;
}

static uint64_t wanted_calls(const struct claw_journal_config *config)
{
	uint64_t calls = config->capacity;
	uint64_t power = SMALLEST_RING_CALLS;

	if (config->record == CLAW_RECORD_NONE)
		return 0;
	if (calls > CLAW_JOURNAL_MAX_CALLS)
		calls = CLAW_JOURNAL_MAX_CALLS;
	if (config->record == CLAW_RECORD_FULL)
		return calls ? calls : DEFAULT_FULL_CALLS;
	if (calls == 0)
		calls = DEFAULT_RING_CALLS;
	while (power < calls)
		power *= 2;
	return power;
}

/* ---- header words */

void claw_journal_set_hooked_slots(uint32_t slots)
{
	claw_journal_writer.header->hooked_slots = slots;
}

void claw_journal_set_door(enum claw_door door)
{
	claw_journal_writer.header->door = (uint16_t)door;
}

void claw_journal_set_door_left_out(enum claw_door door)
{
	claw_journal_writer.header->door_left_out = (uint16_t)door;
}

void claw_journal_add_unknown_ext(void)
{
	__atomic_fetch_add(&claw_journal_writer.header->unknown_ext_lookups, 1,
			   __ATOMIC_RELAXED);
}

void claw_journal_add_misuse(void)
{
	__atomic_fetch_add(&claw_journal_writer.header->misuse_count, 1,
			   __ATOMIC_RELAXED);
}

void claw_journal_add_damaged(void)
{
	__atomic_fetch_add(&claw_journal_writer.header->damaged, 1,
			   __ATOMIC_RELAXED);
}

void claw_journal_set_loader(const char *path)
{
	claw_journal_writer.header->loader_string =
		claw_journal_string(path, strlen(path));
}

void claw_journal_set_plan_error(const char *text)
{
	uint32_t offset = claw_journal_string(text, strlen(text));

	claw_journal_writer.header->plan_error_string = offset;
}

void claw_journal_touch_clock(void)
{
	struct claw_journal_header *header = claw_journal_writer.header;
	uint64_t ticks, mono_ns;

	if (!claw_own_journal.base ||
	    __atomic_exchange_n(&touching_clock, true, __ATOMIC_ACQUIRE))
		return;
	claw_clock_pair(claw_journal_writer.clock_is_ns, &ticks, &mono_ns);
	/* 0 ticks: no pair. Killed in between, the reader sees that. */
	__atomic_store_n(&header->last_ticks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&header->last_mono_ns, mono_ns, __ATOMIC_RELEASE);
	__atomic_store_n(&header->last_ticks, ticks, __ATOMIC_RELEASE);
	__atomic_store_n(&touching_clock, false, __ATOMIC_RELEASE);
}

/* ---- records */

/* Under the lock: room for more calls, in the file and then in memory. */
static bool grow(uint64_t index)
{
	struct claw_journal_writer *writer = &claw_journal_writer;
	uint64_t have = writer->calls_limit;
	uint64_t more = have < GROW_CALLS ? have : GROW_CALLS;
	uint64_t from, bytes;
	void *where, *mapped = MAP_FAILED;
	int fd;

	if (index < have)
		return true;
	if (more > claw_own_journal.max_calls - have)
		more = claw_own_journal.max_calls - have;
	if (have == 0 || more == 0 || index >= have + more)
		return false;
	from = claw_own_journal.layout.calls_offset +
		have * sizeof(struct claw_journal_record);
	bytes = more * sizeof(struct claw_journal_record);
	/* Pages are whole but at the end; a part of one is mapped already. */
	where = claw_own_journal.base + from;
	fd = open(claw_own_journal.path,
		  O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (file_identity(fd, true) &&
	    claw_journal_reserve_space(fd, from, bytes))
		mapped = mmap(where, bytes, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd,
			      (off_t)from);
	close(fd);
	if (mapped == MAP_FAILED)
		return false;
	writer->header->file_bytes = from + bytes;
	writer->header->calls.capacity = (uint32_t)(have + more);
	__atomic_store_n(&writer->calls_limit, have + more, __ATOMIC_RELEASE);
	return true;
}

bool claw_journal_calls_grow(uint64_t index)
{
	struct claw_journal_writer *writer = &claw_journal_writer;
	sigset_t mask;
	bool grown;

	if (claw_own_journal.record != CLAW_RECORD_FULL ||
	    claw_own_journal.max_calls == 0)
		return false;
	claw_journal_lock(&mask);
	grown = index < writer->calls_limit;
	if (!grown && claw_own_journal.max_calls > 0) {
		int err = errno;

		grown = grow(index);
		if (!grown && index == writer->calls_limit)
			claw_own_journal.max_calls = 0;	/* for good */
		errno = err;
	}
	claw_journal_unlock(&mask);
	if (grown)
		claw_journal_touch_clock();
	return grown;
}

void claw_journal_call_returned(uint64_t number, int32_t result,
				uint64_t handle, uint32_t duration_ticks)
{
	const struct claw_journal_writer *writer = &claw_journal_writer;
	struct claw_journal_record *slot, copy;
	uint64_t old;

	if (number == 0 || writer->record == CLAW_RECORD_NONE)
		return;
	slot = &writer->calls[(number - 1) & writer->calls_mask];
	old = __atomic_load_n(&slot->commit, __ATOMIC_ACQUIRE);
	if ((old & CLAW_JOURNAL_BUSY) ||
	    (old & CLAW_JOURNAL_NUMBER_MASK) != number ||
	    !__atomic_compare_exchange_n(&slot->commit, &old,
					 CLAW_JOURNAL_BUSY | number, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	copy = *slot;
	copy.flags = (uint16_t)(copy.flags & ~CLAW_REC_BLOCKS);
	copy.result = result;
	copy.handle = handle;
	copy.duration_ticks = duration_ticks;
	claw_journal_fill(slot, &copy, number);
}

uint32_t claw_journal_event(const struct claw_journal_record *event)
{
	struct claw_journal_header *header = claw_journal_writer.header;
	uint64_t index, none = 0;

	if (!claw_own_journal.base)
		return 0;
	index = __atomic_fetch_add(&header->events.used, 1, __ATOMIC_RELAXED);
	if (index >= CLAW_JOURNAL_MAX_EVENTS)
		return 0;
	claw_journal_fill(claw_journal_entry(&claw_own_journal.layout.events,
					     index), event, index + 1);
	if (event->rule > 0)
		__atomic_compare_exchange_n(
			&claw_journal_rule_at(event->rule - 1)->first_event,
			&none, index + 1, false, __ATOMIC_RELAXED,
			__ATOMIC_RELAXED);
	claw_journal_touch_clock();
	return (uint32_t)index + 1;
}

/* ---- open, close, fork */

static void write_names(const struct claw_journal_config *config)
{
	/* Too large for a stack; open() is called once. */
	static char names[CLAW_JOURNAL_TEXT_MAX_BYTES];
	size_t length = 0;

	for (unsigned int i = 0; i < config->api_count; i++) {
		const char *name = config->api_name(i);
		size_t bytes = strlen(name);

		if (length + bytes + 1 > sizeof(names)) {
			claw_journal_add_damaged();
			return;
		}
		if (i > 0)
			names[length++] = '\n';
		memcpy(names + length, name, bytes);
		length += bytes;
	}
	claw_journal_writer.header->api_names_string =
		claw_journal_string(names, length);
}

int claw_journal_open(const struct claw_journal_config *config)
{
	struct claw_journal_header *header;
	uint64_t bytes, calls;
	void *reserved;
	sigset_t mask, all;
	int err = errno;

	if (claw_own_journal.base)
		return 0;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	if (config->session &&
	    strlen(config->session) < sizeof(claw_own_journal.session))
		memcpy(claw_own_journal.session, config->session,
		       strlen(config->session) + 1);
	claw_own_journal.record = config->record;
	claw_own_journal.max_calls = wanted_calls(config);
	make_layout(&claw_own_journal.layout);
	claw_journal_writer.clock_is_ns = claw_clock_needs_ns();
	reserved = reserve_addresses();
	if (reserved && map_best(reserved, &bytes, &calls) == MAP_FAILED) {
		munmap(reserved, claw_own_journal.reserved_bytes);
		reserved = NULL;
	}
	if (!reserved) {
		sigprocmask(SIG_SETMASK, &mask, NULL);
		errno = err;
		return -1;
	}
	claw_journal_threads_init();
	header = reserved;
	fill_header(header, bytes, calls);
	header->seed = config->seed;
	header->nonce = config->nonce;
	header->api_count = config->api_count;
	claw_own_journal.base = reserved;
	set_writer(calls);
	sigprocmask(SIG_SETMASK, &mask, NULL);

	write_names(config);
	if (config->exe)
		header->exe_string = claw_journal_string(config->exe,
							 strlen(config->exe));
	if (config->loader)
		claw_journal_set_loader(config->loader);
	set_magic(header);
	errno = err;
	return 0;
}

bool claw_journal_is_on_disk(void)
{
	return claw_own_journal.base && claw_own_journal.on_disk;
}

const char *claw_journal_path(void)
{
	return claw_own_journal.path;
}

bool claw_journal_sibling(const char *word, char *path, size_t size)
{
	static const char journal[] = "journal.";
	const char *from = claw_journal_path();
	const char *name = strrchr(from, '/');

	name = name ? name + 1 : from;
	return !strncmp(name, journal, sizeof(journal) - 1) &&
	       (size_t)snprintf(path, size, "%.*s%s%s", (int)(name - from),
				from, word, name + sizeof(journal) - 1) < size;
}

void claw_journal_close(void)
{
	if (!claw_own_journal.base)
		return;
	claw_journal_touch_clock();
	__atomic_store_n(&claw_journal_writer.header->state,
			 CLAW_JOURNAL_CLOSED, __ATOMIC_RELEASE);
}

/* Whatever the parent's journal tells that is as true of the child. */
static void inherit(const struct claw_journal_header *parent,
		    struct claw_journal_header *header)
{
	header->forked = 1;
	header->seed = parent->seed;
	header->nonce = parent->nonce;
	header->api_count = parent->api_count;
	header->exe_string = parent->exe_string;
	header->loader_string = parent->loader_string;
	header->api_names_string = parent->api_names_string;
	header->plan_error_string = parent->plan_error_string;
	header->hooked_slots = parent->hooked_slots;
	header->door = parent->door;
	header->door_left_out = parent->door_left_out;
	claw_journal_tables_copy(parent, header);
}

/* Make the child's journal and put it where the parent's is. */
static int replace_journal(void)
{
	unsigned char *old = claw_own_journal.base;
	size_t reserved = claw_own_journal.reserved_bytes;
	struct claw_journal_header *header;
	uint64_t bytes, calls;

	header = map_best(NULL, &bytes, &calls);
	if ((void *)header == MAP_FAILED)
		return -1;
	fill_header(header, bytes, calls);
	inherit(claw_journal_writer.header, header);
	/* From here on no write can reach the parent's. */
	if (mremap(header, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		   old) == MAP_FAILED) {
		munmap(header, bytes);
		if (claw_own_journal.path[0])
			unlink(claw_own_journal.path);
		return -1;
	}
	if (bytes < reserved)
		(void)mmap(old + bytes, reserved - bytes, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			   MAP_FIXED, -1, 0);
	set_writer(calls);
	return 0;
}

/* Not even memory could be had: count nothing rather than the parent's. */
static void forget_journal(void)
{
	struct claw_journal_writer *writer = &claw_journal_writer;

	claw_own_journal.base = NULL;
	claw_own_journal.on_disk = false;
	claw_own_journal.path[0] = '\0';
	writer->header = &no_header;
	writer->record = CLAW_RECORD_NONE;
	claw_journal_threads_forget();
}

int claw_journal_after_fork(void)
{
	struct claw_journal_process *process = &claw_own_journal;
	sigset_t mask, all;
	int err = errno;
	int ret;

	if (!process->base)
		return -1;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	claw_journal_lock_reset();
	touching_clock = false;
	if (process->record == CLAW_RECORD_FULL)
		process->max_calls = (process->reserved_bytes -
			process->layout.calls_offset) /
			sizeof(struct claw_journal_record);
	ret = replace_journal();
	if (ret < 0) {
		forget_journal();
	} else {
		claw_journal_threads_restart();
		set_magic(claw_journal_writer.header);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	errno = err;
	return ret;
}
