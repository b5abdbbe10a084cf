/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of instrument*.c share and nobody else uses: what was built
 * (instrument_programs.c), its texts with probes (instrument_request.c,
 * instrument_helper.c, instrument_cache.c, instrument_macros.c,
 * instrument_rewrite.c), what they stand for (instrument_map.c), twins
 * (instrument_twins.c), as the driver built them before (instrument_binaries.c,
 * instrument_known.c), queues (instrument_queues.c), kernels and their arguments
 * (instrument_kernels.c), which of them are complete (instrument_complete.c),
 * launches (instrument_launches.c), what kernels write (instrument_words.c,
 * instrument_behind.c, instrument_copies.c), what they found (instrument_found.c) and in which file
 * (instrument_source.c), and for who asks after each launch (instrument_ask.c).
 *
 * Everything here runs between claw_ours_begin() and claw_ours_end().
 */
#ifndef CLAW_INSTRUMENT_PRIVATE_H
#define CLAW_INSTRUMENT_PRIVATE_H

#include "instrument.h"

#include <pthread.h>
#include <stdio.h>

#include "faults/life/found.h"
#include "faults/shared/statx.h"
#include "instrument_complete.h"
#include "instrument_handles.h"

enum {
	CLAW_PROBE_DEVICES = 16,	/* of one program */
	CLAW_PROBE_SIZES = 64,		/* hidden sizes of one kernel */
	CLAW_PROBE_ARGUMENTS = 64,	/* of one kernel, that are looked at */
	CLAW_PROBE_WHY = sizeof(((struct claw_probe_header *)0)->why),
	CLAW_PROBE_KEY = sizeof(((struct claw_probe_part *)0)->key),
};

extern struct claw_instrument_config claw_instrument_config CLAW_HIDDEN;

/* Bytes of the guest's own; the caller frees them. */
struct claw_text {
	char *bytes;			/* a NUL behind them */
	size_t length;
};

/* ---- what is built (instrument_programs.c) */

struct claw_unit_header {
	char *name, *text;
};

/* One text, as it is compiled. */
struct claw_unit {
	uint32_t users;
	bool is_separate;		/* of clCompileProgram */
	bool is_of_binary;		/* as a run before had it */
	uint32_t site;			/* that created it */
	uint64_t since_ns;		/* before it was built */
	char *source, *options;
	char *directory;		/* where it was built, or NULL */
	/* Of what it includes, as it was built; "": nothing, or that is not
	 * known (yet). While twins are made. */
	char print[CLAW_PROBE_KEY];
	unsigned int header_count;
	struct claw_unit_header *headers;
};

/* What a program is on one device. */
struct claw_build {
	cl_device_id device;
	unsigned int count;		/* units; 0: not of source */
	struct claw_unit *units[CLAW_PROBE_PARTS];
	char *link_options;		/* NULL: not linked */
};

struct claw_twin;

struct claw_probed_program {
	struct claw_probed_entry entry;	/* its kernels are users */
	cl_context context;
	bool is_source;
	uint32_t site;			/* that created it, where it is of source */
	unsigned int build_count;
	struct claw_build builds[CLAW_PROBE_DEVICES];
	unsigned int known_count;	/* of binaries; not built yet */
	struct claw_build *known;
	struct claw_twin *twins;	/* of these builds, made so far */
};

CLAW_HIDDEN void claw_probed_programs_begin(void);
CLAW_HIDDEN void claw_unit_put(struct claw_unit *unit);
/* Before the driver builds: files that are written from now on are others. */
CLAW_HIDDEN void claw_probed_build_begins(void);
/* After the driver; built before it, where a callback comes. */
CLAW_HIDDEN void claw_probed_created(const struct claw_call *call);
CLAW_HIDDEN void claw_probed_built(const struct claw_call *call);
CLAW_HIDDEN void claw_probed_linked(const struct claw_call *call);
/* The program got binaries. */
CLAW_HIDDEN void claw_probed_asked(const struct claw_call *call);
CLAW_HIDDEN void claw_probed_retained(cl_program program);
CLAW_HIDDEN void claw_probed_released(cl_program program);
/* Nothing has that handle any more, or nobody knows what it is. */
CLAW_HIDDEN void claw_probed_forget(cl_program program);
/* NULL: not known; else to be put back. */
CLAW_HIDDEN struct claw_probed_program *claw_probed_get(cl_program program);
CLAW_HIDDEN void claw_probed_put(struct claw_probed_program *program);

