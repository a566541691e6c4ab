#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh amd64|arm64 [SUITE]: runs the live tests on a Debian kernel in QEMU (emulated, so no rights
# are needed), and the tests that run only there: hotplug, timer storms, a PMU.
#
# Boots the newest kernel of this machine's release, or of Debian's SUITE (bullseye, sid), or the 5.4 of
# Ubuntu's focal, with an initramfs of busybox, tools, our program with its libraries, and the tests.
# The tools are this machine's, or for another architecture those of packages.sh.  The tests write TAP
# to the serial line, for prove.
#
# amd64 has no PMU, and its clock is this machine's.  arm64 has a PMU with cycles and instructions,
# which QEMU counts only when the clock goes by instructions, too: 20 times slower than this machine's.
# So it runs the tests of the PMU alone.
#
# Three guests run at the same time.  "fresh" runs the live tests.  "changed" has the kernel's default
# paranoid level, 2, instead of Debian's 3; it runs the tests that change the machine, and then,
# after CPU 1 was offline, the live tests that depend on CPUs or on that level.  "locked" has kernel
# lockdown from the start.
#
#   TESTS="silent scope"   run only these
#   SMP=32                 CPUs of a guest (2)
#   KEEP_SERIAL=PREFIX     keep the guests' output, in PREFIX.fresh, PREFIX.changed and PREFIX.locked
#   KERNEL_TIMEOUT=SECS    time limit of a guest (2400)
set -eu

