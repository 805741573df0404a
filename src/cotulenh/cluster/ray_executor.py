"""Units on a Ray cluster: one here for this run, or one that is there already.

Ray schedules, moves bytes and notices dead nodes; exactly-once is the ledger's. Ray never retries:
a unit whose worker died comes back as lost and is submitted anew by the driver.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from typing import Any

from cotulenh.cluster.errors import RunError
from cotulenh.cluster.ledger import Outcome, Unit
from cotulenh.cluster.worker import Assignment, perform
from cotulenh.errors import install_hint

__all__ = ["RayExecutor"]


def _ray() -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise RunError(
            f"Ray is not installed: it comes with the extra cluster, {install_hint('cluster')}"
        ) from None
    return ray


class RayExecutor:
    """Tasks of a Ray cluster, a bounded number of them at a time; their returns are small."""

    REFRESH = 2.0  # seconds between looks at the cluster's size
    PATIENCE = 30.0  # seconds a cluster has to answer the door

    def __init__(self, address: str | None, workers: int | None) -> None:
        self._address, self._most = address, workers
        self._ray = _ray()
        self._tasks: dict[Any, Unit] = {}
        self._workers, self._looked = 0, 0.0

    def start(self, assignment: Assignment) -> None:
        """Starts a cluster here, or joins one."""
        ray = self._ray
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if self._address is None:
            options |= {"num_cpus": self._most, "include_dashboard": False}
        else:
            _knock(self._address, self.PATIENCE)
        try:
            ray.init(address=self._address or "local", **options)
        except Exception as error:
            where = self._address or "this machine"
            raise RunError(f"cannot use the cluster at {where}: {_line(error)}") from None
        _keep_quiet(ray)
        self._assignment = ray.put(assignment)
        self._task = ray.remote(num_cpus=1, max_retries=0)(perform)

    @property
    def workers(self) -> int:
        """The processors of the cluster, or as many of them as were asked for."""
        if time.monotonic() - self._looked > self.REFRESH:
            found = int(self._ray.cluster_resources().get("CPU", 0))
            self._workers = found if self._most is None else min(found, self._most)
            self._looked = time.monotonic()
        return self._workers

    @property
    def capacity(self) -> int:
        """A few tasks wait in the cluster, so that no processor waits for the driver.

        With a limit on the workers none wait: Ray would start them on other processors.
        """
        workers = max(1, self.workers)
        return workers if self._most is not None else workers + max(1, workers // 4)

    def submit(self, unit: Unit) -> None:
        """Hands a unit over."""
        self._tasks[self._task.remote(self._assignment, unit)] = unit

    def wait(self, seconds: float) -> list[Outcome]:
        """What has come back. References are dropped at once: nothing gathers in the store."""
        done, _ = self._ray.wait(
            list(self._tasks), num_returns=len(self._tasks), timeout=0, fetch_local=True
        )
        if not done:
            done, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=seconds)
        return [self._outcome(reference, self._tasks.pop(reference)) for reference in done]

    def _outcome(self, reference: Any, unit: Unit) -> Outcome:
        errors = self._ray.exceptions
        try:
            found = self._ray.get(reference)
        except errors.RayTaskError as error:  # `perform` raises nothing: the worker cannot load it
            raise RunError(f"a worker cannot take part: {_line(error.cause or error)}") from None
        except errors.RayError as error:
            return Outcome(unit.name, error=f"its worker was lost: {_line(error)}", lost=True)
        assert isinstance(found, Outcome)
        return found

    def close(self) -> None:
        """Lets go of the cluster; one that was started here ends."""
        self._tasks.clear()
        if self._ray.is_initialized():
            self._ray.shutdown()


def _keep_quiet(ray: Any) -> None:
    """Ray prints news of dead nodes on standard output, where events and results go, and has no
    option against it. The news comes back as outcomes of units too.
    """
    worker: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_args, **_options: None


def _knock(address: str, patience: float) -> None:
    """Whether anybody listens there: Ray itself would wait for minutes."""
    if address == "auto":
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise RunError(f"expected local, ray, ray://HOST:PORT or HOST:PORT, got {address!r}")
    try:
        with socket.create_connection((host, int(port)), patience) as door:
            answer = _greet(door)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RunError(f"no cluster answers at {host}:{port}: {reason}") from None
    if answer is not None and answer[3:4] != _SETTINGS[3:4]:
        raise RunError(f"what answers at {host}:{port} is no Ray cluster")


# How HTTP/2, and so gRPC, begins: a fixed text, and a frame of settings from either side.
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


def _greet(door: socket.socket) -> bytes | None:
    """The first bytes that a server of gRPC, or another one, says; nobody asks behind TLS."""
    if os.environ.get("RAY_USE_TLS", "0") not in ("", "0"):
        return None
    door.sendall(_PREFACE + _SETTINGS)
    return door.recv(len(_SETTINGS))


def _line(error: BaseException) -> str:
    words = " ".join(str(error).split())
    return words[:300] or type(error).__name__