/* ---- a text with probes (instrument_rewrite.c) */

struct claw_rewritten {
	enum claw_probe_state state;
	char key[CLAW_PROBE_KEY];
	bool was_known;			/* before this process began */
	struct claw_text source, map;
	char why[CLAW_PROBE_WHY];	/* unless it is INSTRUMENTED */
};

/* number: of the build's units. */
CLAW_HIDDEN void claw_rewrite(const struct claw_build *build,
			      unsigned int number, cl_context context,
			      struct claw_rewritten *ret_rewritten);
/* Have the unit's print. False: it includes files that may have changed. */
CLAW_HIDDEN bool claw_rewrite_settle(const struct claw_build *build,
				     unsigned int number, cl_context context);

/* One line for people; what does not fit is cut off. */
CLAW_HIDDEN void claw_probe_why(char why[CLAW_PROBE_WHY], const char *format,
				...) __attribute__((format(printf, 2, 3)));

/* ---- what it includes (instrument_reads.c) */

/* A moment that is past for files, too. */
CLAW_HIDDEN uint64_t claw_reads_now(void);
CLAW_HIDDEN uint64_t claw_reads_ns(struct statx_timestamp time);
/* A path a line, of a map. False: none, or it is not known. */
CLAW_HIDDEN bool claw_reads_list(const char *map, struct claw_text *ret_list);
/* Of all that is in these files and where none is. False: that is not known
 * well, one has been written since then, or cannot be read. */
CLAW_HIDDEN bool claw_reads_print(const struct claw_text *list,
				  uint64_t since_ns, char print[CLAW_PROBE_KEY]);

/* ---- the request (instrument_request.c) */

/* macros: lines of it, or NULL. False: no memory. */
CLAW_HIDDEN bool claw_request_make(const struct claw_build *build,
				   const struct claw_unit *unit,
				   const char *macros,
				   struct claw_text *ret_request);
/* The device's answer, "" for none; NULL: no memory. The caller frees it. */
CLAW_HIDDEN char *claw_device_text(cl_device_id device, cl_device_info what);
/* Which device it is, and which driver's: of other lines nothing that was kept
 * is of use. */
CLAW_HIDDEN void claw_device_put(FILE *out, cl_device_id device);
/* The options without what preprocessing has done already, and a few of ours
 * behind them. NULL: no memory. */
CLAW_HIDDEN char *claw_options_make(const char *options, const char *more);
/* All of them, for a program of ours. */
CLAW_HIDDEN char *claw_options_quiet(const char *options);

/* ---- the helper (instrument_helper.c) */

/*
 * Run it with these words, of which the first is its path; the rest ends with
 * NULL. ret_out: what it said on its standard output, bounded.
 *
 * Returns its exit status; -1: it could not be run, did not end in time, or
 * ended by a signal.
 */
CLAW_HIDDEN int claw_helper_run(char *const *words, struct claw_text *ret_out);

/* ---- what was done before (instrument_cache.c) */

CLAW_HIDDEN void claw_cache_begin(void);
/* Of these bytes and the helper that works on them. */
CLAW_HIDDEN void claw_cache_key(const char *bytes, size_t length,
				char key[CLAW_PROBE_KEY]);
/* Is it there since before this process began? */
CLAW_HIDDEN bool claw_cache_is_old(const char *key, const char *suffix);
CLAW_HIDDEN bool claw_cache_read(const char *key, const char *suffix,
				 struct claw_text *ret_text);
CLAW_HIDDEN void claw_cache_write(const char *key, const char *suffix,
				  const char *bytes, size_t length);
CLAW_HIDDEN void claw_cache_remove(const char *key, const char *suffix);
/* Beside the program's caches. */
CLAW_HIDDEN bool claw_units_read(const char *key, struct claw_text *ret_text);
CLAW_HIDDEN void claw_units_write(const char *key, const char *bytes,
				  size_t length);
