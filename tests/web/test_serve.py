"""The verb: bad input ends with one line and status 2."""

import os
import subprocess
import sys

import pytest


def serve(*args):
    return subprocess.run(
        [sys.executable, "-m", "cotulenh", "serve", "--no-browser", *args],
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_one_server_for_one_directory(server):
    ended = serve("--port", "0", "--data", str(server.data))
    assert ended.returncode == 2
    assert "another server uses these games" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize("same_port", [False, True])
def test_a_second_start_opens_the_page_that_runs(server, tmp_path, same_port):
    """What a browser would be called with is written to a file instead."""
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\necho $1 > {seen}\n")
    browser.chmod(0o755)
    port = str(server.port) if same_port else "0"
    ended = subprocess.run(
        [sys.executable, "-m", "cotulenh", "serve", "--port", port, "--data", str(server.data)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "BROWSER": f"{browser} %s"},
    )
    assert ended.returncode == 0, ended.stderr
    assert f"localhost:{server.port}/" in ended.stdout
    assert seen.read_text().strip() == f"{server.url}/"


def test_without_a_browser_the_address_is_said(server):
    ended = serve("--port", "0", "--data", str(server.data))
    assert f"localhost:{server.port}/" in ended.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("--port", "99999"),
        ("--host", "no.such.host.invalid"),
        ("--port", "0", "--data", "/proc/nowhere"),
        ("--port", "0", "--data", __file__),
    ],
)
def test_bad_input(args):
    ended = serve(*args)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert ended.stderr.startswith("cotulenh: ")


def test_a_broken_file_is_said(tmp_path):
    (tmp_path / "games.sqlite").write_text("this is no database, " * 500)
    ended = serve("--port", "0", "--data", str(tmp_path))
    assert ended.returncode == 2
    assert "not a database" in ended.stderr
