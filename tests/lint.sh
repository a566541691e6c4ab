#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lint.sh - what a reviewer should not have to look for.  Run by `make lint`, which leaves the
# compiler's flags, one a line, in $LINT_FLAGS.  A tool that is missing is named and skipped.
# Exits with 1 when anything was found; the last line says how many lints found something.
set -u
cd "${0%/*}/.." || exit 1

out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
jobs=$(nproc 2>/dev/null || echo 1)
skipped=0
: >"$out/failed"

dirs=
for d in src ui decode tests; do
	[ ! -d "$d" ] || dirs="$dirs $d"
done
# shellcheck disable=SC2086
all_c=$(find $dirs -name '*.[ch]' ! -path 'tests/data/*' | sort)
code=$(printf '%s\n' "$all_c" | grep -Ev '^tests/')
units=$(printf '%s\n' "$all_c" | grep -E '\.c$')
# shellcheck disable=SC2086
scripts=$(find $dirs -name '*.sh' ! -path 'tests/data/*' | sort)

set --
if [ -r "${LINT_FLAGS-}" ]; then
	while IFS= read -r flag; do
		set -- "$@" "$flag"
	done <"$LINT_FLAGS"
else
	set -- -std=gnu11 -D_GNU_SOURCE -I. -Isrc -Itests
fi

# verdict NAME STATUS: $out/log is what it found.
verdict()
{
	if [ "$2" -eq 0 ]; then
		printf '  ok      %s\n' "$1"
	else
		printf '  FAILED  %s\n' "$1"
		sed 's/^/          /' "$out/log"
		# A file, because most verdicts are given at the end of a pipe, in a subshell.
		echo "$1" >>"$out/failed"
	fi
}

# has TOOL
has()
{
	command -v "$1" >/dev/null 2>&1 && return 0
	printf '  skipped %s: not installed\n' "$1"
	skipped=$((skipped + 1))
	return 1
}

# none NAME: stdin, which lists what was found, must be empty.
none()
{
	cat >"$out/log"
	[ ! -s "$out/log" ]
	verdict "$1" $?
}

# in_code ERE [EXCEPT-FILE-ERE]: the lines of the program that match.
in_code()
{
	# shellcheck disable=SC2086
	[ -z "$code" ] || grep -nE -e "$1" $code /dev/null | grep -Ev "^(${2:-/}):"
}

# --- project rules ---------------------------------------------------------------------------

word='(^|[^A-Za-z0-9_])'
in_code "${word}atomic_(thread|signal)_fence" |
	none 'no fences: ThreadSanitizer does not support them'
in_code 'tep_load_plugins' | none 'no tep_load_plugins: it runs code from $HOME'
in_code "${word}(system|popen)[[:space:]]*\\(" | none 'no system(), no popen()'
in_code "${word}(TODO|FIXME|XXX)([^A-Za-z0-9_]|\$)" | none 'no TODO, FIXME, XXX'
in_code '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]*(curses|panel|term)\.h' 'ui/screen(|-keys|-restore)\.c|ui/screen-(cells|inside)\.h' |
	none 'curses only in ui/screen*.c'
in_code '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]*traceevent|event-parse\.h|trace-seq\.h|kbuffer\.h)' 'decode/format\.c' |
	none 'libtraceevent only in decode/format.c'

