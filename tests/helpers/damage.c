/* SPDX-License-Identifier: MIT */
/* damage SEED NUMBER: the file SEED with the damage of this number, to the standard output. */
#include "../damage.h"

#include <stdio.h>
#include <stdlib.h>

static struct damage file;

int main(int argc, char **argv)
{
	FILE *seed = argc == 3 ? fopen(argv[1], "re") : NULL;

	if (seed == NULL) {
		fputs("damage: a file and a number\n", stderr);
		return 1;
	}
	file.len = fread(file.bytes, 1, sizeof(file.bytes), seed);
	fclose(seed);
	damage(&file, strtoull(argv[2], NULL, 10));
	return fwrite(file.bytes, 1, file.len, stdout) == file.len && fflush(stdout) == 0 ? 0 : 1;
}
