/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libclw and its worker say to each other over a socket: messages of
 * numbers and bytes, in one order, between two programs of one version on one
 * machine. Reading past an end gives zeros and marks the message as bad.
 */
#ifndef CLW_WIRE_H
#define CLW_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum clw_message {
	CLW_RUN = 1,	/* to the worker: a workload */
	CLW_PROBE,	/* a kernel of the worker's own */
	CLW_STAGE,	/* from it: what it does now, and on which device */
	CLW_DONE,	/* what it came to */
};

enum clw_stage { CLW_STAGE_START, CLW_STAGE_READY, CLW_STAGE_KERNEL, CLW_STAGE_RESULTS };

struct clw_wire {
	char *data;
	size_t size, room;
	size_t at;			/* read until here */
	bool is_bad;			/* no memory, or read past the end */
};

void clw_wire_clear(struct clw_wire *wire);
void clw_put(struct clw_wire *wire, uint64_t number);
void clw_put_bytes(struct clw_wire *wire, const void *bytes, size_t size);
void clw_put_raw(struct clw_wire *wire, const void *bytes, size_t size);
void clw_put_text(struct clw_wire *wire, const char *text);
uint64_t clw_get(struct clw_wire *wire);
/* In the message, until it is cleared. */
const void *clw_get_bytes(struct clw_wire *wire, size_t *ret_size);
const char *clw_get_text(struct clw_wire *wire);	/* "" when it is bad */

/* Both: 0; -1 (errno): also when the other end is gone (EPIPE), and when the
 * time is over (ETIMEDOUT). deadline: CLOCK_MONOTONIC; UINT64_MAX: none. */
int clw_send(int fd, enum clw_message type, const struct clw_wire *wire);
int clw_receive(int fd, uint64_t deadline, enum clw_message *ret_type,
		struct clw_wire *wire);

#pragma GCC visibility pop

#endif
