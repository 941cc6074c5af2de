#!/bin/sh
# Installs the compiler of the firmware in firmware/, where it may. Nothing to do: ends at once.
set -eu

package=gcc-riscv64-unknown-elf
program=riscv64-unknown-elf-gcc

command -v "$program" >/dev/null && exit 0

say() { echo "compiler: $*"; }
die() { echo "compiler: $*" >&2; exit 1; }
hint="for firmware on RISC-V install Debian's $package"

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
