# SPDX-License-Identifier: MIT
#
# perftop-ng: `make` builds build/perftop-ng, `make help` lists the rest.
#
#   V=1                    show commands
#   SAN=address,undefined  sanitizer build, in build-address-undefined/
#   SAN=thread             the same with ThreadSanitizer, in build-thread/
#   CC=clang               another compiler, in build-clang/
#   O=DIR                  build into DIR, overriding the names above
#   CFLAGS= LDFLAGS=       added after ours, never instead of ours
#   WITHOUT='libelf ...'   do not use these optional libraries even if installed

VERSION := 0.1.0

prefix  = /usr/local
bindir  = $(prefix)/bin
datadir = $(prefix)/share
sysconfdir = /etc
mandir  = $(datadir)/man

# Required and optional libraries: each optional one that pkg-config finds is linked and defines
# HAVE_LIBELF, HAVE_LIBZSTD, ...
REQUIRED_LIBS := ncursesw libtraceevent
OPTIONAL_LIBS := libelf libseccomp libzstd

all:

# --- tools and flags ------------------------------------------------------------------------

PKG_CONFIG ?= pkg-config
PROVE      ?= prove
INSTALL    ?= install
FUZZ_TIME  ?= 60
TEST_TIMEOUT ?= 300

comma := ,
NPROC := $(shell nproc 2>/dev/null || echo 1)
CLANG := $(findstring clang,$(notdir $(firstword $(CC))))
B := $(or $(O),build$(if $(CLANG),-clang)$(if $(SAN),-$(subst $(comma),-,$(SAN))))

verbose := $(filter-out 0,$(V))
silent  := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
Q   := $(if $(verbose),,@)
say  = $(if $(verbose)$(silent),,@printf '  %-7s %s\n' '$(1)' '$(2)')

# pkg-config may be missing here: `make run` and `make check` install it, then run make again.
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(REQUIRED_LIBS) 2>/dev/null)
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(REQUIRED_LIBS) 2>/dev/null)

HAVE_LIBS := $(if $(OPTIONAL_LIBS),$(shell for l in $(filter-out $(WITHOUT),$(OPTIONAL_LIBS)); do \
	$(PKG_CONFIG) --exists $$l 2>/dev/null && echo $$l; done))
ifneq ($(HAVE_LIBS),)
PKG_CFLAGS += $(shell $(PKG_CONFIG) --cflags $(HAVE_LIBS)) \
	$(addprefix -DHAVE_,$(shell echo $(HAVE_LIBS) | tr a-z- A-Z_))
PKG_LIBS += $(shell $(PKG_CONFIG) --libs $(HAVE_LIBS))
endif

DEFINES := -D_GNU_SOURCE -DPERFTOP_VERSION='"$(VERSION)"' \
	-DPERFTOP_DATADIR='"$(datadir)/perftop-ng"' -DPERFTOP_SYSCONFDIR='"$(sysconfdir)"'
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 \
	-Werror=format-security -Werror=implicit-function-declaration -Wvla

