"""How commands explain themselves with `--help`."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


class Command(TyperCommand):
    """A command whose options are shown in a user's words: flags take no value, lists one each."""

    def get_params(self, ctx: Any) -> Any:
        """All options and arguments."""
        return _plain(super().get_params(ctx))


class Group(TyperGroup):
    """The same for commands with commands below them."""

    def get_params(self, ctx: Any) -> Any:
        """All options."""
        return _plain(super().get_params(ctx))


def _plain(parameters: Any) -> Any:
    for one in parameters:
        shown = one.bare_type() if hasattr(one, "bare_type") else ""  # in later versions of typer
        if getattr(one, "is_flag", False):
            one.metavar = ""
        elif shown.startswith("list[") and one.param_type_name == "option":
            one.metavar = f"<{shown[5:-1].lower()}>"
    return parameters
