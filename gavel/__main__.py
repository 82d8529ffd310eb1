"""`python -m gavel` is the `gavel` command."""

from gavel.cli import main

main()
