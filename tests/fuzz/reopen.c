/* SPDX-License-Identifier: MIT */
/* A saved snapshot of any bytes: what reopens is written out again. */
#include "output/reopen.h"
#include "output/output.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *screen;
	struct snapshot *snap = reopen_snapshot((const char *)bytes, len, &screen);
	struct strbuf out;

	if (snap == NULL)
		return 0;
	strbuf_init(&out);
	output_text()->put(&out, snap, NULL);
	output_csv()->put(&out, snap, ";");
	output_saved(&out, snap, screen);
	free(screen);
	strbuf_fini(&out);
	snapshot_release(snap);
	return 0;
}
