/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages over a socket.
 */
#include "config.h"

#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "clw_private.h"

/* Changes with every change of what is said. */
#define MAGIC	UINT64_C(0x636c7777300002)

struct header {
	uint64_t magic, type, size;
};

void clw_wire_clear(struct clw_wire *wire)
{
	free(wire->data);
	*wire = (struct clw_wire){ .data = NULL };
}

static bool make_room(struct clw_wire *wire, size_t more)
{
	size_t room = wire->room ? wire->room : 256;
	char *data;

	if (wire->is_bad || more > CLW_SIZE_MAX / 4 ||
	    wire->size > CLW_SIZE_MAX / 4) {
		wire->is_bad = true;
		return false;
	}
	while (room < wire->size + more)
		room *= 2;
	data = room == wire->room ? wire->data : realloc(wire->data, room);
	if (!data) {
		wire->is_bad = true;
		return false;
	}
	wire->data = data;
	wire->room = room;
	return true;
}

void clw_put_raw(struct clw_wire *wire, const void *bytes, size_t size)
{
	if (!make_room(wire, size))
		return;
	if (size)
		memcpy(wire->data + wire->size, bytes, size);
	wire->size += size;
}

void clw_put(struct clw_wire *wire, uint64_t number)
{
	clw_put_raw(wire, &number, sizeof(number));
}

void clw_put_bytes(struct clw_wire *wire, const void *bytes, size_t size)
{
	clw_put(wire, size);
	clw_put_raw(wire, bytes, size);
}

void clw_put_text(struct clw_wire *wire, const char *text)
{
	clw_put_bytes(wire, text, strlen(text) + 1);
}

uint64_t clw_get(struct clw_wire *wire)
{
	uint64_t number = 0;

	if (wire->is_bad || wire->size - wire->at < sizeof(number)) {
		wire->is_bad = true;
		return 0;
	}
	memcpy(&number, wire->data + wire->at, sizeof(number));
	wire->at += sizeof(number);
	return number;
}

const void *clw_get_bytes(struct clw_wire *wire, size_t *ret_size)
{
	uint64_t size = clw_get(wire);
	const void *bytes;

	if (wire->is_bad || wire->size - wire->at < size) {
		wire->is_bad = true;
		*ret_size = 0;
		return "";
	}
	bytes = wire->data + wire->at;
	wire->at += (size_t)size;
	*ret_size = (size_t)size;
	return bytes;
}

const char *clw_get_text(struct clw_wire *wire)
{
	size_t size;
	const char *text = clw_get_bytes(wire, &size);

	if (size && text[size - 1] == '\0')
		return text;
	wire->is_bad = true;
	return "";
}

/* ---- the socket ------------------------------------------------------------ */

static int send_all(int fd, const void *bytes, size_t size)
{
	const char *from = bytes;

	while (size) {
		ssize_t sent = send(fd, from, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -1;
		from += sent;
		size -= (size_t)sent;
	}
	return 0;
}

int clw_send(int fd, enum clw_message type, const struct clw_wire *wire)
{
	struct header header = { MAGIC, type, wire ? wire->size : 0 };

	if (wire && wire->is_bad) {
		errno = ENOMEM;
		return -1;
	}
	if (send_all(fd, &header, sizeof(header)) < 0)
		return -1;
	return wire ? send_all(fd, wire->data, wire->size) : 0;
}

static int wait_readable(int fd, uint64_t deadline)
{
	for (;;) {
		struct pollfd wanted = { .fd = fd, .events = POLLIN };
		uint64_t now = clw_now_ns(), ms;
		int ret;

		if (now >= deadline) {
			errno = ETIMEDOUT;
			return -1;
		}
		ms = deadline == UINT64_MAX ? 60000 :
		     (deadline - now + CLW_NS_PER_MS - 1) / CLW_NS_PER_MS;
		ret = poll(&wanted, 1, ms < 60000 ? (int)ms : 60000);
		if (ret > 0)
			return 0;
		if (ret < 0 && errno != EINTR)
			return -1;
	}
}

static int receive_all(int fd, uint64_t deadline, void *to, size_t size)
{
	char *at = to;

	while (size) {
		ssize_t got;

		if (wait_readable(fd, deadline) < 0)
			return -1;
		got = recv(fd, at, size, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = EPIPE;
		if (got <= 0)
			return -1;
		at += got;
		size -= (size_t)got;
	}
	return 0;
}

int clw_receive(int fd, uint64_t deadline, enum clw_message *ret_type,
		struct clw_wire *wire)
{
	struct header header;

	clw_wire_clear(wire);
	if (receive_all(fd, deadline, &header, sizeof(header)) < 0)
		return -1;
	if (header.magic != MAGIC || header.size > CLW_SIZE_MAX / 4) {
		errno = EPROTO;
		return -1;
	}
	if (!make_room(wire, (size_t)header.size)) {
		errno = ENOMEM;
		return -1;
	}
	if (receive_all(fd, deadline, wire->data, (size_t)header.size) < 0)
		return -1;
	wire->size = (size_t)header.size;
	*ret_type = (enum clw_message)header.type;
	return 0;
}