arch=${1:-}
case $arch in
amd64) qemu='qemu-system-x86_64 -accel tcg,thread=single -cpu max' console=ttyS0 ;;
arm64) qemu='qemu-system-aarch64 -M virt -accel tcg,thread=single -cpu max -icount shift=1' console=ttyAMA0 ;;
*) echo >&2 "usage: run.sh amd64|arm64 [SUITE]"; exit 129 ;;
esac
. "${0%/*}/packages.sh"
: "${BUILD:=$PWD/build}" "${PERFTOP:=$BUILD/perftop-ng}"
work=$(mktemp -d "${TMPDIR:-/tmp}/perftop-kernel.XXXXXX")
guests=
trap 'kill $guests 2>/dev/null || :; wait; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Copy the program, its helpers and the tests.
add_programs()
{
	mkdir -p "$root/build/tests/helpers" "$root/build/tests/live" "$root/tests"
	cp "$PERFTOP" "$root/build/perftop-ng"
	for helper in "$BUILD"/tests/helpers/*; do
		[ -x "$helper" ] && cp "$helper" "$root/build/tests/helpers/"
	done
	cp -r tests/lib.sh tests/messages.txt tests/*.py tests/data tests/live tests/kernels "$root/tests/"
	cp -r themes "$root/"
	cp "$BUILD"/tests/live/*.t "$root/build/tests/live/"
}

# Busybox's tools of these names have other options, or are slower than the tests expect.
tools='sh awk base64 basename cat chmod chown cmp cp cut date diff dirname env expr find getconf
grep head id install kill ln ls mkdir mkfifo mktemp mv nm od paste perf pgrep printf prlimit
ps readlink rm rmdir script sed seq setpriv shuf sleep sort split stat strace tac tail taskset tee test
setsid timeout tmux touch tr true uname uniq unshare wc xargs'

# tool NAME: its path, of this machine or in the sysroot
tool()
{
	set -- "$1" "$1"
	[ -z "$sysroot" ] || [ "$1" != awk ] || set -- awk mawk
	[ -z "$sysroot" ] || [ "$1" != sh ] || set -- sh dash
	find "$sysroot/usr/bin" "$sysroot/bin" -name "$2" 2>/dev/null | head -n 1
}

add_tools()
{
	mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/share/terminfo" "$root/lib/terminfo"
	for name in $tools; do
		path=$(tool "$name")
		[ -n "$path" ] || { echo >&2 "run.sh: no $name here: sudo make check installs it"; exit 1; }
		cp -L "$path" "$root/usr/bin/$name"
	done
	add_python
	for folder in /lib/terminfo /usr/share/terminfo /usr/lib/locale/C.utf8; do
		[ ! -d "$sysroot$folder" ] ||
			{ mkdir -p "$root${folder%/*}" && cp -r "$sysroot$folder" "$root${folder%/*}/"; }
	done
}

add_python()
{
	if [ -n "$sysroot" ]; then
		cp "$sysroot/usr/bin/python3.11" "$root/usr/bin/"
		cp -r "$sysroot/usr/lib/python3.11" "$root/usr/lib/"
	else
		for package in python3.11-minimal libpython3.11-minimal libpython3.11-stdlib; do
			fetch $package
			cp -r "$cache/$package/usr" "$root/"
		done
	fi
	ln -sf python3.11 "$root/usr/bin/python3"
}

# Of this machine those that are linked, as ldd cannot run another architecture's.
add_libraries()
{
	if [ -n "$sysroot" ]; then
		(cd "$sysroot" && find lib/ld-linux-* lib/*-linux-gnu usr/lib/*-linux-gnu -name '*.so*' ! -name 'libLLVM*' ! -name 'lib*san.so*')
	else
		for file in "$root/build/perftop-ng" "$root"/build/tests/helpers/* "$root"/build/tests/live/* \
			"$root"/usr/bin/*; do
			ldd "$file" 2>/dev/null | grep -o '/[^ ]*' || true
		done | sort -u
	fi | while read -r library; do
		[ -f "$sysroot/$library" ] || continue
		mkdir -p "$root/${library%/*}"
		cp -L "$sysroot/$library" "$root/$library"
	done
}

make_init()
{
	cat >"$root/init" <<'EOF'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/usr/bin:/bin HOME=/root TERM=vt100 BUILD=/build PERFTOP=/build/perftop-ng TMPDIR=/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t securityfs securityfs /sys/kernel/security
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mount -t tracefs tracefs /sys/kernel/tracing
ln -sf /proc/self/fd /dev/fd
ln -sf /proc/self/fd/0 /dev/stdin
ln -sf /proc/self/fd/1 /dev/stdout
ln -sf /proc/self/fd/2 /dev/stderr
ip link set lo up 2>/dev/null
export EVERY=all # events, of every.t.sh
dmesg -n 1 # a panic is still printed
echo "=== kernel $(uname -r) $(uname -m) ==="
mkdir -p /dev/pts /sys/fs/cgroup
mount -t devpts devpts /dev/pts
mount -t cgroup2 cgroup2 /sys/fs/cgroup
guest=$(sed 's/.*perftop-ng.guest=\([a-z]*\).*/\1/' /proc/cmdline)
case $guest in
fresh) echo +pids >/sys/fs/cgroup/cgroup.subtree_control ;; # as systemd does
changed) echo 2 >/proc/sys/kernel/perf_event_paranoid ;;
esac
while read -r test; do
	case $test in *.sh) run="/usr/bin/sh $test" ;; *) run=$test ;; esac
	echo "=== begin $test $(cut -d. -f1 /proc/uptime) ==="
	timeout 240 $run 2>&1 </dev/null
	echo "=== end $test $? ==="
done <"/tests/list.$guest"
poweroff -f
EOF
	chmod +x "$root/init"
}

# The live tests that depend on CPUs or on kernel.perf_event_paranoid.
again='accounting silent switches throttle abuse kinds nobody rights'

# An emulated CPU takes too long for these: hundreds of runs of perf, a load that fills a disk's queue.
slow='foreign rotation slow-disk'
[ "$arch" = amd64 ] || : "${TESTS:=pmu}"

# list NAMES PATH...: print the paths whose test is in NAMES and in $TESTS; an empty list has all
list()
{
	names=$1
	shift
	for path; do
		name=${path##*/} name=${name%%.*}
		case " $slow " in *" $name "*) continue ;; esac
		case " ${names:-$name} " in *" $name "*) ;; *) continue ;; esac
		case " ${TESTS:-$name} " in *" $name "*) echo "$path" ;; esac
	done
}

