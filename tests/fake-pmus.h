/* SPDX-License-Identifier: MIT */
/*
 * fake-pmus - the parser of events with the PMUs of a sysfs that the test writes.
 *
 * Included by the one file of a test, which calls begin() first and end() last.
 */
#ifndef FAKE_PMUS_H
#define FAKE_PMUS_H

#include "event/grammar.h"
#include "made-folder.h"
#include "tap.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct catalog catalog;
static struct event_list list;
static struct grammar_faults faults;

static inline void make_sysfs(void)
{
	put("cpu/type", "4");
	put("cpu/format/event", "config:0-7,32-35");
	put("cpu/format/umask", "config:8-15");
	put("cpu/format/edge", "config:18");
	put("cpu/format/ldlat", "config1:0-15");
	put("cpu/format/offcore_rsp", "config1:0-63");
	put("cpu/format/frontend", "config2:0-23");
	put("cpu/format/metrics", "config3:0-7");
	put("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=?");
	put("cpu/events/cpu-cycles", "event=0x3c");
	put("cpu/events/odd", "event=0x3c,nosuch=1");
	put("msr/type", "9");
	put("msr/format/event", "config:0-63");
	put("msr/events/tsc", "event=0x00");
	put("uncore_imc_0/type", "20");
	put("uncore_imc_0/cpumask", "0");
	put("uncore_imc_0/format/event", "config:0-7");
	put("uncore_imc_0/events/reads", "event=0x04");
	put("uncore_imc_0/events/reads.unit", "MiB");
	put("uncore_imc_0/events/reads.scale", "6.103515625e-5");
	put("uncore_imc_1/type", "21");
	put("uncore_imc_1/cpumask", "0");
	put("uncore_imc_1/format/event", "config:0-7");
	put("uncore_imc_1/events/reads", "event=0x05");
	put("uprobe/type", "8");
	put("uprobe/format/retprobe", "config:0");
	put("uprobe/format/ref_ctr_offset", "config:32-63");
}

static inline void parse(const char *text)
{
	event_list_fini(&list);
	grammar_faults_fini(&faults);
	grammar_parse(text, &catalog, &list, &faults);
}

static inline void begin(void)
{
	folder_begin();
	make_sysfs();
	catalog_init(&catalog);
	pmus_close(catalog.pmus);
	catalog.pmus = pmus_open(root);
}

static inline void end(void)
{
	event_list_fini(&list);
	grammar_faults_fini(&faults);
	catalog_fini(&catalog);
	folder_end();
}

#endif
