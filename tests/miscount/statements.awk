# SPDX-License-Identifier: MIT
# Finds the statements that add to a variable, "x->n++;" or "x->n += ...;", each of one line or more.
# Prints them, each on one line; or with `wanted`, the source with the `place`-th such statement in MISCOUNT().

function begins(line)
{
	return line ~ /^\t+[^=;{}"]*(\+\+;| \+=( |$))/
}

# Of "x->n++" or "x->n += 3": "x->n, 1" or "x->n, 3".
function arguments(text)
{
	if (!sub(/\+\+$/, ", 1", text))
		sub(/ \+=/, ",", text)
	return text
}

!begins($0) {
	if (wanted != "")
		print
	next
}

{
	lines = $0
	while (lines !~ /;/ && (getline more) > 0)
		lines = lines "\n" more
	end = index(lines, ";")
	statement = substr(lines, 1, end)
	gsub(/[ \t\n]+/, " ", statement)
	sub(/^ /, "", statement)
	if (wanted == "")
		print statement
	else if (statement == wanted && ++found == place)
		print "MISCOUNT(" arguments(substr(lines, 1, end - 1)) ")" substr(lines, end)
	else
		print lines
}
