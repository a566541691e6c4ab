# SPDX-License-Identifier: MIT
#
# How cost grows, as a picture of the tables in doc/performance.md:
#
#     awk -f tests/bench/plot.awk doc/performance.md >doc/growth.svg
#
# Both axes are logarithmic.  A point is the median that its table has.

BEGIN {
	FS = " *[|] *"
	width = 360; height = 240		# of a panel's axes
	left = 60; top = 40; apart_x = 190; apart_y = 90
	x_most = 5; y_least = -2; y_most = 3	# powers of ten
	split("#0b62a4 #c8500a #3a7d34 #7a3e9d", colours, " ")
	split("events|tasks|CPUs|events", x_names, "|")
	split("decoder and tables, 10 tasks, 2 CPUs|decoder and tables, 10 events, 2 CPUs|" \
	      "decoder and tables, 10 events, 1,000 tasks|the whole program, 2 CPUs", titles, "|")
}

# The columns of a line that begins with "|" are $2 to $(NF - 1).
/^[|] events [|] tasks [|] CPUs [|]/ { table = "growth"; next }
/^[|] events x [0-9]+ CPUs [|] perf stat -I/ { table = "ticks"; next }
/^[|] events x [0-9]+ CPUs [|] ns a call/ { table = "events"; next }
!/^[|]/ { table = ""; next }
/^[|]---/ { next }
table == "growth" && $3 == 10 && $4 == 2 { growth(1, $2) }
table == "growth" && $2 == 10 && $4 == 2 { growth(2, $3) }
table == "growth" && $2 == 10 && $3 == 1000 { growth(3, $4) }
table == "ticks" { add(4, "ms a tick", $2, $4); add(4, "perf stat: ms a tick", $2, $3) }
table == "events" { add(4, "ms to the first frame", $2, $8); add(4, "% of a CPU beside the load", $2, $7) }

function growth(panel, x)
{
	add(panel, "ns a record", x, $5)
	add(panel, "ms a tick", x, $7)
	add(panel, "MB of memory", x, $8)
}

function log10(x) { return log(x) / log(10) }

function add(panel, name, x, y)
{
	if (!((panel, name) in number))
		names[panel, ++lines[panel]] = name
	points[panel, name, ++number[panel, name]] = x + 0 " " y + 0
}

END {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n",
		2 * (width + apart_x) + left, 2 * (height + apart_y) + 10
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	for (panel = 1; panel <= 4; panel++)
		draw_panel(panel)
	print "</svg>"
}

function draw_panel(panel,    n, i)
{
	at_x = left + (panel - 1) % 2 * (width + apart_x)
	at_y = top + int((panel - 1) / 2) * (height + apart_y)
	text(at_x, at_y - 12, "start", "black", titles[panel])
	for (i = 0; i <= x_most; i++) {
		rule(x_of(10 ^ i), at_y, x_of(10 ^ i), at_y + height)
		text(x_of(10 ^ i), at_y + height + 15, "middle", "black", i > 3 ? 10 ^ (i - 3) "k" : 10 ^ i)
	}
	text(at_x + width / 2, at_y + height + 32, "middle", "black", x_names[panel])
	for (i = y_least; i <= y_most; i++) {
		rule(at_x, y_of(10 ^ i), at_x + width, y_of(10 ^ i))
		text(at_x - 6, y_of(10 ^ i) + 4, "end", "black", 10 ^ i)
	}
	for (n = 1; n <= lines[panel]; n++)
		draw_line(panel, names[panel, n], colours[n])
}

function draw_line(panel, name, colour,    i, xy, path)
{
	for (i = 1; i <= number[panel, name]; i++) {
		split(points[panel, name, i], xy, " ")
		path = path sprintf("%.1f,%.1f ", x_of(xy[1]), y_of(xy[2]))
		printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x_of(xy[1]), y_of(xy[2]), colour
	}
	printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", path, colour
	text(x_of(xy[1]) + 6, free_y(panel, y_of(xy[2]) + 4), "start", colour, name)
}

# Near y, where no label of the panel is yet.
function free_y(panel, y,    i)
{
	for (i = 1; i <= labels[panel]; i++)
		if (y - label_y[panel, i] < 12 && label_y[panel, i] - y < 12)
			y = label_y[panel, i] + (y < label_y[panel, i] ? -12 : 12)
	return label_y[panel, ++labels[panel]] = y
}

function x_of(x) { return at_x + log10(x) / x_most * width }
function y_of(y) { return at_y + height - (log10(y) - y_least) / (y_most - y_least) * height }

function rule(x1, y1, x2, y2)
{
	printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", x1, y1, x2, y2
}

function text(x, y, anchor, colour, words)
{
	printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, y, anchor, colour, words
}
