#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual has what the program has: options, keys, views, columns, themes, JSON keys, CSV columns.
. "${0%/*}/../lib.sh"
need perl
man=doc/perftop-ng.1
recording=tests/data/switch.data

# section TITLE: its lines, up to the next section or subsection
section()
{
	awk -v title="$1" '/^\.S[hs] / { is_in = substr($0, 5) == title; next } is_in' $man
}

# words: the words of the lines with an item or that are literal, one a line
words()
{
	sed -n 's/^\.\(It \|Pq \)\{0,1\}\(Li\|Ic\|Cm\) //p' | tr ' ' '\n' |
		sed 's/^\\&//; s/\\e/\\/; /^,\{0,1\}$/d; /^\(Ar\|Ic\|Cm\|Li\)$/d' | sort -u
}

is "$(sed -n 's/^\.Os //p' $man)" "$("$PERFTOP" --version | head -n 1)" "the version"

# --- options -----------------------------------------------------------------------------------

"$PERFTOP" --help | grep -o -E '^  (-[A-Za-z], |    )--[a-z-]+' | grep -o -E -e '-[A-Za-z-]+' | sort -u >"$tmp/options"
{
	grep '^\.It Fl ' $man | tr ' ' '\n' | grep -x -E -e '[A-Za-z]' -e '-[a-z-]+' | sed 's/^/-/'
} | sort -u >"$tmp/documented"
is "$(comm -23 "$tmp/options" "$tmp/documented")" '' "options: none is missing"
is "$(comm -13 "$tmp/options" "$tmp/documented")" '' "options: none is left over"

# --- names that an error lists -------------------------------------------------------------------

# listed OPTION... : what is allowed, one a line, sorted
listed()
{
	"$PERFTOP" "$@" 2>&1 | sed -n 's/.*there are: //p' | tr -d ',' | tr ' ' '\n' | sort
}

is "$(section COLUMNS | sed -n 's/^\.It Cm //p' | sort)" "$(listed --view '?')" "views"
for view in $(listed --view '?'); do
	is "$(section COLUMNS | sed -n "/^\\.It Cm $view\$/{n;p}" | tr -d ',' | tr ' ' '\n' | sort)" \
		"$(listed --view "$view" --sort '?' | grep -v '^bar$')" "columns of $view"
done
for theme in $(listed --theme '?'); do
	like "$(sed -n '/^Themes are$/,/^\.It/p' $man)" "[ ]$theme( |\$)" "theme $theme"
done

# --- configuration -------------------------------------------------------------------------------

: >"$tmp/script"
# allowed LINE: what the error about a line of the configuration lists
allowed()
{
	echo "$1" >"$tmp/config"
	listed -i $recording --script "$tmp/script" --config "$tmp/config"
}

is "$(section CONFIGURATION | sed -n 's/^\.It Li \([a-z]*\) .*/\1/p' | sort)" "$(allowed 'nosuch = 1')" "settings"
is "$(section CONFIGURATION | sed -n '/^Actions are/,/^Only/p' | sed 's/^\.Cm //; /^Actions are/d; /^and$/d; /^Only/d' |
	tr ',.' '  ' | tr ' ' '\n' | sed '/^$/d' | sort)" "$(allowed 'key x = nosuch-of-it-all')" "actions"

# --- keys ----------------------------------------------------------------------------------------

printf 'resize 120 90\nkey ?\ndump\n' >"$tmp/script"
"$PERFTOP" -i $recording --script "$tmp/script" >"$tmp/help" 2>&1
sed -n '/^. Moving$/,/^  Marks$/p' "$tmp/help" | sed 's/^▸/ /' | cut -c3-17 |
	grep -v -x -E '(Moving|Rows|Views|Time|Measuring|Program|Marks) *' | tr ' ' '\n' | sed '/^$/d' | sort -u >"$tmp/keys"
section KEYS | sed -n 's/^\.It //p' | sed 's/^/.It /' | words >"$tmp/documented"
ok "there are keys" test -s "$tmp/keys"
is "$(comm -23 "$tmp/keys" "$tmp/documented")" '' "keys: none is missing"
is "$(comm -13 "$tmp/keys" "$tmp/documented")" '' "keys: none is left over"

# --- output --------------------------------------------------------------------------------------

"$PERFTOP" -i $recording -x, 2>/dev/null | head -n 1 | tr ',' '\n' | sort >"$tmp/columns"
is "$(section CSV | words | tr -d ',.' | sed '/^$/d')" "$(cat "$tmp/columns")" "CSV columns"

# paths: "PATH KEY" of each member of the JSON in stdin; an element of an array is PATH[]
paths()
{
	perl -MJSON::PP -ne '
		sub walk {
			my ($value, $path) = @_;
			if (ref $value eq "HASH") {
				for my $key (keys %$value) {
					$seen{($path eq "" ? "." : $path) . " $key"} = 1;
					walk($value->{$key}, $path eq "" ? $key : "$path.$key");
				}
			} elsif (ref $value eq "ARRAY") {
				walk($_, "${path}[]") for @$value;
			}
		}
		walk(decode_json($_), "");
		END { print "$_\n" for sort keys %seen }'
}

# The fixture has every part.
"$BUILD/tests/unit/output_json.t" print | paths >"$tmp/paths"
ok "there are JSON keys" test -s "$tmp/paths"
while read -r path key; do
	# An object with a section has an item for each key; others are described in one item's text.
	lines='^\.It'
	case $path in
	.) title='each line' ;;
	'events[]' | 'events[].cpus[]' | 'tasks[]' | 'tasks[].events[]' | 'tasks[].switches' | switches) title=$path ;;
	'tasks[].switches'* | switches.slice | switches.wait) title='tasks[].switches' lines= ;;
	switches*) title=switches lines= ;;
	rest* | processes*) continue ;; # as tasks[]
	*) title='the others' lines= ;;
	esac
	documented="$tmp/$title${lines:+ items}"
	[ -e "$documented" ] || section "JSON: $title" | grep -e "$lines" | words >"$documented"
	grep -q -x -F -e "$key" "$documented" || echo "$path: $key"
done <"$tmp/paths" >"$tmp/missing"
is "$(cat "$tmp/missing")" '' "JSON keys: none is missing"
cut -d ' ' -f 1 "$tmp/paths" >"$tmp/objects"
for object in '.' 'events[]' 'events[].cpus[]' 'tasks[]' 'tasks[].events[]' 'tasks[].switches' \
	'tasks[].switches.preempted_by[]' 'switches' 'switches.cpus[]' 'symbols[]' 'throttling.now[]' 'self' \
	'verify.first'; do
	ok "the fixture has $object" grep -q -x -F "$object" "$tmp/objects"
done
cut -d ' ' -f 2 "$tmp/paths" | sort -u >"$tmp/keys"
is "$(sed -n '/^\.Ss JSON: each/,/^\.Ss CSV/p' $man | grep '^\.It' | words | tr -d ',:[]' | sort -u |
	comm -13 "$tmp/keys" -)" '' "JSON keys: none is left over"
done_testing
