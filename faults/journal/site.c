/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call sites. Native frames come from libgcc's unwinder, which is linked in
 * statically and finds its tables through our own list of modules; Python
 * frames from functions of the interpreter that dlsym() finds in the process.
 */
#include "config.h"

#include "site.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "faults/shared/compat.h"
#include "journal.h"
#include "site_script.h"

enum { MAX_MODULES = 512 };

static struct claw_module modules[MAX_MODULES];
static _Atomic unsigned int module_count;
/* Looks at the list of modules; what the latest did not see is gone. */
static _Atomic uint64_t looks;
/* What the dynamic linker had loaded and unloaded then. */
static unsigned long long linker_adds, linker_subs;
/* Whoever asks the dynamic linker has this: its own lock must not be ours at
 * the moment of a fork, for the child could never take it. Signals are
 * blocked meanwhile. */
static pthread_mutex_t modules_lock = PTHREAD_MUTEX_INITIALIZER;

/* ------------------------------------------------------------- modules */

static void take_build_id(struct claw_module *module, const char *notes,
			  size_t size)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)notes;
		size_t name = (note->n_namesz + 3u) & ~3u;
		size_t total = sizeof(*note) + name +
			       ((note->n_descsz + 3u) & ~3u);

		if (total > size)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    !memcmp(notes + sizeof(*note), "GNU", 4)) {
			size_t length = note->n_descsz;

			if (length > sizeof(module->build_id))
				length = sizeof(module->build_id);
			memcpy(module->build_id, notes + sizeof(*note) + name,
			       length);
			module->build_id_bytes = (uint8_t)length;
			return;
		}
		notes += total;
		size -= total;
	}
}

static void take_path(struct claw_module *module, const char *name)
{
	if (*name) {
		size_t length = strlen(name);

		if (length >= sizeof(module->path))
			length = sizeof(module->path) - 1;
		memcpy(module->path, name, length);
		return;
	}
	ssize_t n = readlink("/proc/self/exe", module->path,
			     sizeof(module->path) - 1);

	module->path[n > 0 ? n : 0] = '\0';
}

/* The loader (a Python wheel's own is libOpenCL-HASH.so), or what stands
 * between the program and its allocator (heap.c). */
static bool is_loader(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return !strncmp(name, "libOpenCL.so", 12) ||
	       !strncmp(name, "libOpenCL-", 10) ||
	       !strcmp(name, "libopenclaw-heap.so");
}

static void measure(struct claw_module *module, const struct dl_phdr_info *info)
{
	module->base = info->dlpi_addr;
	module->low = UINTPTR_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && ph->p_flags & PF_X) {
			if (start < module->low)
				module->low = start;
			if (start + ph->p_memsz > module->high)
				module->high = start + ph->p_memsz;
		} else if (ph->p_type == PT_GNU_EH_FRAME) {
			module->eh_frame_header = (void *)start;
		} else if (ph->p_type == PT_NOTE) {
			take_build_id(module, (const char *)start, ph->p_memsz);
		}
	}
}

static bool same_module(const struct claw_module *a, const struct claw_module *b)
{
	return a->base == b->base && a->low == b->low && a->high == b->high &&
	       a->eh_frame_header == b->eh_frame_header &&
	       a->build_id_bytes == b->build_id_bytes &&
	       !memcmp(a->build_id, b->build_id, a->build_id_bytes);
}

/* Under the lock: a place for a module not seen before, or NULL. */
static struct claw_module *new_place(uint64_t look)
{
	unsigned int count = atomic_load(&module_count);

	for (unsigned int i = 0; count == MAX_MODULES && i < count; i++)
		if (modules[i].seen + 1 < look)
			return &modules[i];
	return count < MAX_MODULES ? &modules[count] : NULL;
}

static void keep_module(struct claw_module *found, uint64_t look)
{
	struct claw_module *place = new_place(look);

	if (!place)
		return;
	atomic_store(&place->seen, 0);
	place->base = found->base;
	place->low = found->low;
	place->high = found->high;
	place->eh_frame_header = found->eh_frame_header;
	memcpy(place->build_id, found->build_id, sizeof(place->build_id));
	place->build_id_bytes = found->build_id_bytes;
	memcpy(place->path, found->path, sizeof(place->path));
	place->ours = is_loader(place->path) ||
		((uintptr_t)keep_module >= place->low &&
		 (uintptr_t)keep_module < place->high);
	atomic_store_explicit(&place->seen, look, memory_order_release);
	if (place == &modules[module_count])
		atomic_fetch_add(&module_count, 1);
}