/* In the session's blobs. */
CLAW_HIDDEN bool claw_blob_path(const char *key, const char *suffix,
				char path[CLAW_INSTRUMENT_PATH]);
CLAW_HIDDEN bool claw_blob_write(const char *key, const char *suffix,
				 const char *bytes, size_t length);
CLAW_HIDDEN bool claw_file_read(const char *path, struct claw_text *ret_text);

/* ---- the driver's macros (instrument_macros.c) */

/* Lines "macro NAME TEXT" of a request for names, one a line; NULL: the driver
 * would not say, and why does. The caller frees them. */
CLAW_HIDDEN char *claw_macros_ask(const char *names, const char *options,
				  cl_context context, cl_device_id device,
				  char why[CLAW_PROBE_WHY]);

/* ---- the map (instrument_map.c) */

enum claw_map_space { CLAW_MAP_MEMORY, CLAW_MAP_LOCAL, CLAW_MAP_IMAGE,
		      CLAW_MAP_SAMPLER };

struct claw_map_size {
	uint32_t index, argument;
	enum claw_map_space space;
};

/* The hidden argument that says where an argument's shadow is. */
struct claw_map_shade {
	uint32_t index, argument;
	uint32_t shift;			/* log2 of a granule's bytes */
	bool is_local, is_changed;
};

/* The hidden arguments that say where an argument's shadow of what was written
 * is: of a buffer two, of local memory one. */
struct claw_map_cell {
	uint32_t index, argument;
	uint32_t shift;			/* log2 of a granule's bytes, in local memory */
	bool is_local, is_asked;
};

enum claw_map_use { CLAW_USE_UNKNOWN, CLAW_USE_NONE, CLAW_USE_READ,
		    CLAW_USE_WRITE };

struct claw_map_kernel {
	uint32_t arguments, words;	/* indices from words on are ours */
	uint8_t uses[CLAW_PROBE_ARGUMENTS];	/* enum claw_map_use */
	int64_t launch;			/* index, or -1 */
	int64_t shadow;			/* of the first of three, or -1 */
	uint64_t shadow_local;		/* words of the kernel's local arrays */
	bool has_orders, has_globals;	/* races are not looked at */
	unsigned int shade_count;
	struct claw_map_shade shades[CLAW_PROBE_ARGUMENTS];
	int64_t cells;			/* the first of two, or -1 */
	uint64_t cells_local;		/* bytes of the shadow of local variables */
	bool is_wild, is_wild_own;	/* who knows what global, other memory is written */
	unsigned int cell_count;
	struct claw_map_cell cell[CLAW_PROBE_ARGUMENTS];
	bool is_blind;			/* none of its accesses is checked */
	bool is_partly;			/* some are not */
	unsigned int size_count;
	struct claw_map_size sizes[CLAW_PROBE_SIZES];
};

struct claw_map_access {
	char file[256], function[64], object[64], kind[16], space[16];
	uint32_t line, column;
	bool is_float;			/* coordinates of a pixel */
};

CLAW_HIDDEN bool claw_map_counts(const char *map, uint32_t *ret_counters,
				 uint32_t *ret_accesses);
/* False: it has no probes, and why says it. */
CLAW_HIDDEN bool claw_map_kernel(const char *map, const char *name,
				 struct claw_map_kernel *ret_kernel,
				 char why[CLAW_PROBE_WHY]);
/* One access of a kernel of which none is checked. */
CLAW_HIDDEN bool claw_map_blind(const char *map, const char *name,
				char why[CLAW_PROBE_WHY]);
/* Is there local memory for it with what was set? Who launches what does not
 * fit can end in the driver (pocl). */
CLAW_HIDDEN bool claw_twin_fits(const struct claw_kernel_twin *twin);
/* The host says it, where there is one. Once a reason, and so many in all. */
CLAW_HIDDEN void claw_twin_say(const char *what, const char *why);
/* How many of its accesses are not checked, and one of them. */
CLAW_HIDDEN bool claw_map_partly(const char *map, const char *name,
				 char why[CLAW_PROBE_WHY]);