list_tests()
(
	cd "$root"
	list '' tests/live/*.t.sh build/tests/live/*.t >tests/list.fresh
	list lockdown tests/kernels/*.t.sh >tests/list.locked
	{
		for test in tests/kernels/*.t.sh; do
			case $test in */lockdown.*) ;; *) list '' "$test" ;; esac
		done
		list "$again" tests/live/*.t.sh build/tests/live/*.t
	} >tests/list.changed
)

make_initramfs()
{
	root=$work/root
	mkdir -p "$root/bin" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/root" "$root/etc"
	chmod 1777 "$root/tmp"
	echo 'root:x:0:0::/root:/bin/sh' >"$root/etc/passwd"
	echo 'nobody:x:65534:65534::/:/bin/sh' >>"$root/etc/passwd"
	cp "$(find "$cache/busybox-static" -path '*/bin/busybox' -type f)" "$root/bin/busybox"
	ln -s /usr/bin/sh "$root/bin/sh"
	add_programs
	add_tools
	add_libraries
	list_tests
	make_init
	(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initramfs"
}

# boot GUEST: start the guest with its serial line in $work/GUEST; adds its process to $guests
#
# thread=single: with a thread per CPU the guest hung in 3 of 9 boots.  QEMU's monitor showed both
# CPUs returning to the same kernel address forever, by an exception: most likely an int3 of
# text_poke_bp(), in a translation that QEMU 7.2 kept after the kernel had removed the int3.
# shellcheck disable=SC2086
boot()
{
	[ -s "$root/tests/list.$1" ] || return 0
	[ "$1" != locked ] || set -- locked lockdown=confidentiality
	timeout "${KERNEL_TIMEOUT:-2400}" $qemu -smp "${SMP:-2}" -m 1G \
		-display none -monitor none -serial "file:$work/$1" \
		-no-reboot -kernel "$vmlinuz" -initrd "$work/initramfs" \
		-append "console=$console quiet panic=-1 softlockup_panic=1 perftop-ng.guest=$1 ${2-}" &
	guests="$guests $!"
}

# split_tap GUEST: write a TAP file for each test, for prove
split_tap()
{
	[ -e "$work/$1" ] || return 0
	sed -i 's/\r$//' "$work/$1"
	[ -z "${KEEP_SERIAL:-}" ] || cp "$work/$1" "$KEEP_SERIAL.$1"
	if ! grep -q '^=== begin ' "$work/$1"; then
		echo >&2 "run.sh: guest $1 started no test; its last lines:"
		tail -n 20 "$work/$1" >&2
		exit 1
	fi
	mkdir -p "$work/tap"
	awk -v prefix="$work/tap/$1-" '
		/^=== kernel / { print "#" substr($0, 4) > "/dev/stderr" }
		/^=== begin / { file = $3; gsub("/", "-", file); file = prefix file; next }
		/^=== end / && NF < 5 { next }
		/^=== end / { if ($4 != 0) print "not ok - exit status " $4 > file; close(file); file = ""; next }
		file != "" { print > file }' "$work/$1"
	if [ "$(grep -c '^=== begin ' "$work/$1")" != "$(wc -l <"$root/tests/list.$1")" ]; then
		echo >&2 "run.sh: guest $1 did not finish its tests"
		echo "not ok - did not finish its tests" >"$work/tap/$1"
	fi
}

fetch_sysroot
fetch busybox-static
make_initramfs
fetch_kernel "${2:-}"
vmlinuz=$(kernel_image)
[ -n "$(cat "$root"/tests/list.*)" ] || {
	echo >&2 "run.sh: no test is called $TESTS"
	exit 1
}
for guest in locked changed fresh; do
	boot $guest
done
wait
for guest in locked changed fresh; do
	split_tap $guest
done
prove -e cat "$work"/tap/* || {
	grep -HE '^(not ok|#   )' "$work"/tap/* | sed "s|^$work/tap/||" >&2
	exit 1
}