/* A look at the linker's list. */
struct look {
	uint64_t number;
	unsigned long long adds, subs;
};

static int add_module(struct dl_phdr_info *info, size_t size, void *user)
{
	struct claw_module found = { .base = 0 };
	struct look *look = user;

	(void)size;
	look->adds = info->dlpi_adds;
	look->subs = info->dlpi_subs;
	measure(&found, info);
	if (!found.high)
		return 0;
	for (unsigned int i = 0; i < module_count; i++)
		if (same_module(&modules[i], &found)) {
			atomic_store(&modules[i].seen, look->number);
			return 0;
		}
	take_path(&found, info->dlpi_name);
	keep_module(&found, look->number);
	return 0;
}

/* Under the lock. */
static void refresh_modules(void)
{
	int saved = errno;
	struct look look = { .number = atomic_load(&looks) + 1 };

	dl_iterate_phdr(add_module, &look);
	atomic_store(&looks, look.number);
	linker_adds = look.adds;
	linker_subs = look.subs;
	errno = saved;
}

/* Anything loaded or unloaded since the latest look? */
static int is_news(struct dl_phdr_info *info, size_t size, void *user)
{
	(void)size;
	*(bool *)user = info->dlpi_adds != linker_adds ||
			info->dlpi_subs != linker_subs;
	return 1;
}

