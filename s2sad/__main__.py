"""`python -m s2sad` is `s2sad`."""

from .cli import main

if __name__ == "__main__":
    main()
