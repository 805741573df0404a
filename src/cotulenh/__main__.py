"""``python -m cotulenh`` is the command ``cotulenh``."""

from cotulenh.cli import main

if __name__ == "__main__":
    main()