static void follow_linker(void)
{
	sigset_t all, before;
	bool news = false;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pthread_mutex_lock(&modules_lock);
	dl_iterate_phdr(is_news, &news);
	if (news)
		refresh_modules();
	pthread_mutex_unlock(&modules_lock);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void before_fork(void)
{
	pthread_mutex_lock(&modules_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&modules_lock);
}

/* ------------------------------------ modules that the list has not got */

/* A driver loads a kernel when it launches it, and nobody has looked since. In
 * a handler the dynamic linker cannot be asked: its lock may be taken. */
enum { MAX_UNLISTED = 8, MAPS_BYTES = 4096 };

struct mapping {
	uintptr_t start, end;
	uint64_t offset, inode;
	char path[256];
};

static uint64_t take_number(const char **at, int base)
{
	uint64_t number = 0;

	for (;; (*at)++) {
		char c = **at;
		int digit = c >= '0' && c <= '9' ? c - '0' :
			c >= 'a' && c <= 'f' ? c - 'a' + 10 : base;

		if (digit >= base)
			return number;
		number = number * (unsigned int)base + (unsigned int)digit;
	}
}

/* "7f00-7f10 r-xp 00001000 fe:01 1234   /path" */
static void read_mapping(const char *line, struct mapping *mapping)
{
	size_t length;

	mapping->start = take_number(&line, 16);
	line += *line == '-';
	mapping->end = take_number(&line, 16);
	for (int word = 0; word < 2; word++) {
		line += strspn(line, " ");
		line += word ? 0 : strcspn(line, " ");
	}
	mapping->offset = take_number(&line, 16);
	line += strspn(line, " ");
	line += strcspn(line, " ");
	line += strspn(line, " ");
	mapping->inode = take_number(&line, 10);
	line += strspn(line, " ");
	length = strlen(line);
	if (length >= sizeof(mapping->path))
		length = sizeof(mapping->path) - 1;
	memcpy(mapping->path, line, length);
	mapping->path[length] = '\0';
}

/* The mapping of a file's beginning whose code holds the address. */
static bool find_file(int fd, uintptr_t pc, struct mapping *ret_first)
{
	static char buffer[MAPS_BYTES + 1];
	static struct mapping now;
	size_t used = 0;
	ssize_t got;

	ret_first->inode = 0;
	while ((got = read(fd, buffer + used, MAPS_BYTES - used)) > 0) {
		char *line = buffer, *end;

		used += (size_t)got;
		buffer[used] = '\0';
		for (; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			read_mapping(line, &now);
			if (!now.offset && now.inode)
				*ret_first = now;
			if (pc >= now.start && pc < now.end)
				return now.inode &&
				       now.inode == ret_first->inode;
		}
		used -= (size_t)(line - buffer);
		memmove(buffer, line, used);
	}
	return false;
}

static bool measure_file(const struct mapping *first, struct claw_module *module)
{
	const ElfW(Ehdr) *elf = (const void *)first->start;
	struct dl_phdr_info info = { .dlpi_addr = first->start };

	if (memcmp(elf->e_ident, ELFMAG, SELFMAG) ||
	    elf->e_phoff + elf->e_phnum * sizeof(ElfW(Phdr)) >
	    first->end - first->start)
		return false;
	info.dlpi_phdr = (const void *)(first->start + elf->e_phoff);
	info.dlpi_phnum = elf->e_phnum;
	for (int i = 0; i < info.dlpi_phnum; i++)
		if (info.dlpi_phdr[i].p_type == PT_LOAD) {
			info.dlpi_addr -= info.dlpi_phdr[i].p_vaddr;
			break;
		}
	measure(module, &info);
	memcpy(module->path, first->path, sizeof(module->path));
	return module->high > module->low;
}

/* For the one thread that writes a process's last words. */
static const struct claw_module *find_unlisted(uintptr_t pc)
{
	static struct claw_module unlisted[MAX_UNLISTED];
	static unsigned int count;
	static struct mapping first;
	struct claw_module *module = &unlisted[count];
	bool found;
	int fd;

	for (unsigned int i = 0; i < count; i++)
		if (pc >= unlisted[i].low && pc < unlisted[i].high)
			return &unlisted[i];
	if (count == MAX_UNLISTED)
		return NULL;
	fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	found = find_file(fd, pc, &first);
	close(fd);
	if (!found || !measure_file(&first, module))
		return NULL;
	count++;
	return module;
}

/* In the handler of a fatal signal: what was loaded since is looked for. */
static __thread bool in_crash;

static const struct claw_module *get_module(uintptr_t pc)
{
	unsigned int count = atomic_load_explicit(&module_count,
						  memory_order_acquire);
	uint64_t latest = atomic_load_explicit(&looks, memory_order_acquire);

	for (unsigned int i = 0; i < count; i++) {
		uint64_t seen = atomic_load_explicit(&modules[i].seen,
						     memory_order_acquire);

		if (seen && seen >= latest && pc >= modules[i].low &&
		    pc < modules[i].high)
			return &modules[i];
	}
	return in_crash ? find_unlisted(pc) : NULL;
}

void *claw_site_unwind_table(const void *address, void **ret_low, void **ret_high)
{
	const struct claw_module *module = get_module((uintptr_t)address);

	if (!module)
		return NULL;
	*ret_low = (void *)module->low;
	*ret_high = (void *)module->high;
	return module->eh_frame_header;
}

/* -------------------------------------------------------------- Python */

/* The interpreter's own functions; objects stay opaque. */
static struct {
	int (*is_initialized)(void);
	int (*gil_check)(void);
	void *(*get_frame)(void);			/* borrowed */
	void *(*frame_get_code)(void *frame);		/* new */
	void *(*frame_get_back)(void *frame);		/* new */
	int (*frame_get_line)(void *frame);
	void *(*get_attribute)(void *object, const char *name);	/* new */
	const char *(*as_utf8)(void *string);		/* borrowed */
	void (*inc_ref)(void *object);
	void (*dec_ref)(void *object);
	void (*err_fetch)(void **type, void **value, void **trace);
	void (*err_restore)(void *type, void *value, void *trace);
} python;
static bool has_python;

static void find_python(void)
{
	static const struct { const char *name; size_t offset; } wanted[] = {
#define PY(field_, name_) { name_, __builtin_offsetof(__typeof__(python), field_) }
		PY(is_initialized, "Py_IsInitialized"),
		PY(gil_check, "PyGILState_Check"),
		PY(get_frame, "PyEval_GetFrame"),
		PY(frame_get_code, "PyFrame_GetCode"),
		PY(frame_get_back, "PyFrame_GetBack"),
		PY(frame_get_line, "PyFrame_GetLineNumber"),
		PY(get_attribute, "PyObject_GetAttrString"),
		PY(as_utf8, "PyUnicode_AsUTF8"),
		PY(inc_ref, "Py_IncRef"),
		PY(dec_ref, "Py_DecRef"),
		PY(err_fetch, "PyErr_Fetch"),
		PY(err_restore, "PyErr_Restore"),
#undef PY
	};

	has_python = false;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		void *symbol = dlsym(RTLD_DEFAULT, wanted[i].name);

		if (!symbol)
			return;
		memcpy((char *)&python + wanted[i].offset, &symbol,
		       sizeof(symbol));
	}
	has_python = true;
}

