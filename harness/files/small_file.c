/* SPDX-License-Identifier: Apache-2.0 */
/* Read small files of /proc and /sys. */
#include "config.h"

#include "small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, NUMBER_BYTES = 64 };

static bool read_path(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t length = 0;
	ssize_t part = 0;
	int error;

	if (fd < 0)
		return false;
	while (length + 1 < size) {
		part = read(fd, text + length, size - 1 - length);
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			break;
		length += (size_t)part;
	}
	error = errno;
	close(fd);
	errno = error;
	if (length && text[length - 1] == '\n')
		length--;
	text[length] = '\0';
	return part >= 0;
}

static bool read_format(char *text, size_t size, const char *path,
			va_list args)
{
	char whole[PATH_BYTES];
	int length = vsnprintf(whole, sizeof(whole), path, args);

	*text = '\0';
	if (length < 0 || (size_t)length >= sizeof(whole)) {
		errno = ENAMETOOLONG;
		return false;
	}
	return read_path(whole, text, size);
}

bool claw_small_file_read(char *text, size_t size, const char *path, ...)
{
	va_list args;
	bool is_read;

	va_start(args, path);
	is_read = read_format(text, size, path, args);
	va_end(args);
	return is_read;
}

static double number_of(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end == text || !isfinite(value) ? NAN : value;
}

double claw_small_file_number(const char *path, ...)
{
	char text[NUMBER_BYTES];
	va_list args;
	bool is_read;

	va_start(args, path);
	is_read = read_format(text, sizeof(text), path, args);
	va_end(args);
	return is_read ? number_of(text) : NAN;
}

double claw_small_file_field(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == ':')
			return number_of(line + length + 1);
	}
	return NAN;
}
