# shellcheck shell=bash
# Shared by ./run, ./test and .ci/run: a virtual environment of its own with the package in it.
# Needs Python 3.11 with venv, pip and headers, and a C++20 compiler; the rest comes from PyPI.
# What is missing is said in one line, before anything is made.

# setup EXTRA: installs the package with that extra, and again only when something changed.
setup() {
    local venv=.venv python=.venv/bin/python stamp=".venv/.installed-$1" base
    if [ -f "$stamp" ] && [ -z "$(_newer_than "$stamp")" ] && _new_enough "$python"; then return; fi
    base=$(_find_python) && _check_venv "$base" && _check_compiler || return 1
    if ! _new_enough "$python" || ! "$python" -m pip --version >/dev/null 2>&1; then
        _say "making .venv with $("$base" --version)"
        "$base" -m venv --clear "$venv" || return 1
    fi
    # Without isolation a second build reuses the first. setuptools and wheel are for the few
    # packages that come as source.
    _step "fetching the tools of the build from PyPI" "$python" -m pip install \
        -c .ci/constraints.txt setuptools wheel \
        "scikit-build-core>=0.11" "nanobind>=2.7" "cmake>=3.26" "ninja>=1.11" &&
        _step "compiling the core, fetching what [$1] needs (a minute or two the first time)" \
            "$python" -m pip install -c .ci/constraints.txt --no-build-isolation -e ".[$1]" &&
        touch "$stamp"
}

_say() { echo "cotulenh: $*" >&2; }

# The first interpreter that is new enough: $PYTHON, python3, then by number.
_find_python() {
    local name
    for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if _new_enough "$name"; then
            command -v "$name"
            return
        fi
    done
    _say "Python 3.11 or newer is needed, found: $("${PYTHON:-python3}" --version 2>/dev/null || echo none)." \
        "PYTHON=/path/to/python3 names another"
    return 1
}

# By what it says of itself: nothing else is started with an interpreter that is too old.
_new_enough() {
    local version
    version=$("$1" --version 2>/dev/null) || return 1
    [[ $version =~ ^Python\ 3\.([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 11 ]
}

_check_venv() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null ||
        { _say "Python's venv is missing: apt-get install python3-venv" && return 1; }
    "$1" -c 'import os, sysconfig; open(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null ||
        { _say "Python's headers are missing: apt-get install python3-dev" && return 1; }
}

_check_compiler() {
    local compiler
    for compiler in ${CXX:-c++ g++ clang++}; do
        if ! command -v "$compiler" >/dev/null; then continue; fi
        echo '#include <bit>' | "$compiler" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null && return
        _say "$compiler knows no C++20: g++ 12 or clang 14 is needed, CXX=… names another"
        return 1
    done
    _say "a C++ compiler is missing: apt-get install g++ (macOS: xcode-select --install)"
    return 1
}

# _step TEXT COMMAND…: says what is done and how long it took; if it fails, its last words.
_step() {
    local text=$1 log began=$SECONDS
    shift
    _say "$text ..."
    log=$(mktemp)
    if "$@" -q --disable-pip-version-check >"$log" 2>&1; then
        _say "    done in $((SECONDS - began)) s"
        rm -f "$log"
        return
    fi
    tail -n 30 "$log" >&2
    _say "that failed: the whole text is in $log"
    return 1
}

# Sources of the core and the build that changed after the last installation. Python files do not
# count: they are used where they stand.
_newer_than() {
    find core CMakeLists.txt pyproject.toml .ci/constraints.txt -newer "$1" -type f -print -quit
}

# What tests and benches use besides Python: Debian's packages as root, elsewhere Playwright's
# browser. Where neither can be had, the tests that need it are skipped and say so.
fetch_test_tools() {
    local wanted="chromium xboard xvfb stockfish nginx-light"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC2086
        if dpkg -s $wanted >/dev/null 2>&1; then return; fi
        _say "installing Debian's $wanted for the tests ..."
        export DEBIAN_FRONTEND=noninteractive
        # shellcheck disable=SC2086
        if { apt-get update -qq && apt-get install -y -qq --no-install-recommends $wanted; } >/dev/null 2>&1; then return; fi
        _say "Debian's packages could not be installed: $wanted"
        return 1
    fi
    if command -v chromium >/dev/null || [ -f .venv/.browser ]; then return; fi
    _say "fetching Playwright's browser for the tests ..."
    .venv/bin/python -m playwright install chromium >/dev/null 2>&1 && touch .venv/.browser && return
    _say "no browser could be fetched"
    return 1
}
