"""The one exception of tools."""

from knowledge.errors import GavelError


class ToolError(GavelError):
    """A tool cannot do what was asked; the message tells a model what to ask instead."""
