"""Signals as in a terminal; and the last line of a run: what was not tested, and why."""

import re
import signal
from collections import Counter


def pytest_configure():
    """A suite started in the background, or by nohup, inherits signals that are ignored, and so
    would its programs. What this process handles they get as usual.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


def pytest_unconfigure(config):
    """After all that pytest itself says."""
    terminalreporter = config.pluginmanager.get_plugin("terminalreporter")
    if terminalreporter is None:
        return
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    left_out = len(terminalreporter.stats.get("deselected", ()))
    told = [f"{reason} ({count})" for reason, count in reasons.most_common()]
    option = config.option
    if left_out and option.markexpr == "not long" and not option.keyword:
        told.append(f"./test -m long takes minutes ({left_out})")
    if told:
        terminalreporter.line("not tested: " + "; ".join(told))


def _reason(report):
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return re.sub(r"\s+", " ", text.removeprefix("Skipped: ")).strip()
