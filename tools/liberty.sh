#!/bin/sh
# Puts the liberty of targets/osu018.toml into .venv/share, where `hashfabric power` and `area` find it.
# Only this file is taken out of the Debian package; installing the package would bring a whole
# layout flow. Needs no root if apt-get has its package lists. Ends at once if it is there.
set -eu
cd "$(dirname "$0")/.."

package=qflow-tech-osu018
liberty=qflow/tech/osu018/osu018_stdcells.lib

for share in .venv/share /usr/local/share /usr/share; do
  [ ! -f "$share/$liberty" ] || exit 0
done

say() { echo "liberty: $*"; }
die() { echo "liberty: $*" >&2; exit 1; }
hint="for 'hashfabric power' and 'area' on osu018 install the Debian package $package"

[ -d .venv ] || die "no .venv: run 'make setup' first"
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || die "$hint"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
download() { (cd "$scratch" && apt-get download -q "$package" >log 2>&1); }

say "taking the liberty out of $package"
if ! download; then
  as_root=
  if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
    sudo -n true 2>/dev/null || die "$hint"
  fi
  $as_root apt-get update -q >"$scratch/log" 2>&1 && download || die "$hint"
fi
dpkg-deb -x "$scratch/$package"_*.deb "$scratch/files" || die "$hint"
mkdir -p ".venv/share/$(dirname "$liberty")"
cp "$scratch/files/usr/share/$liberty" ".venv/share/$liberty.new"
mv ".venv/share/$liberty.new" ".venv/share/$liberty"
