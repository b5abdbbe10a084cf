/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Free space as a treap: pieces in order of their place, each node with the
 * largest piece below it, so that the first fit and the neighbours of what is
 * given back are found in a few steps however many pieces there are. What is
 * taken is nowhere: its owner knows its place.
 */
#include "config.h"

#include "model_extents.h"

#include <string.h>
#include <sys/mman.h>

enum { NODES = 1 << 20 };	/* reserved; only what is used takes memory */

struct claw_extent {
	uint32_t start, units, largest;
	uint32_t left, right;
};

bool claw_extents_begin(struct claw_extents *extents)
{
	size_t bytes = NODES * sizeof(*extents->nodes);
	void *map = extents->nodes;

	if (map)
		munmap(map, bytes);
	memset(extents, 0, sizeof(*extents));
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return false;
	extents->nodes = map;
	extents->fresh = 1;
	extents->room = NODES;
	return true;
}

/* A node's rank: its number, mixed. The same place always has the same one. */
static uint32_t rank(uint32_t number)
{
	uint32_t mix = number * UINT32_C(0x9e3779b1);

	mix ^= mix >> 15;
	return mix * UINT32_C(0x85ebca77);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void settle(struct claw_extents *e, uint32_t number)
{
	struct claw_extent *node = &e->nodes[number];

	node->largest = larger(node->units,
			       larger(e->nodes[node->left].largest,
				      e->nodes[node->right].largest));
}

/* Below that node, in two: places before start, and behind. */
static void split(struct claw_extents *e, uint32_t number, uint32_t start,
		  uint32_t *ret_left, uint32_t *ret_right)
{
	struct claw_extent *node = &e->nodes[number];

	if (!number) {
		*ret_left = *ret_right = 0;
	} else if (node->start < start) {
		split(e, node->right, start, &node->right, ret_right);
		*ret_left = number;
		settle(e, number);
	} else {
		split(e, node->left, start, ret_left, &node->left);
		*ret_right = number;
		settle(e, number);
	}
}

static uint32_t join(struct claw_extents *e, uint32_t left, uint32_t right)
{
	if (!left || !right)
		return left ? left : right;
	if (rank(left) > rank(right)) {
		e->nodes[left].right = join(e, e->nodes[left].right, right);
		settle(e, left);
		return left;
	}
	e->nodes[right].left = join(e, left, e->nodes[right].left);
	settle(e, right);
	return right;
}

static uint32_t new_node(struct claw_extents *e)
{
	uint32_t number = e->spare;

	if (number)
		e->spare = e->nodes[number].left;
	else if (e->fresh < e->room)
		number = e->fresh++;
	return number;
}

static void free_node(struct claw_extents *e, uint32_t number)
{
	e->nodes[number] = (struct claw_extent){ .left = e->spare };
	e->spare = number;
}

static void insert(struct claw_extents *e, uint32_t start, uint32_t units)
{
	uint32_t number = new_node(e), left, right;

	if (!number) {
		e->lost += units;
		e->free -= units;
		return;
	}
	e->nodes[number] = (struct claw_extent){
		.start = start, .units = units, .largest = units,
	};
	split(e, e->root, start, &left, &right);
	e->root = join(e, join(e, left, number), right);
}

static void drop(struct claw_extents *e, uint32_t *link, uint32_t start)
{
	uint32_t number = *link;
	struct claw_extent *node = &e->nodes[number];

	if (node->start == start) {
		*link = join(e, node->left, node->right);
		free_node(e, number);
		return;
	}
	drop(e, node->start > start ? &node->left : &node->right, start);
	settle(e, number);
}

/* Below that node: take from the lowest piece that fits. A piece that is empty
 * then stays for the caller to drop. */
static uint32_t take(struct claw_extents *e, uint32_t number, uint32_t units,
		     bool *ret_empty)
{
	struct claw_extent *node = &e->nodes[number];
	uint32_t start;

	if (e->nodes[node->left].largest >= units) {
		start = take(e, node->left, units, ret_empty);
	} else if (node->units >= units) {
		start = node->start;
		*ret_empty = node->units == units;
		if (!*ret_empty) {
			node->start += units;
			node->units -= units;
		}
	} else {
		start = take(e, node->right, units, ret_empty);
	}
	settle(e, number);
	return start;
}

/* There is one piece only: most programs never make a second. */
static inline struct claw_extent *only(const struct claw_extents *e)
{
	struct claw_extent *root = &e->nodes[e->root];

	return e->root && !root->left && !root->right ? root : NULL;
}

bool claw_extents_take(struct claw_extents *extents, uint32_t units,
		       uint32_t *ret_start)
{
	struct claw_extent *piece;
	bool empty = false;

	if (!units || !extents->nodes ||
	    extents->nodes[extents->root].largest < units)
		return false;
	piece = only(extents);
	if (piece && piece->units > units) {
		*ret_start = piece->start;
		piece->start += units;
		piece->units = piece->largest = piece->units - units;
		extents->free -= units;
		return true;
	}
	*ret_start = take(extents, extents->root, units, &empty);
	if (empty)
		drop(extents, &extents->root, *ret_start);
	extents->free -= units;
	return true;
}

/* The node that ends where this starts (or 0), and the one that starts where
 * it ends. */
static void neighbours(const struct claw_extents *e, uint32_t start,
		       uint32_t end, uint32_t *ret_before, uint32_t *ret_behind)
{
	uint32_t number = e->root;

	*ret_before = *ret_behind = 0;
	while (number) {
		const struct claw_extent *node = &e->nodes[number];

		if (node->start + node->units == start)
			*ret_before = number;
		if (node->start == end)
			*ret_behind = number;
		number = node->start > start ? node->left : node->right;
	}
}

/* The node grows or moves its start down; its order is the same. */
static void refresh(struct claw_extents *e, uint32_t number, uint32_t start)
{
	struct claw_extent *node = &e->nodes[number];

	if (node->start != start)
		refresh(e, node->start > start ? node->left : node->right,
			start);
	settle(e, number);
}

void claw_extents_give(struct claw_extents *extents, uint32_t start,
		       uint32_t units)
{
	struct claw_extent *nodes = extents->nodes;
	struct claw_extent *piece;
	uint32_t before, behind;

	if (!units || !nodes)
		return;
	extents->free += units;
	piece = only(extents);
	if (piece && piece->start == start + units) {
		piece->start = start;
		piece->units = piece->largest = piece->units + units;
		return;
	}
	neighbours(extents, start, start + units, &before, &behind);
	if (before && behind) {
		units += nodes[behind].units;
		drop(extents, &extents->root, nodes[behind].start);
	}
	if (before) {
		nodes[before].units += units;
		refresh(extents, extents->root, nodes[before].start);
	} else if (behind) {
		nodes[behind].start = start;
		nodes[behind].units += units;
		refresh(extents, extents->root, start);
	} else {
		insert(extents, start, units);
	}
}

uint32_t claw_extents_largest(const struct claw_extents *extents)
{
	return extents->nodes ? extents->nodes[extents->root].largest : 0;
}
