/* SPDX-License-Identifier: MIT */
/* The processor's name and type, from files as the kernel has them on several architectures. */
#include "made-folder.h"
#include "tap.h"

#include "source/processor.h"

#include <string.h>

static struct processor read_made(const char *cpuinfo, const char *midr)
{
	put("cpuinfo", cpuinfo);
	put("midr", midr);

	char info_path[256], midr_path[256];
	snprintf(info_path, sizeof(info_path), "%s/cpuinfo", root);
	snprintf(midr_path, sizeof(midr_path), "%s/midr", root);
	return processor_read(info_path, midr_path);
}

int main(void)
{
	struct processor processor;
	char longest[5000] = "model name\t: ";

	plan_lazy();
	folder_begin();

	processor = read_made("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
			      "model\t\t: 85\nmodel name\t: Xeon(R) @ 2.00GHz\nstepping\t: 3\n"
			      "\nprocessor\t: 1\nmodel name\t: another\n",
			      "");
	is_str(processor.name, "Xeon(R) @ 2.00GHz", "x86: the first CPU's name");
	is_str(processor.type, "GenuineIntel,6,85,3", "and its type");

	processor = read_made("processor\t: 0\nBogoMIPS\t: 50.00\nCPU part\t: 0xd0c\n",
			      "0x00000000410fd0c0\n");
	is_str(processor.name, "unknown", "arm64: without a name");
	is_str(processor.type, "0x00000000410fd0c0", "the main ID register");

	processor = read_made("cpu\t\t: POWER9\nmodel\t: x", "");
	is_str(processor.name, "POWER9", "POWER: \"cpu\" is not taken for \"cpu family\"");
	is_str(processor.type, "unknown", "an empty register file");

	memset(longest + strlen(longest), 'x', sizeof(longest) - strlen(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	processor = read_made(longest, "");
	is_int((int)strlen(processor.name), sizeof(processor.name) - 1, "a long name is cut");

	processor = processor_read("/nonexistent", "/nonexistent");
	is_str(processor.name, "unknown", "no such files");
	is_str(processor.type, "unknown", "neither");
	folder_end();
	return done();
}
