/* SPDX-License-Identifier: MIT */
#include "source/origin.h"

#include <stdint.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "perfdata/writer.h"
#include "source/processor.h"

struct perfdata_writer *origin_open(const char *path, char *const *argv)
{
	struct utsname system;

	uname(&system);
	struct processor processor = processor_read(PROCESSOR_CPUINFO, PROCESSOR_MIDR);
	struct perfdata_writer_origin origin = {
		.hostname = system.nodename,
		.osrelease = system.release,
		.arch = system.machine,
		.version = "perftop-ng " PERFTOP_VERSION,
		.processor = processor.name,
		.processor_type = processor.type,
		.command = (const char *const *)argv,
		.cpus_available = (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
		.cpus_online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN),
	};

	return perfdata_writer_open(path, &origin);
}