ifneq ($(SAN),)
MODE := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
MODE_LD := -fsanitize=$(SAN)
else
# _FORTIFY_SOURCE warns in every file with -O0.
MODE := -fPIE -fstack-protector-strong -fstack-clash-protection \
	$(if $(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
MODE_LD := -pie -Wl,-z,relro,-z,now
endif

ALL_CFLAGS = -std=gnu11 -O2 -g $(WARNINGS) -I. -Isrc $(DEFINES) -pthread $(MODE) \
	$(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = -pthread $(MODE_LD) $(LDFLAGS)
ALL_LIBS = $(PKG_LIBS) -lm $(LDLIBS)

# --- files ----------------------------------------------------------------------------------

SRCS := $(sort $(wildcard src/*.c src/*/*.c ui/*.c decode/*.c))
OBJS := $(SRCS:%.c=$B/obj/%.o)
MAIN := $B/obj/src/main.o
LIB  := $B/libperftop.a
PROG := $B/perftop-ng

# Quick ones first, those that watch the machine last.
watching = tests/live/% tests/culprits/%
order = $(filter tests/unit/%,$1) $(filter-out tests/unit/% tests/ui/% $(watching),$1) \
	$(filter tests/ui/%,$1) $(filter $(watching),$1)
# tests/kernels/ is for the guest of check-kernels only.
TEST_SRCS := $(call order,$(filter-out tests/fuzz/% tests/bench/% tests/kernels/%, \
	$(sort $(wildcard tests/*/*.t.c tests/*/*.t.sh))))
TEST_C    := $(filter %.c,$(TEST_SRCS))
# Linked into every C test: the checks, the messages, and snapshots to show.
TEST_SHARED := $B/obj/tests/tap.o $B/obj/tests/messages.o $B/obj/tests/fixture.o \
	$B/obj/tests/fixture-many.o $B/obj/tests/fixture-rest.o $B/obj/tests/fixture-stream.o
TEST_BINS := $(TEST_C:%.c=$B/%)
HELPERS   := $(patsubst tests/helpers/%.c,$B/tests/helpers/%,$(wildcard tests/helpers/*.c))
BENCHES   := $(patsubst tests/bench/%.c,$B/tests/bench/%,$(wildcard tests/bench/*.c))
# The program with a slow decoder.
SLOW      := $B/tests/helpers/perftop-slow
FUZZERS   := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))

# What prove runs: the binary of a C test, a shell test as it is.
runnable = $(foreach t,$1,$(if $(filter %.c,$t),$B/$(basename $t),$t))
test_name = $(patsubst %.t,%,$(basename $(notdir $1)))

# Files made by `sudo make` are given to the user who called sudo.
own = $(if $(SUDO_UID),$(Q)[ "$$(id -u)" != 0 ] || \
	chown -Rh '$(SUDO_UID):$(or $(SUDO_GID),$(SUDO_UID))' $B)

# Whose kernels check-kernels tries, beside this machine's release's.
suites := focal bullseye sid

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all tests run check check-built prove-quiet prove-alone check-live check-nobody check-users \
	check-kernels check-kernels-amd64 check-kernels-arm64 check-kernels-wide $(suites:%=check-kernels-%) \
	check-accounting check-damaged damaged-built check-miscount check-install screenshots bench bench-built \
	lint fuzz fuzz-built distcheck install uninstall clean help FORCE

all: $(PROG)
	$(own)

tests: $(PROG) $(TEST_BINS) $(HELPERS) $(SLOW)
	$(own)

$(PROG): $(MAIN) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Everything but main: what tests, fuzzers and benches link.
# q: files of two rooms may have the same name, and r would replace one by the other.
$(LIB): $(filter-out $(MAIN),$(OBJS)) $B/sources
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $(filter %.o,$^)

$B/obj/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(if $(filter tests/%,$<),-Itests) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Rewritten only when the text changes: then everything, or the archive, is rebuilt.
keep_text = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(strip $1))' >$@.new; \
	if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
$B/flags: FORCE
	$(if $(PKG_LIBS),,@echo >&2 'perftop-ng: pkg-config does not find: $(REQUIRED_LIBS)'; \
		sh src/deps.sh run --print >&2; exit 1)
	$(call keep_text,$(CC) $(ALL_CFLAGS))
$B/sources: FORCE
	$(call keep_text,$(SRCS))

$(TEST_BINS): $B/%: $B/obj/%.o $(TEST_SHARED) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(TEST_SHARED) $(LIB) $(ALL_LIBS)

# At a fixed address, so that `nm` shows it before it runs; private: not for its prerequisites.
$B/obj/tests/helpers/watched.o: private MODE := -fno-pie
$B/tests/helpers/watched: private MODE_LD := -no-pie
$B/obj/tests/helpers/framed.o: ALL_CFLAGS += -fno-omit-frame-pointer
$(HELPERS): $B/tests/helpers/%: $B/obj/tests/helpers/%.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< -lm

$(BENCHES): $B/tests/bench/%: $B/obj/tests/bench/%.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(SLOW): $(MAIN) $B/obj/tests/slow/decoder.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -Wl,--wrap=decoder_feed -o $@ $^ $(ALL_LIBS)

-include $(OBJS:.o=.d) $(TEST_C:%.c=$B/obj/%.d) $(TEST_SHARED:.o=.d) \
	$(HELPERS:$B/tests/helpers/%=$B/obj/tests/helpers/%.d) $(BENCHES:$B/tests/bench/%=$B/obj/tests/bench/%.d) \
	$B/obj/tests/slow/decoder.d

# --- run and test ---------------------------------------------------------------------------
# Set-up first, then a second make, which finds what the set-up installed.

remake = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(NPROC))
test_env = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL BUILD='$(abspath $B)' PERFTOP='$(abspath $(PROG))' \
	UPDATE='$(UPDATE)' LC_ALL=C.UTF-8 UBSAN_OPTIONS="$${UBSAN_OPTIONS:-print_stacktrace=1}" \
	ASAN_OPTIONS="$${ASAN_OPTIONS:-detect_stack_use_after_return=1}" \
	TSAN_OPTIONS="$${TSAN_OPTIONS:-halt_on_error=1}"
# In parallel; those that watch the machine come last, and one at a time.  No test hangs the run.
# Live ones of messages, files, what opens at all and what their own tasks do, do not depend on what else runs; but doctor
# and kinds take all breakpoints of a CPU for a moment, the chains of a tracepoint are longer with a second user, and samples
# of software events in perf's files (foreign) get the ids of other users' events.  While others close tracepoints
# the kernel lets our decoder wait to open one, or to read its format: keys do that up to the end.
beside = $(patsubst %,tests/live/%.t.sh,batch_errors browse config every kernelfilter leftovers \
	list matrix mistakes nobody opener opening perf_strings recording recording_in rescope rights rotation scope \
	slow-disk stat symbols times usercode waits)
alone = $(filter-out $(beside),$(filter $(watching),$(TEST_SRCS)))
quiet = $(filter $(beside),$(TEST_SRCS)) $(filter-out $(alone) $(beside),$(TEST_SRCS))
prove = $(test_env) $(PROVE) --exec 'timeout -k 5 $(TEST_TIMEOUT)' $(PROVEFLAGS)

run:
	@sh src/deps.sh run
	+@$(remake) all
	@$(PROG) $(ARGS)

check:
	@sh src/deps.sh test
	+@$(remake) tests
	@$(MAKE) --no-print-directory check-built

check-built:
	$(if $(TEST_SRCS),,@echo >&2 'no tests found'; exit 1)
	@for t in $(filter %.sh,$(TEST_SRCS)); do \
		[ -x $$t ] || { echo >&2 "$$t: chmod +x is missing"; exit 1; }; done
	$(Q)sh tests/run.sh $B $(MAKE) --no-print-directory -k -j1 prove-quiet prove-alone

# Not one prove with rules: it would start the second while the last of the first still run.
prove-quiet:
	$(if $(strip $(quiet)),$(Q)$(prove) -j$(NPROC) $(call runnable,$(quiet)),@:)
prove-alone:
	$(if $(alone),$(Q)$(prove) $(call runnable,$(alone)),@:)

# Those of check-built whose result can depend on how the user became root: not those of numbers, of foreign files,
# of output, of parts without the program, and not those that play by sudo themselves.
same_by_sudo = accounting batch_errors browse facts foreign governor kernelfilter leaders matrix opener \
	perf_strings processes recording_in rescope rings scope setfilter silent slow-disk stat stream sums switches \
	throttle times unused verify waits weights
check-live:
	@$(MAKE) --no-print-directory check-built TEST_SRCS='$(filter-out $(foreach t,$(same_by_sudo), \
		tests/live/$t.t.c tests/live/$t.t.sh),$(filter tests/live/%,$(TEST_SRCS)))'

# All tests but those of what is in the tree, which no user's rights change.
same_by_nobody = abi manual miscount_list
check-nobody:
	@$(MAKE) --no-print-directory check-built \
		TEST_SRCS='$(filter-out $(same_by_nobody:%=tests/unit/%.t.sh),$(TEST_SRCS))'

# The tests of check-live, run by an ordinary user through sudo, and those of check-nobody, by nobody.
check-users:
	@sh src/deps.sh test
	+@$(remake) tests
	@sh tests/as.sh sudo $B
	@sh tests/as.sh nobody $B

# The live tests in QEMU on kernels of Debian: this release's, that of bullseye, 5.10, and the newest, of
# sid; and on Ubuntu's of focal, 5.4, which has neither PERF_FORMAT_LOST nor CAP_PERFMON.  Needs
# qemu-system-x86, cpio and apt-get download, for arm64, which has a PMU, also qemu-system-arm and
# gcc-aarch64-linux-gnu.
check-kernels: check-kernels-amd64 check-kernels-arm64 check-kernels-wide $(suites:%=check-kernels-%)
check-kernels-amd64: tests
	@BUILD=$B PERFTOP=$(PROG) sh tests/kernels/run.sh amd64
$(suites:%=check-kernels-%): check-kernels-%: tests
	@BUILD=$B PERFTOP=$(PROG) sh tests/kernels/run.sh amd64 $*
# With 32 CPUs, which take turns on one of this machine: the tests whose time limits allow that.
wide := abuse accounting batch_errors browse cgroup chains config container every facts governor hotplug \
	kernelfilter kinds leaders list mistakes nobody paranoid processes scope silent stat switches throttle \
	throttle_clock
check-kernels-wide: tests
	@SMP=32 TESTS='$(wide)' BUILD=$B PERFTOP=$(PROG) sh tests/kernels/run.sh amd64

arm64 := $B-arm64
check-kernels-arm64:
	+@sh tests/kernels/cross.sh $(MAKE) --no-print-directory O=$(arm64) tests \
		TEST_SRCS='$(wildcard tests/live/*.t.c)'
	@BUILD=$(arm64) PERFTOP=$(arm64)/perftop-ng sh tests/kernels/run.sh arm64

# The books with ACCOUNTING=all: every cell of their matrix.
books := tests/live/accounting.t.sh tests/live/matrix.t.sh tests/live/sums.t.sh
check-accounting:
	@sh src/deps.sh test
	+@$(remake) tests
	@ACCOUNTING=all $(MAKE) --no-print-directory check-built TEST_SRCS='$(books)' TEST_TIMEOUT=1800 \
		PROVEFLAGS='$(or $(PROVEFLAGS),-v)'

# DAMAGED (100,000) damaged perf.data files, through the program with sanitizers.
damaged := tests/unit/damaged_files.t.c
check-damaged:
	@sh src/deps.sh test
	+@$(remake) SAN=address,undefined O= damaged-built
damaged-built: $(PROG) $(call runnable,$(damaged))
	@DAMAGED='$(or $(DAMAGED),100000)' DAMAGED_JOBS=$(NPROC) $(MAKE) --no-print-directory check-built \
		TEST_SRCS='$(damaged)' TEST_TIMEOUT=36000 PROVEFLAGS='$(or $(PROVEFLAGS),-v)'

# Whether the tests notice a program that adds up one too few; WORD=switches.c: only those lines of the list.
check-miscount:
	@sh src/deps.sh test
	+@$(remake) tests
	@$(test_env) LINK='$(CC) $(ALL_LDFLAGS)' LIBS='$(ALL_LIBS)' MAIN='$(MAIN)' SHARED='$(TEST_SHARED)' \
		nice sh tests/run.sh $B tests/miscount/run.sh '$(WORD)'

# make check-ring: tests/*/ring.t.c or ring.t.sh, with all output.
one = $(call runnable,$(filter %/$*.t.c %/$*.t.sh,$(TEST_SRCS)))
check-%:
	$(if $(one),,@echo >&2 'no test "$*" among:' $(sort $(foreach t,$(TEST_SRCS),$(call test_name,$t))); exit 1)
	@sh src/deps.sh test
	+@$(remake) all $(HELPERS) $(SLOW) $(filter $B/%,$(one))
	$(Q)$(prove) -v $(one) </dev/null

# The pictures of doc/, from what doc/screens/record.sh has recorded.
screenshots: all
	$(Q)sh doc/screens/draw.sh $(PROG) doc/screens

bench:
	@sh src/deps.sh test
	+@$(remake) tests $(BENCHES)
	@$(MAKE) --no-print-directory bench-built

bench-built:
	@set -- $(sort $(wildcard tests/bench/*.sh)); [ $$# -gt 0 ] || echo 'no benches in tests/bench'; \
		for b; do echo "== $$b"; $(test_env) sh "$$b" || exit; done

lint:
	@mkdir -p $B
	@printf '%s\n' $(filter-out $(MODE),$(ALL_CFLAGS)) -Itests >$B/lint-flags
	@CC='$(CC)' LINT_FLAGS=$B/lint-flags sh tests/lint.sh

# Each tests/fuzz/NAME.c for FUZZ_TIME seconds, from tests/fuzz/NAME.corpus/ when there is one.
fuzz:
	@sh src/deps.sh run
	$(if $(FUZZERS),+@$(remake) CC=clang O=build-fuzz SAN=fuzzer-no-link$(comma)address$(comma)undefined fuzz-built,@echo 'no fuzzers in tests/fuzz')

fuzz-built: $(FUZZERS:%=$B/fuzz/%)
	@for f in $(FUZZERS); do \
		mkdir -p $B/corpus/$$f; seed=; [ ! -d tests/fuzz/$$f.corpus ] || seed=tests/fuzz/$$f.corpus; \
		echo "== $$f, $(FUZZ_TIME) s"; \
		$B/fuzz/$$f -max_total_time=$(FUZZ_TIME) -rss_limit_mb=1024 -timeout=20 -print_final_stats=1 \
			-artifact_prefix=$B/fuzz/$$f- $B/corpus/$$f $$seed || exit; done

$B/fuzz/%: $B/obj/tests/fuzz/%.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer,address,undefined -o $@ $^ $(ALL_LIBS)

distcheck:
	@$(MAKE) --no-print-directory SAN= O= check
	@$(MAKE) --no-print-directory SAN= O= check-install
	@$(MAKE) --no-print-directory SAN=address,undefined O= check
	@$(MAKE) --no-print-directory SAN=thread O= check
	@$(MAKE) --no-print-directory SAN= O= CC=clang check

# --- install --------------------------------------------------------------------------------

THEMES := $(wildcard themes/*)
MANPAGE := $(wildcard doc/perftop-ng.1)

install: all
	$(INSTALL) -d '$(DESTDIR)$(bindir)'
	$(INSTALL) -m 755 $(PROG) '$(DESTDIR)$(bindir)/perftop-ng'
	$(INSTALL) -d '$(DESTDIR)$(datadir)/perftop-ng/themes'
	$(if $(THEMES),$(INSTALL) -m 644 $(THEMES) '$(DESTDIR)$(datadir)/perftop-ng/themes')
	$(if $(MANPAGE),$(INSTALL) -d '$(DESTDIR)$(mandir)/man1')
	$(if $(MANPAGE),$(INSTALL) -m 644 $(MANPAGE) '$(DESTDIR)$(mandir)/man1/perftop-ng.1')

uninstall:
	rm -f '$(DESTDIR)$(bindir)/perftop-ng' '$(DESTDIR)$(mandir)/man1/perftop-ng.1'
	rm -rf '$(DESTDIR)$(datadir)/perftop-ng'

# Installs into an empty tree, runs the program there, uninstalls, and fails if a file is left.
check-install: all
	@d=$$(mktemp -d) && trap 'rm -rf "$$d"' EXIT && \
	$(MAKE) --no-print-directory -s install DESTDIR="$$d" >/dev/null && \
	"$$d$(bindir)/perftop-ng" --version && \
	$(MAKE) --no-print-directory -s uninstall DESTDIR="$$d" >/dev/null && \
	left=$$(find "$$d" ! -type d) && \
	if [ -n "$$left" ]; then echo >&2 "uninstall left: $$left"; exit 1; fi && \
	echo 'install and uninstall: ok'

clean:
	rm -rf build build-*

help:
	@echo 'make [V=1] [SAN=address,undefined|thread] [CC=clang] [O=DIR] [CFLAGS=...] TARGET'
	@echo
	@echo '  all          build/perftop-ng (default)'
	@echo '  run          install what is missing (as root), build, start; ARGS="-e sched:*"'
	@echo '  check        build and run every test; UPDATE=1 rewrites expected screens and messages'
	@echo '  check-NAME   one test, verbose: tests/*/NAME.t.c or NAME.t.sh'
	@echo '  check-users  what rights can change, through sudo and as nobody; run it as root'
	@echo '  check-kernels  the live tests on five kernels in QEMU; each alone: doc/hacking.md'
	@echo '  check-accounting  the books for every size of ring, stall, set of events'
	@echo '  check-damaged     100,000 damaged perf.data files (DAMAGED=N), through the program with sanitizers'
	@echo '  check-miscount    whether the tests notice that a counter lacks one in a million'
	@echo '  screenshots  draw doc/screens/*.svg again, after the screen has changed'
	@echo '  bench        tests/bench/*.sh'
	@echo '  lint         format, static analysis, layering'
	@echo '  fuzz         every fuzzer for FUZZ_TIME=60 seconds (clang)'
	@echo '  distcheck    check as plain, address+undefined, thread and clang builds'
	@echo '  install      DESTDIR= prefix=/usr/local bindir= mandir= datadir='
	@echo '  uninstall    remove it;  check-install tries both in an empty tree'
	@echo '  clean        remove build/ and build-*/'
