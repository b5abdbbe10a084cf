/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the probes of an instrumented text stand for: KEY.map, text lines of
 * words with one blank between them; the last word of a line goes to its end
 * and is the only one that may hold blanks ("%0A" for a newline, "%25" for %).
 *
 *	openclaw-map 1
 *	options TEXT			the request's, without the preprocessor's: what the
 *					rewritten text is built with
 *	counters N
 *	accesses N
 *	file I PATH			0 is the main text
 *	function COUNTER FILE FIRST-LINE LAST-LINE NAME		its entries
 *	line FILE LINE EXPRESSION	how often it ran: counters joined with + and -
 *	branch FILE LINE BLOCK ARM EXPRESSION KIND	taken so often, of an
 *					evaluation: of a BLOCK (number in FILE) all arms;
 *					KIND: if, for, while, do, case, default, ?:, &&, ||
 *	kernel NAME ARGUMENTS HIDDEN	its own arguments; index of the first of ours:
 *					the words (__global uint *)
 *	argument NAME INDEX USE		what it can do to the memory object that its own
 *					argument is: none (it is none), read, write
 *	launch NAME INDEX		the argument __claw_launch (uint) of kernel NAME
 *	size NAME INDEX ARGUMENT SPACE	the argument __claw_nARGUMENT (ulong): bytes of what
 *					ARGUMENT points at; SPACE: global, constant, local;
 *					"image": (uint4) what its coordinates have to be
 *					below; "sampler": enum claw_sampler_mode
 *	shadow NAME INDEX WORDS WHY	of three arguments for data races the first:
 *					__claw_sh, __claw_sl (that many words of 64 bits for
 *					the kernel's local arrays), __claw_sw; WHY:
 *					why it is not looked at: "orders", atomics order its
 *					work-items; "globals", it has variables of the
 *					program's; else "-"
 *	shade NAME INDEX ARGUMENT SPACE SHIFT USE	the argument __claw_uARGUMENT
 *					(ulong): where its shadow is; SHIFT: log2 of the
 *					bytes of a granule; USE: what is done to what it
 *					points at, none, read or write
 *	cells NAME INDEX BYTES WILD	of two arguments for what nobody wrote the first:
 *					__claw_vl (that many bytes for the kernel's local
 *					variables), __claw_vw; WILD: "global" if it writes
 *					to buffers through pointers that are not followed,
 *					"own" if to local or private memory, else "-"
 *	cell NAME INDEX ARGUMENT SPACE SHIFT USE	the argument __claw_cpARGUMENT
 *					(of local memory there is none) and, behind it,
 *					__claw_coARGUMENT (ulong): where its shadow is; the
 *					rest as of shade
 *	partly NAME FILE LINE TEXT	kernel NAME, and what it calls, has accesses that are
 *					not checked: TEXT
 *	blind NAME FILE LINE TEXT	of what kernel NAME, and what it calls, accesses nothing
 *					is checked, TEXT for one; "barriers: TEXT": not known
 *					whether all come to the barriers behind TEXT
 *	access N FILE LINE COLUMN KIND SPACE BYTES FUNCTION OBJECT TEXT
 *					KIND: read, write, update (both: "+=", "++"),
 *					atomic, divide, shift,
 *					barrier (or the like), condition (of one);
 *					OBJECT: the variable it is of, or -; of pixels SPACE
 *					is "image2d" and the like, BYTES 1 if coordinates
 *					are floats
 *	reach FIRST COUNT NAME		counters that kernel NAME, or what it calls, can come to
 *	leaves NAME			kernel NAME, or what it calls, calls functions that
 *					this text does not define: their counters, too
 *	reads PATH			a file that the text includes, or would if it
 *					were there; none: unknown, if it includes any
 *	plain NAME FILE LINE REASON	a kernel (or function) that has no probes
 *
 * In hit mode an EXPRESSION has + only.
 */
#ifndef CLAW_INSTRUMENT_MAP_H
#define CLAW_INSTRUMENT_MAP_H

#define CLAW_MAP_FIRST_LINE	"openclaw-map 1"

#endif
