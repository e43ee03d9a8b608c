"""Speed and size, one figure a line: ``python -m tests.bench``. Nothing here is a test; machines differ."""
