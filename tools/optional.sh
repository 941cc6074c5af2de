#!/bin/sh
# Installs an optional program if it is allowed to. Ends at once if it is there.
#
#   tools/optional.sh PROGRAM PACKAGE WHAT-FOR
set -eu

program=$1
package=$2
purpose=$3

command -v "$program" >/dev/null && exit 0

say() { echo "optional: $*"; }
die() { echo "optional: $*" >&2; exit 1; }
hint="for $purpose install Debian's $package"

command -v apt-get >/dev/null || die "$hint"
as_root=
if [ "$(id -u)" != 0 ]; then
  as_root="sudo -n"
  sudo -n true 2>/dev/null || die "$hint"
fi
install_it() {
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "$package"
}
say "installing $package"
install_it || { $as_root apt-get update -q && install_it; } || die "$hint"