CLAW_HIDDEN bool claw_map_access(const char *map, uint32_t number,
				 struct claw_map_access *ret_access);
/* The next counters that a kernel can come to; *map goes behind it. */
CLAW_HIDDEN bool claw_map_reach(const char **map, const char *name,
				uint32_t *ret_first, uint32_t *ret_count);
/* It calls functions that are defined in other texts. */
CLAW_HIDDEN bool claw_map_leaves(const char *map, const char *name);

/* ---- queues (instrument_queues.c) */

struct claw_probed_queue {
	cl_command_queue handle;
	cl_device_id device;
	uint32_t references;		/* the program's */
	bool in_order;
};

CLAW_HIDDEN void claw_probed_queues_begin(void);
CLAW_HIDDEN void claw_probed_queue_made(cl_command_queue queue);
CLAW_HIDDEN void claw_probed_queue_retained(cl_command_queue queue);
/* A release; is it, or may it be, the last one? */
CLAW_HIDDEN bool claw_probed_queue_goes(cl_command_queue queue);
CLAW_HIDDEN void claw_probed_queue_get(cl_command_queue handle,
				       struct claw_probed_queue *ret_queue);

/* One of ours, in order, the same for all who have it at the same time; NULL:
 * cannot be had. */
CLAW_HIDDEN cl_command_queue claw_own_queue_get(cl_context context,
						cl_device_id device);
CLAW_HIDDEN void claw_own_queue_put(cl_command_queue queue);
/* How many there are in that context. */
CLAW_HIDDEN cl_uint claw_own_queues(cl_context context);

/* ---- what kernels write (instrument_words.c, instrument_copies.c) */

enum { CLAW_WORDS_QUEUES = 8 };

/* Launches of which there is no copy, in one of the program's queues. */
struct claw_words_slot {
	cl_command_queue queue;
	bool in_order;
	uint64_t behind;
};

/* The shadow of data races in one of the program's queues, in order. */
struct claw_race_shadow {
	cl_command_queue queue;		/* NULL: of none */
	cl_mem buffer;			/* NULL: not made yet */
	cl_mem old;			/* a kernel may still have it as an argument */
	uint64_t words;
	uint32_t tag;			/* of the last launch */
	pthread_mutex_t lock;		/* of a launch, until it is in the queue */
};

/* Of a program on a device; the file stays mapped as long as the process. */
struct claw_words {
	struct claw_words *next;	/* of all, the newest first */
	struct claw_probe_header *file;
	uint32_t *words;		/* in it, or NULL */
	char *maps[CLAW_PROBE_PARTS];	/* texts, for what is found */
	char *sources[CLAW_PROBE_PARTS];	/* their files; "": none is, NULL: not asked */
	uint32_t number;		/* of the file */
	uint32_t has_why;		/* somebody says it, or has (file->why) */
	uint32_t busy;			/* somebody is at the fields below */
	cl_mem buffer;			/* NULL: nobody uses it */
	struct claw_race_shadow shadows[CLAW_WORDS_QUEUES];
	cl_context context;
	cl_device_id device;
	struct claw_words_slot slots[CLAW_WORDS_QUEUES + 1];	/* the last: of none */
	uint64_t behind;		/* all of them, and of the copy under way */
	bool is_dying;			/* its twin is gone, the buffer not yet */
	bool is_idle;			/* nobody has it */
	cl_event copy;			/* under way, or NULL */
	uint64_t copying;		/* launches that it has */
	uint64_t copied_ns;		/* when it was begun */
	uint32_t told;			/* findings that were said */
	bool is_saturated;		/* was said, too */
	uint32_t *counted;		/* of each access's SEEN, what findings have */
	uint32_t accesses;		/* of these; 0: none is counted */
	struct claw_complete *complete;	/* of kernels, as long as the process */
	struct claw_verified *verified;	/* the same */
	cl_command_queue copy_queue;	/* that the copy is in, or NULL */
	cl_command_queue last_queue;	/* that has the buffer's last command */
	cl_command_queue own;		/* of ours, or NULL */
	uint64_t early;			/* launches behind that want one at once */
};

