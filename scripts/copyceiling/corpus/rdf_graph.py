"""Parses RDF in any of its syntaxes into an index of triples (pyoxigraph).

The only module that knows the parser: docs/decisions/0007.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import NamedTuple
from xml.parsers import expat

import pyoxigraph
from pyoxigraph import RdfFormat

from copyceiling.corpus.model import Issue

# Suffix to syntax; a file of another suffix is taken by what it begins with.
SYNTAXES = {
    ".ttl": RdfFormat.TURTLE,
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".trig": RdfFormat.TRIG,
    ".n3": RdfFormat.N3,
    ".rdf": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
}
SUFFIXES = (*SYNTAXES, ".owl", ".xml", ".skos", ".rdfs")
_BASE = "http://base.invalid/"  # relative IRIs must not depend on where the file lies
_OWL_XML = re.compile(rb"<(\w+:)?Ontology\b")
_FUNCTIONAL = re.compile(rb"\s*(Prefix|Ontology)\s*[(:]")
_HEAD = 20_000  # bytes in which a document shows its syntax, comments and prolog included
RDF_VALUE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"
XL_FORM = "http://www.w3.org/2008/05/skos-xl#literalForm"
_FIRST = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first"
_REST = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"


class Words(NamedTuple):
    """A literal: its text and language tag in lower case ("" for none)."""

    text: str
    language: str


class Graph:
    """Triples by subject and predicate. A node is an IRI, or ``_:`` and a blank label."""

    def __init__(self) -> None:
        self._links: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._words: dict[str, dict[str, set[Words]]] = defaultdict(lambda: defaultdict(set))

    def add(self, triple: "pyoxigraph.Quad | pyoxigraph.Triple") -> None:
        """Add one triple; of a quad the graph's name is not kept."""
        subject, target = _node(triple.subject), triple.object
        if subject is None:
            return
        if isinstance(target, pyoxigraph.Literal):
            words = Words(target.value, (target.language or "").lower())
            self._words[subject][triple.predicate.value].add(words)
        else:
            node = _node(target)
            if node is not None:
                self._links[subject][triple.predicate.value].add(node)

    def subjects(self) -> list[str]:
        """Return the IRIs that stand as a subject, sorted."""
        found = self._links.keys() | self._words.keys()
        return sorted(s for s in found if not s.startswith("_:"))

    def links(self, subject: str, *predicates: str) -> set[str]:
        """Return the nodes that a subject points at by any of the predicates."""
        by = self._links.get(subject, {})
        return {node for p in predicates for node in by.get(p, ())}

    def predicates(self, subject: str) -> list[str]:
        """Return the predicates by which a subject points at nodes, sorted."""
        return sorted(self._links.get(subject, ()))

    def words(self, subject: str, predicate: str) -> list[Words]:
        """Return a subject's literals by text, also those one node away (SKOS-XL, rdf:value)."""
        found = set(self._words.get(subject, {}).get(predicate, ()))
        for node in self.links(subject, predicate):
            inner = self._words.get(node, {})
            found |= inner.get(XL_FORM, set()) | inner.get(RDF_VALUE, set())
        return sorted(found)

    def members(self, head: str) -> Iterator[str]:
        """Yield the nodes of an RDF list; one that runs in a circle ends where it closes."""
        seen: set[str] = set()
        while head not in seen:
            seen.add(head)
            yield from sorted(self.links(head, _FIRST))
            head = min(self.links(head, _REST), default=head)


def _node(term: object) -> str | None:
    if isinstance(term, pyoxigraph.NamedNode):
        return term.value
    return f"_:{term.value}" if isinstance(term, pyoxigraph.BlankNode) else None


def parse_rdf(content: bytes, name: str) -> tuple[Graph, list[Issue]]:
    """Return a document's triples and the faults met.

    A document with invalid IRIs is read all the same and reported; one that breaks its syntax
    gives no triple, for half an ontology is another ontology. ``owl:imports`` are not followed.

    Args:
        content: The document's bytes, UTF-8.
        name: File name for messages; its suffix (before ``.gz``) says which syntax.
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as e:
        line = content.count(b"\n", 0, e.start) + 1
        return Graph(), [Issue("invalid_utf8", f"{name}:{line}", "text", str(e.reason))]
    syntax = syntax_of(content, name)
    if isinstance(syntax, str):
        return Graph(), [Issue("bad_record", name, "RDF", syntax)]
    try:
        return _load(_triples(content, syntax, lenient=False)), []
    except (SyntaxError, ValueError) as e:
        issue = _issue(e, content, name, syntax)
    try:
        return _load(_triples(content, syntax, lenient=True)), [issue]
    except (SyntaxError, ValueError) as e:
        return Graph(), [_issue(e, content, name, syntax)]


def syntax_of(content: bytes, name: str) -> RdfFormat | str:
    """Return a document's syntax, or why it cannot be read and the way out."""
    head = content[:_HEAD].lstrip()
    if _OWL_XML.search(head) and b"<rdf:RDF" not in head and b"<RDF" not in head:
        return "is OWL/XML, which is no RDF. Save it as RDF/XML or Turtle (Protege: Save as)"
    if _FUNCTIONAL.match(head):
        return "is OWL functional or Manchester syntax. Save it as RDF/XML or Turtle"
    suffix = PurePath(name.removesuffix(".gz")).suffix.lower()
    if suffix in SYNTAXES:
        return SYNTAXES[suffix]
    if head.startswith(b"<") and re.match(rb"<(\?xml|!|(\w+:)?RDF)", head):
        return RdfFormat.RDF_XML
    return RdfFormat.JSON_LD if head[:1] in (b"{", b"[") else RdfFormat.TURTLE


def _triples(
    content: bytes, syntax: RdfFormat, *, lenient: bool
) -> Iterable["pyoxigraph.Quad | pyoxigraph.Triple"]:
    return pyoxigraph.parse(content, format=syntax, base_iri=_BASE, lenient=lenient)


def _load(triples: Iterable["pyoxigraph.Quad | pyoxigraph.Triple"]) -> Graph:
    graph = Graph()
    for triple in triples:
        graph.add(triple)
    return graph


def _issue(e: Exception, content: bytes, name: str, syntax: RdfFormat) -> Issue:
    line = getattr(e, "lineno", None)
    if line is None and syntax == RdfFormat.RDF_XML:
        line = _xml_line(content)
    return Issue("bad_record", f"{name}:{line}" if line else name, syntax.name, str(e))


def _xml_line(content: bytes) -> int | None:
    """Return the line where a document stops being XML; the RDF/XML parser does not say."""
    try:
        expat.ParserCreate().Parse(content, True)
    except expat.ExpatError as e:
        return e.lineno
    return None
