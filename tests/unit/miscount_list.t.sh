#!/bin/sh
# SPDX-License-Identifier: MIT
# Each statement that adds something up is listed in tests/miscount/counters.txt, and nothing else is.
. "${0%/*}/../lib.sh"

list=tests/miscount/counters.txt
statements=tests/miscount/statements.awk

cat >"$tmp/example.c" <<'END'
int f(int *at)
{
	a->b[i + 1]++;
	*sum += (x +
		 y);	/* z */
	for (int i = 0; i < 3; i++)
		copy(*at++);
	b = c++;
	if (d)
		g(h, 1)->e += 2;
}
END
is "$(awk -f $statements "$tmp/example.c")" "a->b[i + 1]++;
*sum += (x + y);
g(h, 1)->e += 2;" "statements that add are found, of one line and of several"
changed=$(awk -v wanted='*sum += (x + y);' -v place=1 -f $statements "$tmp/example.c")
is "$(echo "$changed" | sed -n '4,5p' | tr -d '\n\t')" 'MISCOUNT(*sum, (x + y));/* z */' "one can be changed"
is "$(echo "$changed" | sed '4,5d')" "$(sed '4,5d' "$tmp/example.c")" "and the rest stays"

sed '/^#/d; /^$/d' $list >"$tmp/list"
awk '{ file = $3; sub(/.*:/, "", file); $1 = $2 = $3 = ""; sub(/^ */, ""); print file ": " $0 }' "$tmp/list" |
	sort >"$tmp/listed"
is "$(uniq -d "$tmp/listed")" '' "none is listed twice"
for file in $(cut -d : -f 1 "$tmp/listed" | uniq); do
	awk -f $statements "$file" | sed "s|^|$file: |"
done | sort -u >"$tmp/found"
is "$(comm -13 "$tmp/listed" "$tmp/found")" '' "every statement is listed: as a counter or as none"
is "$(comm -23 "$tmp/listed" "$tmp/found")" '' "and every listed one is there"
for name in $(sed '/^-/d' "$tmp/list" | awk '{ print $2 }' | sort -u); do
	ok "$name is a test" [ -f "$(echo tests/"$name".t.*)" ]
done
done_testing