static inline struct claw_probe_part *
claw_words_parts(const struct claw_words *words)
{
	return (struct claw_probe_part *)(words->file + 1);
}

CLAW_HIDDEN void claw_words_begin(void);
/* header: modes, state, parts, why; the rest is filled in. maps: one a part,
 * which are taken over, or NULL. NULL: no room. */
CLAW_HIDDEN struct claw_words *
claw_words_make(cl_context context, cl_device_id device,
		const struct claw_probe_header *header,
		const struct claw_probe_part *parts, uint32_t counters,
		uint32_t accesses, char *const *maps);
/* Of the driver's count of references to a context, those that are ours. */
/* Before there are any: what one adds to the driver's count. */
CLAW_HIDDEN void claw_words_learn(cl_context context, cl_device_id device);
CLAW_HIDDEN cl_uint claw_words_references(cl_context context);
/* Why something runs without probes, or is not checked: the first reason that
 * there is stays in the file. */
CLAW_HIDDEN void claw_words_why(struct claw_words *words, const char *why);
/* Its twin is gone: when nothing is under way any more, so is the buffer. */
CLAW_HIDDEN void claw_words_drop(struct claw_words *words);
CLAW_HIDDEN struct claw_words *claw_words_first(void);

/* A launch in that queue writes to them. */
CLAW_HIDDEN void claw_words_launched(struct claw_words *words,
				     const struct claw_probed_queue *queue);
/* One that ran plain, for it is complete. */
CLAW_HIDDEN void claw_words_launched_plain(struct claw_words *words);
/* Before the program waits for that queue (NULL: for whichever), and when it
 * has waited. may_rest: not again right after the last one. */
CLAW_HIDDEN void claw_copies_begin(cl_command_queue queue, bool may_rest);
CLAW_HIDDEN void claw_copies_end(cl_command_queue queue, bool has_finished);
/* Just after a launch, whose event is known, or NULL: where the program waits
 * for nothing, it is to be known all the same which kernels are complete. */
CLAW_HIDDEN void claw_copies_early(struct claw_words *words,
				   const struct claw_probed_queue *queue,
				   const cl_event *launch);
CLAW_HIDDEN void claw_copies_reset(void);

/* ---- what has no copy yet (instrument_behind.c); the words are entered */

/* What is there to copy of that queue (NULL: of any)? False: nothing. */
CLAW_HIDDEN bool claw_behind_find(const struct claw_words *words,
				 cl_command_queue queue,
				 struct claw_words_slot *ret_slot);
/* The queue is gone: what it launched is nobody's. */
CLAW_HIDDEN void claw_behind_give_up(struct claw_words *words,
				    cl_command_queue queue);
/* All that is launched in that queue will be in the copy, too; NULL: of all that
 * are gone. */
CLAW_HIDDEN void claw_behind_cover(struct claw_words *words,
				  cl_command_queue queue);
/* Nothing came of it: somebody else's, if its queue is gone by then. */
CLAW_HIDDEN void claw_behind_uncover(struct claw_words *words);
/* It is done. */
CLAW_HIDDEN void claw_behind_copied(struct claw_words *words);
/* The buffer's last command is in that queue. */
CLAW_HIDDEN void claw_behind_last(struct claw_words *words,
				 cl_command_queue queue);

/* ---- the rest of copies */

/* A queue of the program's is being released. */
CLAW_HIDDEN void claw_copies_queue_goes(cl_command_queue queue);
CLAW_HIDDEN bool claw_copies_are_behind(void);
/* Those in queues of ours, which keep a context's objects, for a moment. */
CLAW_HIDDEN void claw_copies_wait(cl_context context);
/* Have nothing in the queue any more that keeps it, for a moment at most. */
CLAW_HIDDEN void claw_copies_leave(cl_command_queue queue);
/* All that are still missing, for a little while (of that context, or NULL). */
CLAW_HIDDEN void claw_copies_finish(cl_context context);

/* In order, for work of ours; NULL: cannot be had. The caller releases it. */
CLAW_HIDDEN cl_command_queue claw_own_queue_make(cl_context context,
						 cl_device_id device);

