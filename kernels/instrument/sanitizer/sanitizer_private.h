/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the sanitizer share. */
#ifndef CLAW_INSTRUMENT_SANITIZER_PRIVATE_H
#define CLAW_INSTRUMENT_SANITIZER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/instrument/unit/nodes.h"
#include "kernels/instrument/unit/rewrite.h"

/*
 * What the sanitizer's files share. accesses.c finds what a function touches,
 * variables.c what becomes of its variables, provenance.c whose memory a
 * pointer expression leads to, ranges.c what an index can be, hoist.c where
 * that can be asked once for many accesses, checks.c writes a check,
 * builtins.c knows what builtin functions touch, images.c asks of pixels,
 * races.c writes the probes of data races and races_text.c what they do, own.c
 * finds accesses that need none (forms.c: which memory is a work-item's own),
 * barriers.c those of barriers and barriers_text.c what they do (flow.c: how
 * control goes, uniform.c: what all of a group have alike), init.c those of
 * reads of what nobody wrote (init.h),
 * preamble.c is the text that all checks need.
 */

/* A text that grows and can be cut back. */
struct claw_text {
	char *bytes;
	size_t length, capacity;
};

void claw_text_add(struct claw_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Words that are not in it yet; NULL: none. */
void claw_text_add_once(struct claw_text *text, const char *words);

/* A place where a variable gets another value. */
struct claw_change {
	struct claw_node *at;		/* the assignment, ++, declaration */
	struct claw_node *value;	/* what it gets; NULL: something else */
};

struct claw_variable {
	CXCursor declaration;
	CXType type;
	char *name;
	struct claw_node *node;
	bool is_parameter, address_taken, busy;
	unsigned int parameter;
	size_t scope_end;
	long long alignment;		/* of where it points; 0: not asked yet */
	struct claw_change *changes;	/* initialiser included */
	size_t change_count;
};

struct claw_hoist;

/* A check, and the place where it is asked about; NULL: only where it is. */
struct claw_asked_at {
	size_t offset;
	const struct claw_hoist *hoist;
	int own;			/* or the flag of own.c; -1 */
	bool is_written;		/* or that of init.c */
};

/* A call of a function that the text defines. */
struct claw_caller {
	struct claw_body *caller;
	struct claw_node *call;
};

/* What is done to an object: a parameter's, or a local array. */
struct claw_shade {
	unsigned int granule;		/* bytes, a power of two; 0: nothing */
	bool is_read, is_changed;
};

struct claw_local {
	CXCursor declaration;
	long long bytes;
	unsigned int number;		/* of its name */
	struct claw_shade shade;
};

struct claw_body {
	struct claw_sanitizer *sanitizer;
	const struct claw_function *function;
	struct claw_node *root;
	struct claw_variable *variables;
	size_t variable_count;
	struct claw_hoist *hoists;
	struct claw_caller *callers;	/* all calls of it */
	size_t caller_count;
	bool is_reached;		/* from a kernel */
	bool has_labels;
	struct claw_asked_at *checks;
	size_t check_count;
	bool touches_local, touches_private;	/* needs these sinks */
	unsigned int numbered, unchecked;	/* accesses */
	const struct claw_node *first_unchecked;
	bool is_summed;
	const char *beyond;	/* what races cannot follow in it, or in what it calls */
	struct claw_shade *shades;	/* of parameters; NULL: none is touched */
	struct claw_local *locals;	/* that are touched */
	size_t local_count;
	unsigned long long shadow_words;	/* of a kernel's local arrays */
	bool meets;		/* has a barrier, or calls what has one */
	struct claw_own *own;	/* of a kernel: accesses that cannot race */
	struct claw_flow *flow;
	struct claw_vote *votes;
	size_t vote_count;
	bool has_votes;		/* or calls what has some */
	bool *writes;		/* parameters whose global memory it may write to; NULL */
	struct claw_node *unsure;	/* a condition that cannot be looked at */
	unsigned int apart;	/* where the group may be apart when it is called */
	struct claw_init *init;	/* NULL: it is not asked for (init.h) */
};

struct claw_sanitizer {
	struct claw_rewrite *rewrite;
	struct claw_body *bodies;	/* of definitions */
	size_t body_count;
	unsigned int numbers;		/* of names */
	unsigned int hoists;
	unsigned int unchecked;
	unsigned long long sink_bytes[CLAW_SPACES];	/* local, private: half a sink */
	unsigned int vote_sides, apart_count;	/* barriers.c */
	bool writes_anywhere;	/* writes.c: through who knows what */
	bool is_survey;		/* own.c: nothing is written yet */
	unsigned int wild_spaces;	/* init.c: bits of spaces that are written to
					 * by who knows whom */
	struct claw_done { size_t start, end; } *done;	/* a hash table */
	size_t done_count, done_room;
};

enum {
	CLAW_TAG_CHECK = 1,	/* of our edits */
	CLAW_SINK_BYTES = 256,	/* of a sink, or more: all types but structs */
};

/* The body of a function that the text defines, or NULL. */
struct claw_body *claw_body_of(struct claw_sanitizer *sanitizer,
			       const struct claw_function *function);

/* variables.c */
void claw_variables_gather(struct claw_body *body);
void claw_variables_release(struct claw_body *body);
/* Of a DeclRefExpr; NULL: none of this function. */
struct claw_variable *claw_variables_find(const struct claw_body *body,
					  const struct claw_node *reference);
/* Its only value: set once, nobody has its address. NULL: it has several. */
struct claw_node *claw_variables_only_value(const struct claw_variable *variable);
/* Whether it has the same value all through [start, end) that it had before. */
bool claw_variables_is_fixed(const struct claw_variable *variable, size_t start,
			     size_t end);

/* provenance.c: whose memory. */
enum claw_root_kind {
	CLAW_ROOT_NULL, CLAW_ROOT_PARAMETER, CLAW_ROOT_VARIABLE,
	CLAW_ROOT_UNKNOWN,
};

struct claw_root {
	enum claw_root_kind kind;
	unsigned int parameter;
	CXCursor declaration;		/* of a variable or parameter */
	CXType type;			/* of a variable */
};

enum { CLAW_ROOTS = 4 };

struct claw_roots {
	struct claw_root list[CLAW_ROOTS];
	size_t count;
};

/* Of a pointer's value, of an object. Unknown ones swallow the rest. */
void claw_roots_of_pointer(struct claw_body *body, struct claw_node *node,
			   struct claw_roots *roots);
void claw_roots_of_place(struct claw_body *body, struct claw_node *node,
			 struct claw_roots *roots);
bool claw_root_is(const struct claw_root *a, const struct claw_root *b);
bool claw_roots_unknown(const struct claw_roots *roots);
/* Whether a variable can be named at an offset. */
bool claw_root_visible(struct claw_body *body, const struct claw_root *root,
		       size_t offset);
/* The alignment that a pointer, an object has for sure. */
long long claw_alignment_of_pointer(struct claw_body *body,
				    struct claw_node *node);
long long claw_alignment_of_place(struct claw_body *body,
				  struct claw_node *node);
/* Base (pointer or array) and index of a subscript. */
void claw_subscript_parts(struct claw_node *node, struct claw_node **base,
			  struct claw_node **index);
bool claw_member_is_arrow(const struct claw_node *node);
/* A vector's components: v.xy; the vector is the child. */
bool claw_is_swizzle(const struct claw_body *body, const struct claw_node *node);
/* The name of a called function; malloc'ed. */
char *claw_callee_name(const struct claw_node *call);
/* Number index of a call's arguments. */
struct claw_node *claw_argument(const struct claw_node *call, size_t index);

/* hoist.c: an access that is asked about earlier. The words of a condition
 * that holds only when all is well with it, or NULL; at is where it happens.
 * always: it is well for sure. Of an index of an array of count elements; of
 * bytes at a place or where a pointer points, whose root is one. */
const char *claw_hoist_index(struct claw_body *body, struct claw_node *index,
			     unsigned long long count, struct claw_node *at,
			     bool *always);
struct claw_asked {
	struct claw_node *place;	/* or */
	struct claw_node *pointer;
	struct claw_node *index;	/* pointer + factor * index; may be NULL */
	unsigned int factor;
	unsigned long long bytes;
	const struct claw_root *root;
};
const char *claw_hoist_bytes(struct claw_body *body,
			     const struct claw_asked *asked,
			     struct claw_node *at, bool *always);
/* A condition that is checked at an offset; flag: what the above gave. */
void claw_hoist_note(struct claw_body *body, size_t offset, const char *flag);
/* ... or a flag of own.c. */
void claw_hoist_note_own(struct claw_body *body, size_t offset, int own);
/* ... or that of init.c: buffers that are wholly written. */
void claw_hoist_note_written(struct claw_body *body, size_t offset);
/* twins.c: texts of which there is one without checks, for where none can go
 * wrong. */
void claw_twins_put(struct claw_body *body);
/* Edits for all of them. entry: what comes first in the body, at its place. */
/* Behind a statement, its semicolon included. */
size_t claw_statement_end(const struct claw_unit *unit,
			  const struct claw_node *node);
void claw_hoist_finish(struct claw_body *body);
void claw_hoist_write_entry(struct claw_body *body, FILE *out);
void claw_hoist_release(struct claw_body *body);

/* checks.c */
enum claw_access_kind { CLAW_READ, CLAW_WRITE, CLAW_UPDATE, CLAW_ATOMIC,
			CLAW_DIVIDE, CLAW_SHIFT, CLAW_MEET, CLAW_DECIDE };

/* An object that is touched: lvalue, or what a pointer points at. */
void claw_check_place(struct claw_body *body, struct claw_node *node,
		      enum claw_access_kind kind);
void claw_check_pointer(struct claw_body *body, struct claw_node *pointer,
			enum claw_access_kind kind);
/* bytes at pointer + factor * index; both are in the text, index first, and
 * what is between them (a comma) is replaced. */
void claw_check_vector(struct claw_body *body, struct claw_node *index,
		       struct claw_node *pointer, unsigned int factor,
		       unsigned int elements, long long align,
		       enum claw_access_kind kind);
/* A new access in the map; its number. */
unsigned int claw_check_number(struct claw_body *body,
			       const struct claw_node *node,
			       enum claw_access_kind kind, const char *space,
			       unsigned long long bytes, const char *object);
/* Whether a check is asked for: enum claw_probe_mode. */
bool claw_check_is_on(const struct claw_body *body, unsigned int mode);
/* ", LO, BYTES, OBJECT" of what a pointer leads to, as one into space; for a
 * function that is given it, with its shadow. */
void claw_check_given(struct claw_body *body, struct claw_node *pointer,
		      enum claw_space space, FILE *out);
void claw_check_bounds(struct claw_body *body, struct claw_node *pointer,
		       enum claw_space space, FILE *out);
/* A name of the first root's, or "-"; malloc'ed. */
char *claw_check_object(const struct claw_roots *roots);

/* ranges.c */
struct claw_range {
	bool is_known;
	long long lo, hi;		/* known */
	unsigned int number;		/* else __claw_rN, __claw_sN */
	long long least, most;		/* what these are within for sure; both 0:
					 * nothing is known */
};

struct claw_hoist {
	struct claw_hoist *next;
	struct claw_body *body;
	struct claw_node *loop;		/* NULL: the function's begin */
	unsigned int number;
	bool is_used[2];
	struct claw_text text[2];	/* of accesses in loops, and of others */
	struct claw_known {
		const struct claw_variable *variable;
		struct claw_range range;
	} *known[2];
	size_t known_count[2];
	char name[2][32];
};

struct claw_asked;

/* What an expression can be from here on; what it needs is added to the
 * hoist's text. False: not to be told (nothing is added). */
bool claw_range_of(struct claw_hoist *hoist, int part, struct claw_node *node,
		   struct claw_range *ret);
/* Bytes from a root's begin. */
bool claw_range_of_bytes(struct claw_hoist *hoist, int part,
			 const struct claw_asked *asked, struct claw_root *root,
			 struct claw_range *ret);
void claw_range_write(char *out, size_t size, const struct claw_range *range,
		      bool high);

/* builtins.c: a call of a function that is not of the text. */
void claw_builtin_call(struct claw_body *body, struct claw_node *call);

/* copies.c: async_work_group_copy and its strided sister. */
void claw_check_copy(struct claw_body *body, struct claw_node *call,
		     bool is_strided);
/* copy_waits.c: whether wait_group_events() for its event is what the group
 * comes to next, whichever way control goes. */
bool claw_copy_is_waited_for(struct claw_body *body, struct claw_node *call);

/* images.c: a call of read_image... or write_image... */
void claw_check_image(struct claw_body *body, struct claw_node *call,
		      const char *name);
/* Of an image, which is a parameter: its size (uint4), OBJECT. */
struct claw_image_words {
	char size[32], object[32];
};
void claw_image_words(const struct claw_body *body, struct claw_node *image,
		      struct claw_image_words *ret_words);
/* Of a sampler: enum claw_sampler_mode as an expression. False: not known. */
enum { CLAW_SAMPLER_WORDS = 32 };
bool claw_sampler_words(struct claw_body *body, struct claw_node *sampler,
			char words[CLAW_SAMPLER_WORDS]);

/* arithmetic.c */
void claw_check_arithmetic(struct claw_body *body, struct claw_node *node);

/* accesses.c */
void claw_accesses_find(struct claw_body *body);

/* preamble.c */
void claw_preamble_write(struct claw_sanitizer *sanitizer, FILE *out);

/* Bytes of an object. */
enum { CLAW_PARTS = 16 };

struct claw_parts {
	unsigned int count;
	struct { unsigned long long from, bytes; } list[CLAW_PARTS];
};

/*
 * One check that is about to be written: what the files share that write it.
 * checks.c puts it around a place or pointer, check_indices.c around indices
 * in a place, check_decision.c writes what decides, check_map.c what the map
 * says of it, bounds.c where objects are, wrapped.c knows what has a check
 * already. See sanitizer.h for what others ask.
 */

struct claw_check {
	struct claw_body *body;
	struct claw_node *node;		/* the place, or the pointer */
	enum claw_access_kind kind;
	enum claw_space space;
	unsigned long long bytes;
	long long align;
	bool align_asked, bounds_asked, race_asked;
	bool is_copy;	/* by nobody of the group: async_work_group_copy() */
	bool init_asked;
	unsigned int init_unit;	/* bytes of global memory that are looked at at once */
	unsigned int init_defer;	/* struct claw_init */
	struct claw_parts parts;	/* what of it is to be written, or is */
	bool is_step;	/* as far from the object's begin as a multiple of bytes */
	const char *flag;
	struct claw_roots roots;
	int own;	/* no race where this flag of own.c is set; -1 */
	unsigned int number, name;	/* of the access; of its variables */
	unsigned int indices;		/* checks of indices inside */
};

/* check_decision.c: the type of what is touched as text, for
 * "__typeof__(...) *"; malloc'ed. NULL: there are no words for it. */
char *claw_check_type(const struct claw_check *check, CXType type);
/* It will be written: its line in the map, what it needs. */
void claw_check_begin(struct claw_check *check);
/* An expression: the address, or where what is wrong goes instead. */
void claw_check_decide(const struct claw_check *check, FILE *out);

/* check_indices.c: the subscripts of arrays in a place; required becomes the
 * alignment that its structs have. */
void claw_check_indices(struct claw_check *check, struct claw_node *place,
			long long *required);

/*
 * races.c: data races.
 */
bool claw_races_are_asked(const struct claw_rewrite *rewrite);
/* Whether other work-items may touch what has this type. */
bool claw_race_is_shared(const struct claw_body *body, CXType type);
/* Whether the check has to have a probe (race_asked). known: what the address
 * is a multiple of for sure. */
bool claw_race_ask(struct claw_check *check, long long known);
/* Statements: address is the name of the variable that has it, hash an
 * expression that tells written values apart, "255u" for any. */
void claw_race_put(const struct claw_check *check, const char *address,
		   const char *hash, FILE *out);
/* "E = V", where the check's place is E, so that V is seen, too. False: it has
 * to be done without; nothing was written. */
bool claw_race_assign(struct claw_check *check);
/* Whether the atomic that is given a pointer is one for its work-group only. */
bool claw_race_is_narrow(const struct claw_body *body,
			 const struct claw_node *pointer);
/* An atomic of OpenCL 2.0, by its name: what it orders is not followed. */
void claw_race_order(struct claw_body *body, const struct claw_node *call,
		     const char *name);
/* A call of wait_group_events(), and of barrier(). */
void claw_race_wait(struct claw_body *body, const struct claw_node *call);
void claw_race_barrier(struct claw_body *body, struct claw_node *call);
/* The hidden argument of an object's shadow as text. */
enum { CLAW_SHADOW_WORDS = 32 };
void claw_race_shadow(struct claw_body *body, const struct claw_root *root,
		      char words[CLAW_SHADOW_WORDS]);
/* When all accesses are known: into the text in front. 0, or -1: the device
 * cannot (the rewrite's error). */
int claw_races_finish(struct claw_sanitizer *sanitizer, FILE *out,
		      FILE *fields);
/* Of a kernel; how many. */
unsigned int claw_races_parameters(struct claw_sanitizer *sanitizer,
				   const struct claw_function *kernel,
				   unsigned int first, FILE *out, FILE *map);
void claw_races_begin(struct claw_body *body, FILE *out);
void claw_races_call_kernel(const struct claw_sanitizer *sanitizer,
			    const struct claw_function *callee, FILE *out);
void claw_races_release(struct claw_body *body);

/*
 * own.c: accesses that cannot race. Before any check is written all accesses of
 * kernels are seen (is_survey).
 */
void claw_own_find(struct claw_sanitizer *sanitizer);
void claw_own_see(const struct claw_check *check,
		  const struct claw_asked *asked);
/* Objects that are accessed by what cannot be seen; a call of the text's. */
void claw_own_lose(struct claw_body *body, const struct claw_roots *roots);
void claw_own_call(struct claw_body *body, const struct claw_node *call);
/* Whether there is no need of a probe; else ret_flag is set. */
bool claw_own_is_free(const struct claw_check *check, int *ret_flag);
/* The flags of a kernel; an expression: local memory needs no words. */
void claw_own_write_entry(const struct claw_body *body, FILE *out);
void claw_own_write_clean(const struct claw_body *body, FILE *out);
void claw_own_release(struct claw_body *body);
/* races_text.c */
void claw_races_text(const struct claw_rewrite *rewrite, FILE *out);

/*
 * barriers.c: barriers that not all of a group reach.
 */
struct claw_flow;
struct claw_vote;
bool claw_barriers_are_asked(const struct claw_rewrite *rewrite);
void claw_barriers_find(struct claw_sanitizer *sanitizer);
/* When all of them are known: into the text in front. */
void claw_barriers_finish(struct claw_sanitizer *sanitizer, FILE *out,
			  FILE *fields);
/* Of a kernel. */
void claw_barriers_begin(const struct claw_body *body, FILE *out);
void claw_barriers_release(struct claw_body *body);
/* writes.c: before; whether the text may write to a place of global memory. */
void claw_writes_find(struct claw_sanitizer *sanitizer);
bool claw_writes_may_be(const struct claw_body *body, struct claw_node *place);
/* barriers_text.c */
void claw_barriers_text(const struct claw_sanitizer *sanitizer, FILE *out,
			FILE *fields);

/*
 * init.c: reads of what nobody wrote.
 */
bool claw_init_is_asked(const struct claw_rewrite *rewrite);
/* Variables of a body that have a shadow: before its accesses are found. */
void claw_init_find(struct claw_body *body);
/* Whether the check has to have a probe (init_asked). */
bool claw_init_ask(struct claw_check *check, CXType type, long long known);
/* Whether it needs none where all buffers that the kernel is given are written. */
bool claw_init_is_of_buffers(const struct claw_check *check);
/* An access that gets no probe, in that space: if it writes, nothing in that
 * space can be said to be unwritten. */
void claw_init_missed(struct claw_body *body, enum claw_space space,
		      enum claw_access_kind kind);
/* A call: what it is given may be written to. */
void claw_init_call(struct claw_body *body, struct claw_node *call);
/* A call of a function that nobody knows. */
void claw_init_unknown_call(struct claw_body *body, struct claw_node *call);
/* The components of the place that is looked at next; NULL: all. */
void claw_init_mask(struct claw_body *body, const struct claw_node *swizzle);
/* Where reads are to be added up from now on; returns where they were. The
 * left side that was seen last (0: they are reported). */
unsigned int claw_init_defer(struct claw_body *body, unsigned int defer);
unsigned int claw_init_target(struct claw_body *body);
/* A variable that is named, with no pointer or index. */
void claw_init_variable(struct claw_body *body, struct claw_node *node,
			enum claw_access_kind kind);
/* The hidden argument of an object's shadow. */
void claw_init_shadow(struct claw_body *body, const struct claw_root *root,
		      char words[CLAW_SHADOW_WORDS]);
/* init_edits.c: statements; address is the name of a variable. value: what
 * a write leaves, as text. */
void claw_init_put(const struct claw_check *check, const char *address,
		   const char *value, FILE *out);
/* async_work_group_copy(), by the names of copies.c; number: of its reads. */
void claw_init_put_copy(struct claw_body *body, struct claw_node *to,
			struct claw_node *from, unsigned int name,
			unsigned int number, bool is_strided, FILE *out);
/* A call of wait_group_events(): what the others copied is there. */
void claw_init_wait(struct claw_body *body, const struct claw_node *call);
void claw_init_finish(struct claw_sanitizer *sanitizer, FILE *out,
		      FILE *fields);
unsigned int claw_init_parameters(struct claw_sanitizer *sanitizer,
				  const struct claw_function *kernel,
				  unsigned int first, FILE *out, FILE *map);
void claw_init_begin(struct claw_body *body, FILE *out);
void claw_init_call_kernel(const struct claw_sanitizer *sanitizer,
			   const struct claw_function *callee, FILE *out);
void claw_init_release(struct claw_body *body);

/* check_map.c: a line of the access, and its number. */
void claw_check_name(struct claw_check *check);
/* A line of what is not checked. */
void claw_check_unchecked(struct claw_body *body, const struct claw_node *node);
/* A line of a kernel of which nothing is, node for one; why: "", or "barriers: "
 * of what is not known there. */
void claw_check_blind(struct claw_body *kernel, const struct claw_node *node,
		      const char *why);
/* A line of a kernel of which so many accesses are not, node for one. */
void claw_check_partly(struct claw_body *kernel, const struct claw_node *node,
		       unsigned int count);

/* bounds.c: LO, BYTES, OBJECT of a root as text, for a pointer into space. */
struct claw_bounds {
	char lo[300], bytes[64], object[32];
};

struct claw_bounds claw_bounds_of(const struct claw_body *body,
				  const struct claw_root *root,
				  enum claw_space space);
/* Roots that cannot be named at an offset become unknown ones. */
void claw_roots_only_visible(struct claw_body *body, struct claw_roots *roots,
			     size_t offset);

/* wrapped.c: whether an edit may be put around a node: written as one, and
 * not done before. True counts as done. */
bool claw_wrapped_add(struct claw_body *body, const struct claw_node *node);

/*
 * What an integer expression can be, seen from an earlier place: a lower and
 * an upper bound as text that is computed there, in 64 bits. Whatever the
 * program's own arithmetic could do otherwise (wrap, convert) makes the text's
 * __claw_ok false: a range that is ok is right, and where none is, accesses
 * are checked one by one. What is here is shared by the files ranges.c (by the
 * kind of an expression), range_arithmetic.c, range_pure.c, range_variables.c,
 * range_loops.c and range_bytes.c; see sanitizer.h for what others ask.
 */

#define CLAW_RANGE_LIMIT (1LL << 61)
#define CLAW_RANGE_FACTOR (1LL << 31)	/* of a product's sides */

/* A question from a place (the hoist's); text is what answers it. */
struct claw_asking {
	struct claw_hoist *hoist;
	int part;
	struct claw_text *text;
	struct claw_body *body;
	int depth;
};

void claw_asking_init(struct claw_asking *asking, struct claw_hoist *hoist,
		      int part);
/* Its end: what was tried in vain leaves nothing of what is behind length and
 * known. Returns found. */
bool claw_asking_settle(struct claw_asking *asking, bool found, size_t length,
			size_t known);

/*
 * ranges.c: any expression. ring: only sums and products of the same 32 bits
 * are made of it, so that it may wrap when what becomes of it does not.
 */
bool claw_range_of_expression(struct claw_asking *asking,
			      struct claw_node *node, bool ring,
			      struct claw_range *ret);
/* range_pure.c: the text itself, on one line, where it can stand earlier. */
bool claw_range_of_pure(struct claw_asking *asking, struct claw_node *node,
			struct claw_range *ret);
/* range_variables.c */
bool claw_range_of_variable(struct claw_asking *asking, struct claw_node *node,
			    struct claw_range *ret);
/* range_loops.c: a variable that only a for statement around its use moves. */
bool claw_range_of_moving(struct claw_asking *asking,
			  const struct claw_variable *variable,
			  struct claw_node *use, struct claw_range *ret);

/* range_arithmetic.c. Both ends as text: */
struct claw_range_words {
	char lo[32], hi[32];
};

struct claw_range_words claw_range_words(const struct claw_range *range);
void claw_range_set(struct claw_range *range, long long lo, long long hi);
/* One with a number of its own, for text to come. */
void claw_range_set_new(struct claw_asking *asking, struct claw_range *range);
/* What values of a type stay within; false: a type that is not looked at. */
bool claw_range_limits(CXType type, long long *lo, long long *hi);
/* The text is ok only where the range is within; false: it never is. */
bool claw_range_keep_within(struct claw_asking *asking,
			    struct claw_range *range, long long lo,
			    long long hi);
bool claw_range_keep_type(struct claw_asking *asking, struct claw_range *range,
			  CXType type);
bool claw_range_multiply(struct claw_asking *asking, struct claw_range *a,
			 struct claw_range *b, struct claw_range *ret);
/* a + b; minus: a - b. */
void claw_range_add(struct claw_asking *asking, const struct claw_range *a,
		    const struct claw_range *b, bool minus,
		    struct claw_range *ret);
/* low of the lower, high of the higher ends, each "min" or "max". */
void claw_range_both_ends(struct claw_asking *asking, const char *low,
			  const char *high, const struct claw_range *a,
			  const struct claw_range *b, struct claw_range *ret);
/* a / b, a % b, a >> b, a & b, b one value. */
bool claw_range_divide(struct claw_asking *asking, enum claw_operator op,
		       struct claw_range *a, struct claw_range *b,
		       struct claw_range *ret);

#endif
