/* SPDX-License-Identifier: MIT */
#include "event/pmu.h"

#include "made-folder.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void format(const char *text, unsigned int word, uint64_t bits)
{
	struct pmu_format got;

	if (ok(pmu_format_parse(text, &got) == 0, "'%s' is a format", text)) {
		is_u64(got.word, word, "of this word");
		is_u64(got.bits, bits, "of these bits");
	}
}

static void no_format(const char *text)
{
	struct pmu_format got;

	errno = 0;
	ok(pmu_format_parse(text, &got) == -1 && errno == EINVAL, "'%s' is none", text);
}

static void check_formats(void)
{
	format("config:0-7", 0, 0xff);
	format("config:0-7,32-35", 0, 0xf000000ffull);
	format("config:63", 0, 1ull << 63);
	format("config:0-63", 0, ~0ull);
	format("config1:0", 1, 1);
	format("config2:8-15", 2, 0xff00);
	format("config3:1,3,5", 3, 0x2a);
	no_format("");
	no_format("config");
	no_format("config:");
	no_format("config4:0-7");
	no_format("config:0-64");
	no_format("config:7-0");
	no_format("config:-7");
	no_format("config:0-7,");
	no_format("config:0-7 8");
	no_format("config:99999999999999999999");
}

static void check_scattering(void)
{
	struct pmu_format both, one;
	uint64_t words[PMU_WORDS] = { 0xff00, 7, 0, 0 };

	pmu_format_parse("config:0-7,32-35", &both);
	is_u64(pmu_format_max(&both), 0xfff, "twelve bits");
	ok(pmu_format_apply(&both, 0xabc, words) == 0, "a value is spread");
	is_u64(words[0], 0xa0000ffbcull, "low bits low, high bits high, others stay");
	ok(pmu_format_apply(&both, 1, words) == 0, "a second one");
	is_u64(words[0], 0xff01, "takes the place of the first");
	is_u64(words[1], 7, "in its word only");
	errno = 0;
	ok(pmu_format_apply(&both, 0x1000, words) == -1 && errno == ERANGE, "thirteen do not fit");
	is_u64(words[0], 0xff01, "and change nothing");
	pmu_format_parse("config3:0-63", &one);
	ok(pmu_format_apply(&one, ~0ull, words) == 0, "all 64 bits");
	is_u64(words[3], ~0ull, "of the last word");
}

static void check_names(void)
{
	ok(pmu_is_meant("cpu", "cpu"), "a name");
	ok(!pmu_is_meant("cpu_core", "cpu"), "is not another's beginning");
	ok(pmu_is_meant("uncore_imc_0", "uncore_imc"), "but the boxes of a unit have a number");
	ok(pmu_is_meant("uncore_imc_0", "imc"), "and perf leaves 'uncore_' out");
	ok(pmu_is_meant("uncore_imc_0", "imc_0"), "of one box as well");
	ok(pmu_is_meant("uncore_imc", "imc"), "or of a unit with one");
	ok(pmu_is_meant("uncore_cbox3", "uncore_cbox"), "the number may touch");
	ok(!pmu_is_meant("uncore_imc_free", "uncore_imc"), "a word is no number");
	ok(pmu_is_meant("uncore_cha_11", "*cha*"), "globs");
	ok(!pmu_is_meant("msr", "m"), "no abbreviations");
}

static void count_name(void *ctx, const char *name)
{
	char *all = ctx;

	strcat(strcat(all, name), " ");
}

static void check_tree(void)
{
	struct pmus *pmus = pmus_open(root);
	char names[256] = "";
	struct pmu_alias alias;
	struct pmu_format got;

	is_u64(pmus_count(pmus), 4, "folders with a type are PMUs");
	is_str(pmus_at(pmus, 0)->name, "cpu_atom", "sorted");
	ok(pmus_find(pmus, "nosuch") == NULL, "what is not there is not found");

	const struct pmu *core = pmus_find(pmus, "cpu_core");
	is_u64(core->type, 4, "its type");
	ok(core->cpus.count == 4 && core->cpus.ids[3] == 3 && !core->is_uncore, "its CPUs");
	ok(pmu_is_hybrid_core(core), "one of two kinds of core");
	const struct pmu *imc = pmus_find(pmus, "uncore_imc_0");
	ok(imc->is_uncore && imc->cpus.count == 2 && imc->cpus.ids[1] == 8,
	   "a cpumask has the CPUs to open it on");
	ok(!pmu_is_hybrid_core(imc), "which is no core");
	const struct pmu *msr = pmus_find(pmus, "msr");
	ok(!msr->is_uncore && msr->cpus.count == 0, "neither file: every CPU, every task");

	ok(pmu_format(pmus, core, "umask", &got) == 0 && got.bits == 0xff00, "a term");
	errno = 0;
	ok(pmu_format(pmus, core, "nosuch", &got) == -1 && errno == ENOENT, "no term");
	ok(pmu_format(pmus, core, "../type", &got) == -1 && errno == ENOENT,
	   "no path out of the folder");
	ok(pmu_format(pmus, core, "odd", &got) == -1 && errno == EINVAL, "nonsense in the file");

	ok(pmu_alias(pmus, imc, "cas_count_read", &alias) == 0, "an event");
	is_str(alias.terms, "event=0x04,umask=0x03", "is terms, without the newline");
	is_str(alias.unit, "MiB", "with a unit");
	ok(alias.scale > 6.1e-5 && alias.scale < 6.2e-5, "and a scale");
	pmu_alias_fini(&alias);
	ok(pmu_alias(pmus, imc, "cas_count_read.unit", &alias) == -1, "the unit is no event");
	ok(pmu_alias(pmus, imc, "..", &alias) == -1, "nor is the folder above");
	ok(pmu_alias(pmus, msr, "tsc", &alias) == 0 && alias.unit == NULL && alias.scale == 1,
	   "without unit or scale");
	pmu_alias_fini(&alias);

	pmu_each_event(pmus, imc, count_name, names);
	is_str(names, "cas_count_read clockticks ", "events, without their units");
	names[0] = '\0';
	pmu_each_term(pmus, core, count_name, names);
	is_str(names, "event odd umask ", "terms");
	pmus_close(pmus);

	pmus = pmus_open("/nonexistent");
	is_u64(pmus_count(pmus), 0, "no sysfs, no PMUs");
	pmus_close(pmus);
	pmus_close(NULL);
}

int main(void)
{
	plan_lazy();
	folder_begin(); /* a sysfs with what real machines have: no test machine has all of it */
	put("cpu_core/type", "4\n");
	put("cpu_core/cpus", "0-3\n");
	put("cpu_core/format/event", "config:0-7\n");
	put("cpu_core/format/umask", "config:8-15\n");
	put("cpu_core/format/odd", "konfig:1\n");
	put("cpu_atom/type", "10\n");
	put("cpu_atom/cpus", "4-7\n");
	put("uncore_imc_0/type", "21\n");
	put("uncore_imc_0/cpumask", "0,8\n");
	put("uncore_imc_0/events/cas_count_read", "event=0x04,umask=0x03\n");
	put("uncore_imc_0/events/cas_count_read.unit", "MiB\n");
	put("uncore_imc_0/events/cas_count_read.scale", "6.103515625e-5\n");
	put("uncore_imc_0/events/clockticks", "event=0xff\n");
	put("msr/type", "9\n");
	put("msr/events/tsc", "event=0x00\n");
	put("power/uevent", "no type here\n");
	check_formats();
	check_scattering();
	check_names();
	check_tree();
	folder_end();
	return done();
}