/* ---- whose text it is (instrument_source.c) */

/* The file that the text of a part is, or NULL; lives as long as the words.
 * The first time it looks through folders. */
CLAW_HIDDEN const char *claw_probe_source(struct claw_words *words,
					  uint32_t part);
/* A line of that text, from 1, without blanks at its begin. */
CLAW_HIDDEN bool claw_probe_line(const struct claw_words *words, uint32_t part,
				 uint32_t line, char *text, size_t size);

struct claw_kernel_twin;

/* ---- what they found (instrument_found.c) */

CLAW_HIDDEN void claw_probe_found_begin(void);
/* A launch: its number, by which it is known what found something. */
CLAW_HIDDEN uint32_t
claw_probe_found_launch(struct claw_call *call, const char *kernel,
			const struct claw_kernel_twin *twin);
/* Say what is new in the words. */
CLAW_HIDDEN void claw_probe_found_look(struct claw_words *words);
struct claw_probe_found;
/* One record, for who asks (instrument_ask.c). False: it is not whole. */
CLAW_HIDDEN bool claw_probe_found_read(struct claw_words *words,
				       const uint32_t *at,
				       struct claw_probe_found *ret_found);

/* ---- what binaries were built of (instrument_known.c) */

/* Does the program keep its binaries where we know of all? */
CLAW_HIDDEN bool claw_known_is_on(void);
CLAW_HIDDEN void claw_known_keep(const struct claw_build *build,
				 const void *binary, size_t bytes);
/* build: empty, but for its device; the caller clears it in any case. */
CLAW_HIDDEN bool claw_known_find(const void *binary, size_t bytes,
				 struct claw_build *build);
/* One of the program's binaries is not, or will not be, known: let the next
 * run begin with none. */
CLAW_HIDDEN void claw_known_missed(void);

/* ---- programs as a driver built them before (instrument_binaries.c) */

/* Of a program, for each of its devices; 0: none. */
struct claw_binary_sizes {
	unsigned int count;
	cl_device_id devices[CLAW_PROBE_DEVICES];
	size_t sizes[CLAW_PROBE_DEVICES];
};

CLAW_HIDDEN bool claw_binary_sizes_get(cl_program program,
				       struct claw_binary_sizes *ret_sizes);
/* Built; NULL: there is none of that key, or the driver refuses it. */
CLAW_HIDDEN cl_program claw_binary_load(const char *key, cl_context context,
					cl_device_id device,
					const char *options);
CLAW_HIDDEN void claw_binary_keep(const char *key, cl_program program,
				  cl_device_id device);

/* ---- twins (instrument_twins.c) */

enum claw_twin_kind {
	CLAW_TWIN_WANTED,
	CLAW_TWIN_LEFT_OUT,		/* by --kernel-name: it has just a file */
	CLAW_TWIN_CALLED_BACK,		/* so has what cannot be built in a callback */
};

struct claw_twin {
	struct claw_twin *next;
	uint32_t users;
	cl_device_id device;
	enum claw_twin_kind kind;
	cl_program program;		/* NULL: there is none */
	bool prints;			/* a kernel of it may call printf */
	struct claw_words *words;	/* NULL: no room */
};

CLAW_HIDDEN void claw_twins_begin(void);
/* Nobody makes a twin meanwhile. False: we are within that. */
/* This thread makes one, or tries it out: the journal has since when. */
CLAW_HIDDEN void claw_twins_note(bool begins);
CLAW_HIDDEN bool claw_twins_enter(void);
CLAW_HIDDEN void claw_twins_leave(void);
/* Of each device that the program is built for, referenced; how many. */
CLAW_HIDDEN unsigned int
claw_twins_get(struct claw_probed_program *program, bool is_wanted,
	       struct claw_twin *ret_twins[CLAW_PROBE_DEVICES]);
CLAW_HIDDEN void claw_twin_put(struct claw_twin *twin);

/* ---- kernels (instrument_kernels.c) */