static const char *python_attribute(void *code, const char *name)
{
	void *string = python.get_attribute(code, name);
	const char *text = string ? python.as_utf8(string) : NULL;

	/* The code object keeps its attributes alive while we look. */
	if (string)
		python.dec_ref(string);
	return text ? text : "?";
}

static void take_python_frames(struct claw_site *site, void *frame)
{
	python.inc_ref(frame);
	while (frame && site->frame_count < CLAW_JOURNAL_MAX_FRAMES) {
		void *code = python.frame_get_code(frame);
		void *back = python.frame_get_back(frame);
		unsigned int i = site->frame_count++;

		site->frames[i].file = python_attribute(code, "co_filename");
		site->frames[i].function = python_attribute(code, "co_name");
		site->frames[i].offset = (uint64_t)python.frame_get_line(frame);
		site->frames[i].module = NULL;
		python.dec_ref(code);
		python.dec_ref(frame);
		frame = back;
	}
	if (frame)
		python.dec_ref(frame);
}

/* The Python frames of this thread; false when it runs none. The program may
 * be in the midst of an exception, which is kept; ours (a file name that is
 * not UTF-8) is not. */
static bool capture_python(struct claw_site *site)
{
	void *type, *value, *trace;
	void *frame;

	if (!has_python || !python.is_initialized() || !python.gil_check())
		return false;
	frame = python.get_frame();
	if (!frame)
		return false;
	site->kind = CLAW_SITE_PYTHON;
	python.err_fetch(&type, &value, &trace);
	take_python_frames(site, frame);
	python.err_restore(type, value, trace);
	return site->frame_count > 0;
}

/* -------------------------------------------------------------- native */

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context,
				      void *user)
{
	struct claw_site *site = user;
	int before = 0;
	uintptr_t pc = _Unwind_GetIPInfo(context, &before);
	const struct claw_module *module;

	if (!pc)
		return _URC_END_OF_STACK;
	if (!before)
		pc--;			/* into the call instruction */
	module = get_module(pc);
	if (module && module->ours)
		return _URC_NO_REASON;
	unsigned int i = site->frame_count++;

	site->frames[i].module = module;
	site->frames[i].offset = module ? pc - module->base : 0;
	site->frames[i].file = site->frames[i].function = NULL;
	return site->frame_count < CLAW_JOURNAL_MAX_FRAMES ?
		_URC_NO_REASON : _URC_END_OF_STACK;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const uint8_t *p = bytes;

	while (length--)
		hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
	return hash;
}

static void hash_site(struct claw_site *site)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (unsigned int i = 0; i < site->frame_count; i++) {
		const struct claw_module *module = site->frames[i].module;
		const char *file = site->frames[i].file;

		if (module)
			hash = hash_bytes(hash, module->build_id,
					  module->build_id_bytes);
		if (file) {
			hash = hash_bytes(hash, file, strlen(file));
			hash = hash_bytes(hash, site->frames[i].function,
					  strlen(site->frames[i].function));
		}
		hash = hash_bytes(hash, &site->frames[i].offset,
				  sizeof(site->frames[i].offset));
	}
	site->hash = hash ? hash : 1;
}

struct crash_walk {
	struct claw_site *site;
	bool is_past_handler;
};