# What each room may include of the others: src/NAME as NAME/; all may include base/.  What is not
# listed here is not allowed.
arrows()
{
	# shellcheck disable=SC2086
	[ -z "$code" ] || awk '
	BEGIN {
		may["src/base"] = ""
		may["src/event"] = ""
		may["src/capture"] = "event/(event|probe|tracefs|why)"
		may["src/opener"] = "capture/(access|features) event/tracefs"
		may["decode"] = "capture/access"
		may["src/perfdata"] = "decode/(cursor|idmap|record)"
		may["src/model"] = "capture/count decode/record"
		may["src/output"] = "model/(figures|snapshot)"
		may["ui"] = "model/(figures|filter|snapshot)"
		may["src/source"] = "capture/[a-z-]+ event/(event|kind) decode/(decoder|format|functions|idmap|ksymbols|record(-layout)?) model/(model|snapshot) " \
			"output/reopen perfdata/(build-ids|layout|order|reader|stat|writer)"
		may["src/cli"] = "capture/(access|closer|evset|features|format-text) event/[a-z-]+ output/(json-write|output) opener/(caller|caps|instrumented|needs)"
		may["src/run"] = "capture/[a-z-]+ event/(catalog|grammar|inventory|kind|why) cli/(doctor|fault|filters|options|pids|target) opener/[a-z]+ " \
			"output/(output|savefile|sink) source/(engine|input-files|kernel-id|recorder|replay|saved|source) ui/(action|canvas|key|keys|machine-checks|machine-events|picture|screen|script|theme|ui)"
		may["src"] = "cli/(doctor|libraries|list|options) output/output run/[a-z-]+"
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, part, "\"")
		room = FILENAME
		sub(/\/[^\/]*$/, "", room)
		own = room
		sub(/^src\//, "", own)
		list = may[room] " base/[a-z-]+ " own "/[a-z-]+"
		gsub(/^ +/, "", list)
		gsub(/ +/, "|", list)
		if (!(room in may))
			printf "%s: %s is a room without a line in lint.sh\n", FILENAME, room
		else if (part[2] !~ "^(" list ")\\.h$")
			printf "%s:%d: %s may not include \"%s\"\n", FILENAME, FNR, room, part[2]
	}' $code
}
arrows | none 'include arrows: event -> capture -> decode -> model -> ui, output'

# The map at the head of main.c has every file, in its room, and none that is not there.
map_of_files()
{
	awk '
	/^ \*\// { exit }
	/^ \* [a-z]+[a-z\/]*\/  / { room = $2; sub(/^ \* [^ ]+ +/, "") }
	/^ \* +/ { sub(/^ \* +/, "") }
	room != "" {
		pieces = split($0, piece, /;  /)
		for (i = 1; i <= pieces; i++) {
			names = carried piece[i]
			carried = ""
			if (names ~ /,$/ && names !~ /  /) { # a list of names goes on in the next line
				carried = names " "
				continue
			}
			if (!sub(/  .*/, "", names))
				continue
			count = split(names, name, /, /)
			for (k = 1; k <= count; k++)
				print room name[k]
		}
	}' src/main.c | sort
}
map_of_files >"$out/map"
printf '%s\n' "$code" | sed 's/\.[ch]$//' | sort -u >"$out/tree"
# "view-*" is a family of files, which another file lists.
grep -v '\*$' "$out/map" >"$out/named"
sed -n 's/\*$/[a-z-]*/p' "$out/map" | while IFS= read -r family; do
	grep -x "$family" "$out/tree" || echo "$family"
done >>"$out/named"
sort -u "$out/named" | diff "$out/tree" - | sed -n 's/^< \(.*\)/src\/main.c: the map does not have \1/p; s/^> \(.*\)/src\/main.c: the map has \1, which is not there/p' |
	none 'the map in main.c'
sort "$out/named" | uniq -d | none 'the map names each file once'

# One concept a file, also in tests/; small functions in the program.
long_ones()
{
	# shellcheck disable=SC2086
	wc -l $all_c $scripts | awk '$1 > 500 && $2 != "total" { print $2 ": " $1 " lines, more than 500" }'
	# shellcheck disable=SC2086
	awk '
	FNR == 1 { start = 0 }
	/^{/ { start = FNR }
	/^}/ {
		if (start > 0 && FNR - start + 1 > 60)
			print FILENAME ":" start ": a function of " FNR - start + 1 " lines, more than 60"
		start = 0
	}' $code
}
long_ones | none 'files of 500 lines, functions of 60'

