"""How a run says no."""

__all__ = ["RunError"]


class RunError(ValueError):
    """A run cannot begin or go on. One line for the user; what was done stays usable."""