/* A kernel's twin on one device. */
struct claw_kernel_twin {
	struct claw_twin *twin;
	cl_kernel kernel;		/* NULL: it has none */
	struct claw_complete *complete;	/* NULL: it never is */
	struct claw_verified *verified;
	struct claw_map_kernel hidden;
	struct claw_race_shadow *shadow;	/* of the launch under way, or NULL */
	uint64_t sizes[CLAW_PROBE_SIZES];	/* as they are set */
	struct claw_found_place made[CLAW_PROBE_SIZES];	/* what they are of */
};

struct claw_probed_kernel {
	struct claw_probed_entry entry;
	pthread_mutex_t lock;		/* of a launch: hidden arguments and it */
	struct claw_probed_program *program;
	char name[128];
	bool is_wanted;			/* --kernel-name */
	/* The arguments as the program set them last, where they can be handles;
	 * pointers; and whether clSetKernelExecInfo named further memory. */
	cl_mem given[CLAW_PROBE_ARGUMENTS];
	bool is_shared[CLAW_PROBE_ARGUMENTS];
	const void *shared[CLAW_PROBE_ARGUMENTS];
	bool has_extra;
	unsigned int count;
	struct claw_kernel_twin *twins;
};

CLAW_HIDDEN void claw_probed_kernels_begin(void);
CLAW_HIDDEN void claw_probed_kernel_made(cl_program program, cl_kernel kernel);
CLAW_HIDDEN void claw_probed_kernel_cloned(cl_kernel from, cl_kernel kernel);
CLAW_HIDDEN void claw_probed_kernel_retained(cl_kernel kernel);
CLAW_HIDDEN void claw_probed_kernel_released(cl_kernel kernel);
CLAW_HIDDEN struct claw_probed_kernel *claw_probed_kernel_get(cl_kernel kernel);
CLAW_HIDDEN void claw_probed_kernel_put(struct claw_probed_kernel *kernel);
/* The driver took an argument, or whatever else is set on kernels. */
CLAW_HIDDEN void claw_probed_kernel_set(const struct claw_call *call);
/* Shared memory that pointers among the arguments point into. */
CLAW_HIDDEN void claw_probed_svm_made(const void *start, uint64_t bytes);
CLAW_HIDDEN void claw_probed_svm_freed(const void *start);
/* The shared memory that a pointer is in, or NULL. */
CLAW_HIDDEN const void *claw_probed_svm_find(const void *pointer,
					     uint64_t *ret_bytes);

/* ---- the shadow of data races (instrument_shadow.c) */

/* Before a launch, with the kernel's lock; queue: that it goes to. ret_whole:
 * all that it touches is looked at. False: the arguments could not be set. */
CLAW_HIDDEN bool claw_shadow_set(const struct claw_call *call,
				 const struct claw_probed_kernel *kernel,
				 struct claw_kernel_twin *twin,
				 cl_command_queue queue, bool *ret_whole);
/* The launch is in the queue, or will not be. */
CLAW_HIDDEN void claw_shadow_end(struct claw_kernel_twin *twin);
CLAW_HIDDEN void claw_shadow_begin(struct claw_words *words);
/* The queue goes; NULL: so does the words' buffer. */
CLAW_HIDDEN void claw_shadow_leave(struct claw_words *words,
				   cl_command_queue queue);
/* How many buffers there are. */
CLAW_HIDDEN cl_uint claw_shadow_buffers(const struct claw_words *words);

/* ---- shadows of what was written (instrument_cells.c) */

/* The same as claw_shadow_set(). is_trial: on copies of buffers, which nothing
 * is known of. */
CLAW_HIDDEN bool claw_cells_set(const struct claw_probed_kernel *kernel,
				struct claw_kernel_twin *twin,
				cl_command_queue queue, bool is_trial,
				bool *ret_whole);

/* ---- launches (instrument_launches.c) */

CLAW_HIDDEN void claw_launches_begin(void);
CLAW_HIDDEN void claw_launch_before(struct claw_call *call);
CLAW_HIDDEN void claw_launch_after(struct claw_call *call);
/* A kernel runs without us: recorded in a command buffer. */
CLAW_HIDDEN void claw_launch_other(cl_kernel kernel);

#endif
