#!/bin/sh
# Builds a release into build/release, and stops with one line where something is not true.
#
#   tools/release.sh VERSION
#
# docs/reference/versions.md says what is checked and what comes out.
set -eu
cd "$(dirname "$0")/.."

die() { echo "release: $*" >&2; exit 1; }
say() { echo "release: $*"; }

[ $# = 1 ] || die "usage: tools/release.sh VERSION"
version=$1
out=build/release/$version
bin=.venv/bin

[ -z "$(git status --porcelain)" ] || die "the tree is not clean: commit or remove what differs"
[ "$(git rev-parse --abbrev-ref HEAD)" = main ] || die "the commit is not the one of branch main"
grep -q "^version = \"$version\"\$" pyproject.toml || die "pyproject.toml has another version"
grep -Eq "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" CHANGELOG.md ||
  die "CHANGELOG.md has no section '## $version - YYYY-MM-DD'"
if grep -q '^## Unreleased' CHANGELOG.md; then
  die "CHANGELOG.md has a section Unreleased: give its lines to $version"
fi
# Without the tag, exports would name the commit and not the release.
[ "$(git rev-parse -q --verify "v$version^{commit}")" = "$(git rev-parse HEAD)" ] ||
  die "the tag v$version is not at this commit: git tag v$version"

make setup
"$bin/hashfabric" report --check || die "a table or a row is not what the sources give"
if [ "${RELEASE_TESTED:-}" = "$(git rev-parse HEAD)" ]; then
  say "tests: RELEASE_TESTED names this commit"
else
  make test || die "make test fails"
fi

rm -rf "$out.new" "$out"
mkdir -p "$out.new"
"$bin/python" -m hatchling build -t wheel -t sdist -d "$out.new" >/dev/null ||
  die "wheel and sdist cannot be built"
cores=$(sed -n 's/^| [^|]*| \[\([a-z0-9-]*\/[a-z0-9-]*\)\](docs.*/\1/p' README.md | sort -u)
[ -n "$cores" ] || die "README.md names no cores"
for core in $cores; do
  # A program on a processor is nothing to take home.
  case $core in picorv32-* | vexriscv-* | leon3-*) continue ;; esac
  name="hashfabric-$version-$(echo "$core" | tr / -)"
  say "export of $core"
  "$bin/hashfabric" export "$core" --format files --out "$out.new/$name" >/dev/null ||
    die "$core cannot be exported"
  tar -C "$out.new" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git log -1 --format=%ct)" -czf "$out.new/$name.tar.gz" "$name"
  rm -r "$out.new/$name"
done
(cd "$out.new" && sha256sum -- * >SHA256SUMS)
mv "$out.new" "$out"
say "$out: publish these files, and push the tag v$version"
