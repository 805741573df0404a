"""Talking to other programs: UCI and XBoard, as an engine and as a client."""
