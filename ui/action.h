/* SPDX-License-Identifier: MIT */
/*
 * action - what keys can do: the one table of keys.
 *
 * Key lookup, the help view, the key line at the bottom and the keys of a configuration
 * use this table, so none of them can get out of date.  The names in quotes are public
 * once released.
 */
#ifndef UI_ACTION_H
#define UI_ACTION_H

#include <stdint.h>

#include "ui/key.h"

#define KEY_CTRL(letter) ((letter)&0x1f)
#define KEYS(...)           \
	{                   \
		__VA_ARGS__ \
	}
#define KEYS_MOST 10 /* keys of one action */

/* id, name, group in the help, keys unless others are bound, label in the key line, help */
#define ACTIONS(X)                                                                                 \
	X(UP, "up", "Moving", KEYS(KEYS_UP, 'k'), "up", "One row up")                              \
	X(DOWN, "down", "Moving", KEYS(KEYS_DOWN, 'j'), "down", "One row down")                    \
	X(PAGE_UP, "page-up", "Moving", KEYS(KEYS_PAGE_UP), "page", "One page up")                 \
	X(PAGE_DOWN, "page-down", "Moving", KEYS(KEYS_PAGE_DOWN), "page", "One page down")         \
	X(HOME, "home", "Moving", KEYS(KEYS_HOME), "first",                                        \
	  "First row, and stay on the first line")                                                 \
	X(END, "end", "Moving", KEYS(KEYS_END), "last",                                            \
	  "Last row; of the stream: stay on the newest")                                           \
	X(LEFT, "left", "Moving", KEYS(KEYS_LEFT), "part",                                         \
	  "Table, rate, event before; close a group; frozen: earlier")                             \
	X(RIGHT, "right", "Moving", KEYS(KEYS_RIGHT), "part",                                      \
	  "Table, rate, event after; open a group; frozen: later")                                 \
	X(ENTER, "enter", "Moving", KEYS(KEYS_ENTER), "into",                                      \
	  "Into the row's event or task, a symbol's callers; open a group")                        \
	X(BACK, "back", "Moving", KEYS(KEYS_ESC, KEYS_BACKSPACE), "back",                          \
	  "Back: close help or detail, drop filter or marks; never quits")                         \
	X(FILTER, "filter", "Rows", KEYS('/', KEYS_F4), "filter",                                  \
	  "Rows that match text, !text, ~regex, rate > 10k or share >= 5%")                        \
	X(SORT_PREV, "sort-previous", "Rows", KEYS('<'), "sort", "Sort by the column on the left") \
	X(SORT_NEXT, "sort-next", "Rows", KEYS('>', KEYS_F6), "sort",                              \
	  "Sort by the column on the right; past the last: unsorted")                              \
	X(REVERSE, "reverse", "Rows", KEYS('R', 'I'), "reverse", "Reverse the order")              \
	X(MARK, "mark", "Rows", KEYS('m'), "mark",                                                 \
	  "Mark the row, and show the sum of those marked; again: unmark it")                      \
	X(ALL, "all", "Rows", KEYS('a'), "all", "Show the rows at 0, too; again: hide them")       \
	X(HIDE_KERNEL, "hide-kernel", "Rows", KEYS('K'), "kernel",                                 \
	  "Hide the kernel's symbols, not user code's; again: show them")                          \
	X(HIDE_USER, "hide-user", "Rows", KEYS('U'), "user",                                       \
	  "Hide user code, not the kernel's symbols; again: show it")                              \
	X(PROCESSES, "processes", "Rows", KEYS('H'), "processes",                                  \
	  "Tasks: a row for each process; again: for each thread")                                 \
	X(TREE, "tree", "Rows", KEYS('T'), "tree",                                                 \
	  "Tasks: each below the task that forked it; again: a list")                              \
	X(RATES, "rates", "Rows", KEYS('r'), "rates",                                              \
	  "Tasks: the rates of all events, side by side; again: hide")                             \
	X(COLUMNS, "columns", "Rows", KEYS('C'), "columns",                                        \
	  "Choose the view's columns, and their order")                                            \
	X(NEXT_VIEW, "next-view", "Views", KEYS(KEYS_TAB), "views", "The next view")               \
	X(PREV_VIEW, "previous-view", "Views", KEYS(KEYS_BACKTAB), "views", "The view before")     \
	X(VIEW, "view", "Views", KEYS('1', '2', '3', '4', '5', '6', '7', '8', '9'), "views",       \
	  "The view of that number")                                                               \
	X(FREEZE, "freeze", "Views", KEYS(' ', 'Z'), "freeze",                                     \
	  "Freeze the view while counting goes on; a replay: pause it")                            \
	X(SAVE, "save", "Views", KEYS('P', 'w'), "save",                                           \
	  "Save the whole view as text; its path is shown")                                        \
	X(THEME, "theme", "Views", KEYS('t'), "theme", "The next theme")                           \
	X(EARLIER, "earlier", "Time", KEYS('[', KEYS_S_LEFT), "step",                              \
	  "One interval back, and stay there")                                                     \
	X(LATER, "later", "Time", KEYS(']', KEYS_S_RIGHT), "step",                                 \
	  "One interval on, and stay there")                                                       \
	X(EARLIER_TEN, "ten-earlier", "Time", KEYS('{', KEYS_S_PAGE_UP), "step",                   \
	  "Ten intervals back")                                                                    \
	X(LATER_TEN, "ten-later", "Time", KEYS('}', KEYS_S_PAGE_DOWN), "step", "Ten intervals on") \
	X(OLDEST, "oldest", "Time", KEYS(KEYS_S_HOME), "start",                                    \
	  "The start of the file, or the oldest interval that is held")                            \
	X(NEWEST, "newest", "Time", KEYS(KEYS_S_END), "end",                                       \
	  "The end of the file, or the newest interval")                                           \
	X(GO_TO, "go-to", "Time", KEYS('g'), "go to",                                              \
	  "Type a time: 12:34:56, +30, -5m, 50%, start, end")                                      \
	X(TOGGLE, "toggle", "Measuring", KEYS('f'), "on/off",                                      \
	  "Switch the selected event on or off")                                                   \
	X(BROWSE, "browse", "Measuring", KEYS('e'), "events",                                      \
	  "All events of this machine: search, Enter adds one")                                    \
	X(TYPE_EVENT, "type-event", "Measuring", KEYS('E'), "type one",                            \
	  "Type an event to add, as -e takes it")                                                  \
	X(REMOVE, "remove", "Measuring", KEYS(KEYS_DELETE), "remove",                              \
	  "Remove the selected event: it is closed")                                               \
	X(WATCH_USER, "watch-user", "Measuring", KEYS('u'), "user",                                \
	  "Watch only the tasks of a user, as -u")                                                 \
	X(WATCH_PROCESS, "watch-process", "Measuring", KEYS('p'), "process",                       \
	  "Watch only these processes, as -p")                                                     \
	X(WATCH_FIRST, "watch-first", "Measuring", KEYS('c'), "scope",                             \
	  "Watch again what was watched at first")                                                 \
	X(ZERO, "zero", "Measuring", KEYS('z'), "zero", "Begin all counts at zero again")          \
	X(SLOWER, "slower", "Measuring", KEYS('+'), "interval", "A longer refresh interval")       \
	X(FASTER, "faster", "Measuring", KEYS('-'), "interval", "A shorter refresh interval")      \
	X(INTERVAL, "interval", "Measuring", KEYS('d'), "interval", "Type a refresh interval")     \
	X(DOCTOR, "doctor", "Measuring", KEYS('D'), "doctor",                                      \
	  "What works on this machine, what does not, and the fix")                                \
	X(HELP, "help", "Program", KEYS('?', 'h', KEYS_F1), "help", "This help")                   \
	X(MOUSE, "mouse", "Program", KEYS('M'), "mouse",                                           \
	  "The mouse is the terminal's, to select text; again: ours")                              \
	X(WRITE, "write-config", "Program", KEYS('W'), "write",                                    \
	  "Write the views, theme and interval to the configuration")                              \
	X(REPAINT, "repaint", "Program", KEYS(KEY_CTRL('L')), "repaint",                           \
	  "Send the whole screen again")                                                           \
	X(SUSPEND, "suspend", "Program", KEYS(KEY_CTRL('Z')), "suspend",                           \
	  "Suspend to the shell; fg resumes")                                                      \
	X(QUIT, "quit", "Program", KEYS('q', KEY_CTRL('C'), KEYS_F10), "quit", "Quit")

enum action {
	ACTION_NONE,
#define ACTION_ID(id, ...) ACTION_##id,
	ACTIONS(ACTION_ID)
#undef ACTION_ID
		ACTION_COUNT
};

struct action_info {
	const char *name;
	const char *group;
	const char *label;
	const char *help;
};

/* An action's row of the table; never NULL.  ACTION_NONE has empty texts. */
const struct action_info *action_info(enum action action);

/* The action of this name, or ACTION_NONE. */
enum action action_find(const char *name);

#endif
