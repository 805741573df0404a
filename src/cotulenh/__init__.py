"""Cờ Tư Lệnh (Commander Chess): rules, bitboards and tables."""

__version__ = "0.1.0"