/* Neither the handler nor what the kernel returns to from it was running. */
static _Unwind_Reason_Code take_frame_of_crash(struct _Unwind_Context *context,
					       void *user)
{
	struct crash_walk *walk = user;
	int is_interrupted = 0;

	_Unwind_GetIPInfo(context, &is_interrupted);
	walk->is_past_handler = walk->is_past_handler || is_interrupted;
	return walk->is_past_handler ? take_frame(context, walk->site) :
		_URC_NO_REASON;
}

/* A jump to nowhere: who called is where the call left it. */
static void take_caller(struct claw_site *site, uintptr_t stack)
{
	uintptr_t pc = *(const uintptr_t *)stack - 1;
	const struct claw_module *module = get_module(pc);

	if (!module || module->ours)
		return;
	site->frames[site->frame_count].module = module;
	site->frames[site->frame_count].offset = pc - module->base;
	site->frames[site->frame_count].file = NULL;
	site->frames[site->frame_count].function = NULL;
	site->frame_count++;
}

void claw_site_capture_crash(struct claw_site *site, uintptr_t pc,
			     uintptr_t stack)
{
	struct crash_walk walk = { .site = site };

	site->frame_count = 0;
	site->kind = CLAW_SITE_NATIVE;
	in_crash = true;
	/* Nor can the unwinder go on from there: it reads the code. */
	if (stack && !get_module(pc))
		take_caller(site, stack);
	if (!site->frame_count)
		_Unwind_Backtrace(take_frame_of_crash, &walk);
	if (!walk.is_past_handler && !site->frame_count)
		_Unwind_Backtrace(take_frame, site);
	in_crash = false;
	hash_site(site);
}

void claw_site_capture(struct claw_site *site)
{
	site->frame_count = 0;
	site->kind = CLAW_SITE_NATIVE;
	if (!claw_site_script_take(site) && !capture_python(site)) {
		follow_linker();
		_Unwind_Backtrace(take_frame, site);
	}
	hash_site(site);
}

