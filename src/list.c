/* SPDX-License-Identifier: MIT */
#include "list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/catalog.h"

static void print(void *ctx, const char *name, enum event_kind kind)
{
	size_t *count = ctx;

	(*count)++;
	printf("%-50s %s\n", name, event_kind_name(kind));
}

int list_print(const char *glob)
{
	struct catalog catalog;
	size_t count = 0;
	int status = EXIT_SUCCESS;

	catalog_init(&catalog);
	catalog_each(&catalog, glob, print, &count);
	if (catalog.tracefs == NULL)
		fprintf(stderr, "perftop-ng: no tracepoints: tracefs %s\n",
			catalog.tracefs_errno == EACCES ? "is only for root" :
							  "is not mounted");
	if (count == 0) {
		fprintf(stderr, "perftop-ng: no event matches '%s'\n", glob != NULL ? glob : "*");
		status = EXIT_FAILURE;
	}
	if (fflush(stdout) != 0) {
		fprintf(stderr, "perftop-ng: standard output: %s\n", strerror(errno));
		status = EXIT_FAILURE;
	}
	catalog_fini(&catalog);
	return status;
}
