# Shared by the tests of this folder: a place to work in, and checks that say what they expected.
# usage: source lib.sh BIN_DIRECTORY
set -u
heddle_bin=$1
export PATH=$heddle_bin:$PATH
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX HEDDLE_SHARED NO_COLOR
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# What others leave in the usual place for such files is not ours to judge.
mkdir temporary && export TMPDIR=$work/temporary
failures=0
# Seconds after which a command has surely hung, however busy the machine is.
export hang=900

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# check WHAT COMMAND...: the command must succeed; its output is shown only if it does not.
check() {
  local what=$1
  shift
  if "$@" >output 2>&1; then
    echo "ok: $what"
  else
    fail "$what (exit code $?): $*"
    sed 's/^/    /' output
  fi
}

# expect CODE TEXT COMMAND...: the command must exit with CODE and print TEXT (a fixed string, may be empty).
expect() {
  local code=$1 text=$2 actual
  shift 2
  "$@" >output 2>&1
  actual=$?
  if [ "$actual" -ne "$code" ]; then
    fail "'$*' exits with $actual, not $code"
    sed 's/^/    /' output
  elif ! grep -qF -- "$text" output; then
    fail "'$*' does not print: $text"
    sed 's/^/    /' output
  else
    echo "ok: $* -> $code $text"
  fi
}

# await FILE: until it exists.
await() {
  local until=$((SECONDS + hang))
  until [ -e "$1" ]; do
    [ $SECONDS -lt $until ] || { fail "no file '$1' after $hang s"; return; }
    sleep 0.05
  done
}

have() { command -v "$1" >/dev/null; }

finish() {
  [ "$failures" -eq 0 ] && echo "all passed"
  exit $((failures > 0))
}
