#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cross.sh MAKE ARG...: runs make with Debian's compiler and libraries for arm64.
#
# Needs the package gcc-aarch64-linux-gnu; the libraries are downloaded (packages.sh).
set -eu

export arch=arm64
. "${0%/*}/packages.sh"
triplet=aarch64-linux-gnu

command -v $triplet-gcc >/dev/null || { echo >&2 "cross.sh: no $triplet-gcc: apt-get install gcc-$triplet"; exit 1; }
fetch_sysroot
export PKG_CONFIG_SYSROOT_DIR="$sysroot"
export PKG_CONFIG_LIBDIR="$sysroot/usr/lib/$triplet/pkgconfig:$sysroot/usr/share/pkgconfig"
exec "$@" CC="$triplet-gcc --sysroot=$sysroot" AR=$triplet-gcc-ar \
	LDFLAGS="-Wl,-rpath-link,$sysroot/usr/lib/$triplet:$sysroot/lib/$triplet"
