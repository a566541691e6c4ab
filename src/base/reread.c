/* SPDX-License-Identifier: MIT */
#include "base/reread.h"

#include "base/sys.h"

#include <fcntl.h>
#include <unistd.h>

long reread_text(struct reread *file, char *out, size_t room)
{
	ssize_t len = -1;

	if (file->fd < 0)
		file->fd = open(file->path, O_RDONLY | O_CLOEXEC);
	if (file->fd >= 0)
		len = pread(file->fd, out, room - 1, 0);
	out[len < 0 ? 0 : len] = '\0';
	return len;
}

int reread_int(struct reread *file, long long *value)
{
	char text[64];

	return reread_text(file, text, sizeof(text)) < 0 ? -1 : sys_parse_int(text, value);
}

void reread_fini(struct reread *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}
