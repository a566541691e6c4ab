#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh [WORD]: for each line of counters.txt (that has the WORD) a program that sometimes skips that
# increment; the line's test must fail with it.  Each test first runs with the program as it is.
#
# From `make check-miscount`: $BUILD, and $LINK, $LIBS, $MAIN, $SHARED as the Makefile has them.
. "${0%/*}/../lib.sh"

list=tests/miscount/counters.txt
: "${LINK:?}" "${LIBS:?}" "${MAIN:?}" "${SHARED:?}"
ACCOUNTING=all
export ACCOUNTING

# A build directory whose programs can be replaced, the rest being that of $BUILD.
mkdir -p "$tmp/build/tests/helpers" "$tmp/include"
ln -s "$BUILD"/* "$tmp/build" 2>/dev/null
ln -s "$BUILD"/tests/helpers/* "$tmp/build/tests/helpers"

# link_with OUT OPTION-OR-OBJECT...
link_with()
{
	out=$1
	shift
	rm -f "$out"
	# shellcheck disable=SC2086 # words
	$LINK -o "$out" "$@" "$BUILD/libperftop.a" $LIBS
}

# compile EVERY SOURCE UNIT STATEMENT PLACE: $tmp/changed.o
compile()
{
	copy=$tmp/${3##*/} options=''
	awk -v wanted="$4" -v place="$5" -f tests/miscount/statements.awk "$2" >"$tmp/changed"
	grep -q 'MISCOUNT(' "$tmp/changed" || return 1
	if [ "$2" = "$3" ]; then
		mv "$tmp/changed" "$copy"
	else
		header=$tmp/include/${2#src/}
		mkdir -p "${header%/*}"
		mv "$tmp/changed" "$header"
		cp "$3" "$copy"
		options=-I$tmp/include
	fi
	flags=$(cat "$BUILD/flags")
	eval "${flags%% *} $options ${flags#* } -include tests/miscount/miscount.h" \
		"-DMISCOUNT_EVERY=$1 -c -o '$tmp/changed.o' '$copy'"
	status=$?
	rm -rf "${tmp:?}/include" "$copy"
	return $status
}

# run_test NAME [OBJECT]: with the object in place of that of the library.
run_test()
{
	file=$(echo tests/"$1".t.*)
	case $file in
	*.c)
		# shellcheck disable=SC2086 # words
		link_with "$tmp/test" "$BUILD/obj/${file%.c}.o" $SHARED ${2+"$2"} || return 99
		timeout 120 "$tmp/test"
		;;
	*)
		link_with "$tmp/build/perftop-ng" "$MAIN" ${2+"$2"} &&
			link_with "$tmp/build/tests/helpers/perftop-slow" -Wl,--wrap=decoder_feed \
				"$MAIN" "$BUILD/obj/tests/slow/decoder.o" ${2+"$2"} || return 99
		BUILD=$tmp/build PERFTOP=$tmp/build/perftop-ng timeout 600 "$file"
		;;
	esac >"$tmp/out" 2>"$tmp/err"
}

# A check fails, or the test does not end.
fails()
{
	run_test "$@"
	status=$?
	[ $status -eq 124 ] || { [ $status -ne 99 ] && grep -q '^not ok' "$tmp/out"; }
}

# try EVERY TEST FILE STATEMENT
try()
{
	source=${3#*:} unit=${3%%:*}
	places=$(awk -f tests/miscount/statements.awk "$source" | grep -cxF -e "$4")
	[ "$places" -gt 0 ] || ok "$source has $4" false
	for place in $(seq "$places"); do
		what="$source: $4"
		[ "$places" -eq 1 ] || what="$what ($place.)"
		if ok "$what: can be skipped" compile "$1" "$source" "$unit" "$4" "$place"; then
			ok "$what: 1 in $1 less makes $2 fail" fails "$2" "$tmp/changed.o" &&
				diag "$(grep -m 1 '^not ok' "$tmp/out")"
		fi
	done
}

sed '/^#/d; /^$/d; /^-/d' "$list" | grep -F -e "${1-}" >"$tmp/list"
awk '{ print $2 }' "$tmp/list" | sort -u >"$tmp/tests"
while read -r name; do
	ok "$name passes with the program as it is" run_test "$name"
done <"$tmp/tests"
while read -r every name file statement; do
	try "$every" "$name" "$file" "$statement"
done <"$tmp/list"
done_testing
