# Shared by ./run, ./test and .ci/run: a virtual environment of its own with the package in it.
# Needs Python 3.11 with venv and pip, and a C++20 compiler; everything else comes from PyPI.

# setup EXTRA: installs the package with that extra, and again only when something changed.
setup() {
    local venv=.venv python=.venv/bin/python stamp=".venv/.installed-$1"
    [ -x "$python" ] || python3 -m venv "$venv"
    if [ -f "$stamp" ] && [ -z "$(_newer_than "$stamp")" ]; then return; fi
    echo "building (a minute or two the first time) ..." >&2
    local pip="$python -m pip install -q --disable-pip-version-check"
    # Without isolation a second build reuses the first. setuptools and wheel are for the few
    # packages that come as source.
    $pip setuptools wheel "scikit-build-core>=0.11" "nanobind>=2.7" "cmake>=3.26" "ninja>=1.11" &&
        $pip --no-build-isolation -e ".[$1]" &&
        touch "$stamp"
}

# Sources of the core and the build that changed after the last installation. Python files do not
# count: they are used where they stand.
_newer_than() {
    find core CMakeLists.txt pyproject.toml -newer "$1" -type f -print -quit
}