/* A function like memcpy() stands for whoever called it. */
static bool is_runtime(const struct claw_module *module)
{
	static const char *const names[] = {
		"libc.so", "libc-", "libm.so", "libm-", "libpthread",
		"libstdc++.so", "libc++.so", "ld-linux",
	};
	const char *slash = strrchr(module->path, '/');
	const char *name = slash ? slash + 1 : module->path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

struct fault_walk {
	struct claw_site *site;
	bool is_past_handler, is_past_runtime, is_ours;
};

static _Unwind_Reason_Code take_frame_of_fault(struct _Unwind_Context *context,
					       void *user)
{
	struct fault_walk *walk = user;
	int is_interrupted = 0;
	uintptr_t pc = _Unwind_GetIPInfo(context, &is_interrupted);
	const struct claw_module *module = get_module(pc);

	if (!walk->is_past_handler) {
		if (!is_interrupted)
			return _URC_NO_REASON;
		walk->is_past_handler = true;
		walk->is_ours = module && module->ours;
	}
	if (!walk->is_past_runtime && module && is_runtime(module))
		return _URC_NO_REASON;
	walk->is_past_runtime = true;
	return take_frame(context, walk->site);
}

bool claw_site_capture_fault(struct claw_site *site, bool asks_python)
{
	struct fault_walk walk = { .site = site };

	site->frame_count = 0;
	site->kind = CLAW_SITE_NATIVE;
	follow_linker();
	_Unwind_Backtrace(take_frame_of_fault, &walk);
	if (walk.is_ours)
		return false;
	if (asks_python && has_python) {
		site->frame_count = 0;
		if (!capture_python(site)) {
			site->kind = CLAW_SITE_NATIVE;
			_Unwind_Backtrace(take_frame_of_fault, &(struct
				fault_walk) { .site = site });
		}
	}
	hash_site(site);
	return true;
}

struct words_walk {
	struct claw_site *site;
	struct claw_site_words *words;
};

/* A call pushes the return address, and so it is just below the frame that
 * it returns to: where it is not, the site is not known by words. */
static __attribute__((no_sanitize("address"))) _Unwind_Reason_Code
take_frame_and_word(struct _Unwind_Context *context, void *user)
{
	struct words_walk *walk = user;
	struct claw_site_words *words = walk->words;
	uintptr_t place = _Unwind_GetCFA(context) - sizeof(uintptr_t);
	uintptr_t pc = _Unwind_GetIP(context);

	if (pc && place >= words->from) {
		if (words->count == CLAW_SITE_MAX_WORDS ||
		    *(const uintptr_t *)place != pc ||
		    place - words->from > UINT32_MAX) {
			words->whole = false;
		} else {
			words->pcs[words->count] = pc;
			words->places[words->count++] = place;
		}
	}
	return take_frame(context, walk->site);
}

void claw_site_capture_words(struct claw_site *site,
			     struct claw_site_words *words)
{
	struct words_walk walk = { .site = site, .words = words };

	site->frame_count = 0;
	site->kind = CLAW_SITE_NATIVE;
	words->count = 0;
	words->whole = !claw_site_script_take(site) && !capture_python(site);
	if (words->whole) {
		follow_linker();
		_Unwind_Backtrace(take_frame_and_word, &walk);
	}
	hash_site(site);
}

uint32_t claw_site_record(const struct claw_site *site)
{
	struct claw_journal_frame frames[CLAW_JOURNAL_MAX_FRAMES];

	memset(frames, 0, sizeof(frames));
	for (unsigned int i = 0; i < site->frame_count; i++) {
		const struct claw_module *module = site->frames[i].module;

		frames[i].offset = site->frames[i].offset;
		if (module) {
			frames[i].module = claw_journal_module(
				module->path, module->base, module->high,
				module->build_id, module->build_id_bytes);
		} else if (site->frames[i].file) {
			frames[i].module = claw_journal_string(
				site->frames[i].file,
				strlen(site->frames[i].file));
			frames[i].function = claw_journal_string(
				site->frames[i].function,
				strlen(site->frames[i].function));
		}
	}
	return claw_journal_site(site->hash, site->kind, frames,
				 site->frame_count);
}

/* ------------------------------------------------------------ matching */

static bool pc_matches(const struct claw_site *site, const struct claw_rule *rule)
{
	for (unsigned int i = 0; i < site->frame_count; i++) {
		const struct claw_module *module = site->frames[i].module;
		uint64_t offset = site->frames[i].offset;

		if (!module)
			continue;
		for (unsigned int j = 0; j < rule->pc_count; j++) {
			const struct claw_pc_range *pc = &rule->pcs[j];

			if (offset >= pc->low && offset < pc->high &&
			    module->build_id_bytes == pc->build_id_bytes &&
			    !memcmp(module->build_id, pc->build_id,
				    pc->build_id_bytes))
				return true;
		}
	}
	return false;
}

/* "tile.py:88" or a function's name against the Python frames. A file
 * matches by its whole path or by its last components. */
static bool python_matches(const struct claw_site *site, const char *at)
{
	const char *colon = strrchr(at, ':');
	size_t length = colon ? (size_t)(colon - at) : 0;
	uint64_t line = 0;

	for (const char *p = colon ? colon + 1 : ""; *p; p++)
		line = line * 10 + (uint64_t)(*p - '0');
	for (unsigned int i = 0; i < site->frame_count; i++) {
		const char *file = site->frames[i].file;
		size_t file_length;

		if (!file)
			continue;
		if (!colon) {
			if (!strcmp(site->frames[i].function, at))
				return true;
			continue;
		}
		file_length = strlen(file);
		if (site->frames[i].offset == line && file_length >= length &&
		    !memcmp(file + file_length - length, at, length) &&
		    (file_length == length || file[file_length - length - 1] == '/'))
			return true;
	}
	return false;
}

bool claw_site_matches(const struct claw_site *site, const struct claw_rule *rule)
{
	if (rule->site && rule->site != site->hash)
		return false;
	if (!*rule->at && !rule->pc_count)
		return true;
	if (site->kind == CLAW_SITE_PYTHON)
		return python_matches(site, rule->at);
	return pc_matches(site, rule);
}

bool claw_site_has_python(void)
{
	return has_python;
}

const char *claw_site_path_of(const void *address)
{
	const struct claw_module *module = get_module((uintptr_t)address);

	return module ? module->path : "";
}

void claw_site_init(void)
{
	follow_linker();
	pthread_atfork(before_fork, after_fork, after_fork);
	find_python();
}
