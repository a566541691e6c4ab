#!/bin/sh
# SPDX-License-Identifier: MIT
# The configuration on a real terminal: written by W, read at the next start, as the user who called.
. "${0%/*}/../lib.sh"
need tmux

config=$tmp/xdg/perftop-ng/config
ours="env XDG_CONFIG_HOME=$tmp/xdg"

# --- W, and the next start ---------------------------------------------------------------------

run="$ours $PERFTOP -e task-clock:u -p $$"
# shellcheck disable=SC2086
tm_start 160x24 $run
ok "it runs without a configuration" tm_wait 'EVENT'
tm_keys 3
tm_wait 'TASK'
tm_keys + W
ok "W says where it wrote" tm_wait 'configuration written to .*/xdg/perftop-ng/config'
tm_keys q
is "$(tm_exit)" 0 "it ends"
tm_end
is "$(stat -c %a "$config" "$tmp/xdg" "$tmp/xdg/perftop-ng" | tr '\n' ' ')" '600 700 700 ' "file and folders are the user's alone"
like "$(cat "$config")" '^view = tasks' "it has the view"
like "$(cat "$config")" '^delay = 2' "and the interval"
is "$(find "$tmp/xdg" -type f | wc -l)" 1 "nothing else is left there"

printf 'key x = quit\nsort tasks = -pid\n' >>"$config"
# shellcheck disable=SC2086
tm_start 160x24 $run
ok "the next start begins with that view, sorted as it says" tm_wait 'sort: -pid'
ok "at that interval" tm_wait ' 2 s '
ok "with that key" tm_wait 'x quit'
tm_keys x
is "$(tm_exit)" 0 "which ends it"
tm_end

# shellcheck disable=SC2086
tm_start 160x24 $run --view cpus -d 1
ok "an option comes before it" tm_wait 'a cell is'
ok "the interval, too" tm_wait ' 1 s '
tm_keys x
is "$(tm_exit)" 0 "it ends"
tm_end

# --- the user's own themes ---------------------------------------------------------------------

mkdir "$tmp/xdg/perftop-ng/themes"
printf 'text = blue\n' >"$tmp/xdg/perftop-ng/themes/a-mine.theme"
printf 'text = bleu\n' >"$tmp/xdg/perftop-ng/themes/b-wrong.theme"
printf 'text = bleu\n' >"$tmp/xdg/perftop-ng/themes/dark.theme"
# shellcheck disable=SC2086
tm_start 160x24 $run --theme a-mine
tm_wait 'TASK'
tm_keys t
ok "t says which theme is wrong, with the line" tm_wait 'themes/b-wrong.theme:1: '
tm_keys t
ok "which it has passed over, to colour-blind" tm_wait 'theme colour-blind-light'
tm_keys x
is "$(tm_exit)" 0 "it ends"
tm_end
echo dump >"$tmp/script"
# shellcheck disable=SC2086
$run --theme dark --script "$tmp/script" >"$tmp/out" 2>"$tmp/err"
is "$? $(cat "$tmp/err")" "0 " "the program's dark comes before the user's"

# --- mistakes ----------------------------------------------------------------------------------

echo 'veiw = cpus' >>"$config"
# shellcheck disable=SC2086
tm_start 160x24 $run
ok "a wrong line is shown, and it runs" tm_wait 'config:[0-9]+: '
tm_keys W
ok "W writes in spite of it" tm_wait 'configuration written to'
tm_keys x
is "$(tm_exit)" 0 "it ends"
tm_end
like "$(cat "$config")" '^veiw = cpus$' "and leaves it to the user"

rm "$config"
mkdir "$config"
# shellcheck disable=SC2086
tm_start 160x24 $run
ok "a folder in its place is shown, and it runs" tm_wait 'config: '
tm_keys W
ok "W says that it cannot write" tm_wait 'configuration not written: .*/config: not a regular file'
tm_keys q
is "$(tm_exit)" 0 "it ends"
tm_end

# --- where it is -------------------------------------------------------------------------------

rmdir "$config"
mkdir -p "$tmp/here/perftop-ng" "$tmp/here/.config/perftop-ng"
echo 'view = tasks' | tee "$tmp/here/perftop-ng/config" "$tmp/here/.config/perftop-ng/config" >"$tmp/here/config"
# Under sudo the home is the calling user's.
tm_start 160x24 env -u SUDO_UID -u SUDO_GID -u SUDO_USER -C "$tmp/here" XDG_CONFIG_HOME=. HOME=. "$PERFTOP" -e task-clock:u -p $$
ok "nothing is read from the current directory" tm_wait 'EVENT'
tm_keys W
ok "nor written" tm_wait 'without a home'
tm_keys q
is "$(tm_exit)" 0 "it ends"
tm_end

