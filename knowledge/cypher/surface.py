"""What a model sees of a kg, the same way for every shape: kinds as labels, relations as types, properties by plain names."""

from abc import ABC, abstractmethod

from knowledge.cypher.syntax import Expression, Fragment, Labels, MapOf
from knowledge.cypher.vocabulary import Vocabulary
from knowledge.reading.dialect import Dialect


class Surface(ABC):
    """Turns labels, types and properties of a statement into those of the database. `variable` is an identifier as the server sees it."""

    def __init__(self, dialect: Dialect, vocabulary: Vocabulary) -> None:
        self.dialect, self.vocabulary = dialect, vocabulary

    @abstractmethod
    def node_labels(self, labels: Labels | None) -> Labels | None:
        """What stands in the pattern of a node."""

    @abstractmethod
    def is_a(self, variable: str, labels: Labels) -> Expression:
        """The test that a node is of these kinds."""

    @abstractmethod
    def fact_types(self, types: Labels | None) -> Labels | None:
        """What stands in the pattern of a relationship."""

    @abstractmethod
    def of_type(self, variable: str, types: Labels) -> Expression:
        """The test that a relationship is of these types."""

    @abstractmethod
    def property(self, variable: str, name: str, *, fact: bool) -> str:
        """The expression of a property. Refused (`Refused`) where a model may not see it."""

    @abstractmethod
    def labels(self, variable: str) -> str:
        """The expression for the list of a node's kinds."""

    def relation(self, variable: str) -> str:
        """The expression for the type of a relationship."""
        return self.dialect.relation(variable)

    def sees(self, variable: str, *, fact: bool) -> Fragment:
        """The predicate that an element is in the scope, the ends of a relationship apart."""
        return Fragment(f"({self.dialect.sees_fact(variable) if fact else self.dialect.sees_node(variable)})")

    def properties(self, variable: str, *, fact: bool) -> MapOf:
        """All properties that a model may see; null where an element has not got one."""
        names = self.vocabulary.all_fact_properties if fact else self.vocabulary.all_node_properties
        return MapOf(tuple((name, Fragment(self.property(variable, name, fact=fact))) for name in sorted(names)))