# A function of a header is below its comment, alone or in a paragraph with others; free, fini and
# close need none.
contracts()
{
	# shellcheck disable=SC2046,SC2086
	awk '
	FNR == 1 { has = 0 }
	/^$/ { has = 0 }
	/\/\*|\*\// { has = 1 }
	/^[a-z_].*\(/ && !/^(static|typedef|extern)/ && !/_(free|fini|close)\(/ && !has {
		print FILENAME ":" FNR ": no contract: " $0
	}' $(printf '%s\n' $code | grep '\.h$')
}
contracts | none 'every function of a header has its contract'

spdx()
{
	for f in $all_c; do
		head -n 1 "$f" | grep -qxF '/* SPDX-License-Identifier: MIT */' ||
			echo "$f: line 1 is not /* SPDX-License-Identifier: MIT */"
	done
	for f in Makefile .ci/run $scripts; do
		head -n 2 "$f" | grep -qxF '# SPDX-License-Identifier: MIT' ||
			echo "$f: no SPDX line"
	done
}
spdx | none 'SPDX lines'

# What can take a machine down, or changes it for others, belongs into the guest of check-kernels.
changes_machine()
{
	# shellcheck disable=SC2046
	grep -nE '/cpu[0-9$*{%][^ /]*/online|-F *max|-F *[0-9]{5}|(cpu|task)-clock/[^ ]*(period|freq)=|sysctl +(-w|[^ ]*=)|>+ *"?/(proc/sys|sys)/' \
		$(find tests .ci -name '*.sh' -o -name '*.inc' -o -path '.ci/*' -type f | grep -Ev '^tests/(kernels/|lint\.sh)') \
		Makefile /dev/null
	# shellcheck disable=SC2046,SC2086
	grep -nE 'cpu%[a-z]*/online' $(printf '%s\n' $all_c | grep '^tests/')
	for f in tests/kernels/*.t.sh; do
		grep -qx need_guest "$f" || echo "$f: no need_guest"
	done
}
changes_machine | none 'nothing on the host is changed: hotplug, timer storms, sysctls'

find tests -name '*.t.sh' ! -perm -u+x | none 'shell tests are executable'

awk -f tests/bench/plot.awk doc/performance.md | cmp - doc/growth.svg 2>&1 |
	none 'doc/growth.svg is drawn from the tables of doc/performance.md'

# --- tools -----------------------------------------------------------------------------------

if has clang-format; then
	# shellcheck disable=SC2086
	clang-format --dry-run -Werror $all_c >"$out/log" 2>&1
	verdict clang-format $?
fi

if has cppcheck; then
	# It needs no system headers: only our paths and macros are passed on.
	defs=
	for f; do
		case $f in
		-I. | -Isrc | -Itests | -D_GNU_SOURCE | -DHAVE_*) defs="$defs $f" ;;
		esac
	done
	# It does not know that bail() does not return, nor that a call fills an array.
	# shellcheck disable=SC2086
	cppcheck -q -j "$jobs" --std=c11 --language=c --error-exitcode=1 --inline-suppr \
		--suppress='nullPointerRedundantCheck:tests/*' --suppress='uninitvar:tests/*' \
		--enable=warning,portability --suppress=missingIncludeSystem \
		--suppress=unusedStructMember $defs $units >"$out/log" 2>&1
	verdict cppcheck $?
fi

if has clang-tidy; then
	printf '%s\n' "$units" | xargs -P "$jobs" -I '{}' \
		clang-tidy --quiet '{}' -- "$@" >"$out/log" 2>&1
	rc=$?
	[ "$rc" -eq 0 ] || sed -i '/warnings\{0,1\} generated\.$/d; /^Suppressed /d' "$out/log"
	verdict clang-tidy "$rc"
fi

if has shellcheck; then
	# shellcheck disable=SC2086
	shellcheck -S warning -e SC1091,SC2154 $scripts .ci/run >"$out/log" 2>&1
	verdict shellcheck $?
fi

if [ -e doc/perftop-ng.1 ] && has mandoc; then
	mandoc -Tlint -W warning doc/perftop-ng.1 >"$out/log" 2>&1
	verdict 'mandoc -Tlint' $?
fi

echo "$(wc -l <"$out/failed") lints failed, $skipped skipped"
[ ! -s "$out/failed" ]