# --- --config ----------------------------------------------------------------------------------

printf 'sort tasks = -pid\ncolumns tasks = tid, top, on-cpu\n' >"$tmp/named"
printf 'key 3\ndump\nkey R r C Down Enter C W\ndump\n' >"$tmp/script"
COLUMNS=120
export COLUMNS
recording=tests/data/switch.data
"$PERFTOP" -i $recording --config "$tmp/named" --script "$tmp/script" >"$tmp/out"
is $? 0 "--config, with a script"
like "$(cat "$tmp/out")" 'sort: -pid' "it is read"
is "$(grep -c '^sort tasks = pid$' "$tmp/named")" 1 "and written by W"
is "$(grep '^set' "$tmp/named")" 'set tasks = rates' "with what is switched on"
is "$(grep '^columns' "$tmp/named")" 'columns tasks = top, on-cpu' "and the columns that are chosen"
echo dump >"$tmp/dump"
"$PERFTOP" -i $recording --config "$tmp/named" --script "$tmp/dump" >"$tmp/out"
unlike "$(cat "$tmp/out")" 'MOST OF' "the next start has it, too"
"$PERFTOP" -i $recording --config "$tmp/named" --set none --script "$tmp/dump" >"$tmp/out"
like "$(cat "$tmp/out")" '^  TASK  *MOST OF  *ON CPU$' "but for an option, with these columns"
"$PERFTOP" -i $recording --script "$tmp/script" | grep -c 'sort: -pid' >"$tmp/count"
is "$(cat "$tmp/count")" 0 "a script reads no other"
echo 'mouse = perhaps' >"$tmp/wrong"
is_message "$("$PERFTOP" -i $recording --config "$tmp/wrong" --script "$tmp/script" 2>&1 | sed "s,$tmp/,,")" '--config: a wrong line'
"$PERFTOP" -i $recording --config "$tmp/wrong" --script "$tmp/script" >"$tmp/out" 2>&1
is $? 1 "the exit status says so"
is_message "$("$PERFTOP" -i $recording --config "$tmp/none" --script "$tmp/script" 2>&1 | sed "s,$tmp/,,")" '--config: no such file'
ok "batch output does not need it" "$PERFTOP" -i $recording --config "$tmp/none" --batch

# --- as the user who called sudo -----------------------------------------------------------------

if [ "$(id -u)" -ne 0 ] || ! setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$PERFTOP" 2>/dev/null; then
	skip 8 "not root, or $BUILD is closed to uid 65534"
	done_testing
	exit
fi
chmod 755 "$tmp"
mkdir "$tmp/theirs"
chown 65534:65534 "$tmp/theirs"
tm_start 160x24 env SUDO_UID=65534 SUDO_GID=65534 XDG_CONFIG_HOME="$tmp/theirs" "$PERFTOP" -e cs -d 0.5
tm_wait 'EVENT'
tm_keys W
ok "under sudo W writes, too" tm_wait 'configuration written to .*/theirs/'
tm_keys q
is "$(tm_exit)" 0 "it ends"
tm_end
is "$(stat -c %u:%a "$tmp/theirs/perftop-ng/config")" 65534:600 "the file is the user's"

tm_start 160x24 env -u SUDO_UID -u SUDO_GID -u SUDO_USER XDG_CONFIG_HOME="$tmp/theirs" "$PERFTOP" --as nobody -e cs
tm_wait 'EVENT'
tm_keys W
ok "with --as it is in that user's home" tm_wait 'configuration (not )?written'
unlike "$(tm_screen)" '/theirs/' "not where root's variable says"
tm_keys q
tm_exit >/dev/null
tm_end

printf 'secret = of-root\n' >"$tmp/roots"
chmod 600 "$tmp/roots"
SUDO_UID=65534 SUDO_GID=65534 "$PERFTOP" -e cs --config "$tmp/roots" --script "$tmp/script" >"$tmp/out" 2>&1
is $? 1 "root's file is not read for the user"
unlike "$(cat "$tmp/out")" 'secret' "nor shown"
chmod 644 "$tmp/roots"
printf 'view = tasks\n' >"$tmp/roots"
printf 'key W\ndump\n' >"$tmp/script"
SUDO_UID=65534 SUDO_GID=65534 "$PERFTOP" -e cs --config "$tmp/roots" --script "$tmp/script" >"$tmp/out" 2>&1
like "$(cat "$tmp/out")" 'configuration not written' "nor written"
done_testing
