/* SPDX-License-Identifier: MIT */
#include "capture/format-text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

/* The longest format file of Linux 6.18 has about 7 KB; this limits a wrong file. */
#define FORMAT_MAX (1u << 20)

char *format_text_read(const struct access *access, const struct event_spec *spec, char **system,
		       size_t *len)
{
	const char *full = event_origin(spec);
	char *first = xstrndup(full, event_system_length(full));
	const char *rest = full + strlen(first) + 1;
	char *name = xstrndup(rest, strcspn(rest, ":"));
	int fd = access->open_tracefs(access->ctx, TRACEFS_FORMAT, first, name);
	char *text = fd >= 0 ? sys_slurp_fd(fd, FORMAT_MAX, len) : NULL;
	int error = errno;

	if (fd >= 0)
		close(fd);
	free(name);
	if (system != NULL)
		*system = first;
	else
		free(first);
	errno = error;
	return text;
}
