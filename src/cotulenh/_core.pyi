"""The C++ core of cotulenh."""
