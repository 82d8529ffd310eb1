"""`gavel schema`: what kinds of things there are, how they are related, and how the owner's profile speaks of them."""

from typing import TYPE_CHECKING, Annotated

import typer

from gavel.cli.ask import NAMESPACE
from gavel.cli.output import Format, FormatOption, echo, one_line, plain, print_json, progress, table, tell

if TYPE_CHECKING:
    from knowledge.profile.profile import GraphProfile
    from knowledge.records import GraphSchema

PROFILE = typer.Option(
    "--profile", help="print the profile as YAML (or JSON) with an entry for every relation, to be corrected in GAVEL_PROFILE"
)


def schema(
    namespace: Annotated[list[str] | None, NAMESPACE] = None,
    profile: Annotated[bool, PROFILE] = False,
    output: FormatOption = Format.text,
) -> None:
    """Show kinds, relations and their numbers as the scope sees them."""
    from gavel import settings
    from gavel.app import App
    from knowledge.reading.meter import Unmetered

    with progress() as bar, App(settings.load(), bar) as app:
        principal = app.principal()
        scope = principal.scope.narrowed(None if namespace is None else frozenset(namespace))
        found, said = app.kg.reader(scope, Unmetered(principal.id)).schema(), app.kg.profile
    if profile:
        draft = _draft(found, said)
        tell(output, draft, _yaml(draft))
    elif output is Format.json:
        print_json(_plain(found))
    else:
        _show(found, said)


def _show(found: "GraphSchema", said: "GraphProfile") -> None:
    kinds = one_line(", ".join(found.kinds)) or "none"
    echo(f"{found.entities:,} entities, {found.facts:,} facts, version {found.version or 'none'}; kinds: {kinds}\n")
    rows = [
        [
            relation.name,
            f"{relation.facts:,}",
            f"{' | '.join(relation.subject_kinds)} → {' | '.join(relation.object_kinds)}",
            said.relations[relation.name].description if relation.name in said.relations else "",
            ", ".join(relation.object_samples[:3]),
        ]
        for relation in found.relations
    ]
    table(["relation", "facts", "from → to", "in the owner's words", "for example"], rows)


def _plain(found: "GraphSchema") -> dict[str, object]:
    relations = [
        {
            "name": relation.name,
            "facts": relation.facts,
            "subjects": relation.subjects,
            "objects": relation.objects,
            "subject_kinds": relation.subject_kinds,
            "object_kinds": relation.object_kinds,
        }
        for relation in found.relations
    ]
    return {
        "version": found.version,
        "entities": found.entities,
        "facts": found.facts,
        "kinds": list(found.kinds),
        "relations": relations,
    }


def _draft(found: "GraphSchema", said: "GraphProfile") -> dict[str, object]:
    """The profile as data; relations that it does not describe yet get an entry with what the schema knows."""
    draft = said.model_dump(mode="json", exclude_defaults=True)
    described = {name: relation.model_dump(mode="json", exclude_defaults=True) for name, relation in said.relations.items()}
    for relation in found.relations:
        described.setdefault(
            relation.name, {"description": "", "subject": _kinds(relation.subject_kinds), "object": _kinds(relation.object_kinds)}
        )
    return {"shape": said.shape, **draft, "relations": described}


def _yaml(draft: dict[str, object]) -> str:
    import yaml

    text: str = yaml.safe_dump(draft, allow_unicode=True, sort_keys=False)
    if plain(text) != text:  # a name that would steer the terminal; as an escape it stays exact
        text = yaml.safe_dump(draft, sort_keys=False)
    return text.rstrip()


def _kinds(kinds: tuple[str, ...]) -> str | list[str]:
    return kinds[0] if len(kinds) == 1 else list(kinds)
