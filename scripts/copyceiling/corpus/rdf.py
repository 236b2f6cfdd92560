"""OWL, SKOS and plain RDFS vocabularies, in any RDF syntax.

What counts as what:

- class: ``owl:Class``, ``rdfs:Class`` or ``skos:Concept`` with an IRI, not ``owl:deprecated`` and
  not ``schema:supersededBy`` another;
- title: ``skos:prefLabel`` or ``rdfs:label``, else the IRI's local part in words;
- definition: the first of `_DEFINITIONS` that is there;
- parents: named ``rdfs:subClassOf``, the named parts of an intersection that the class equals or
  lies below, ``skos:broader`` and the inverse of ``skos:narrower``;
- relations: ``owl:someValuesFrom`` a named class; ``sh:class`` of a SHACL property shape, also
  one of several; any property from one class straight to
  another; domain to range of a property (see `_property_relations`).

English comes before no language before any other; ties go by order of text, lists by order of
IRI, so the result does not depend on the order of triples.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from copyceiling.corpus.build import local_part
from copyceiling.corpus.model import Issue, RawClass
from copyceiling.corpus.rdf_graph import Graph, parse_rdf
from copyceiling.text import words

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
_SCHEMA = ("http://schema.org/", "https://schema.org/")
# Of these vocabularies a reference is part of the language, not of the ontology.
_LANGUAGE = (_RDF, _RDFS, _OWL, _SKOS, _XSD)

# Its own links describe shapes of data, not concepts.
_SHACL = "http://www.w3.org/ns/shacl#"
_SUPERSEDED = tuple(schema + "supersededBy" for schema in _SCHEMA)

_CLASS_TYPES = {_OWL + "Class", _RDFS + "Class", _SKOS + "Concept"}
_TITLES = (_SKOS + "prefLabel", "http://www.w3.org/2008/05/skos-xl#prefLabel", _RDFS + "label")
_DEFINITIONS = (
    _SKOS + "definition",
    "http://purl.obolibrary.org/obo/IAO_0000115",
    _RDFS + "comment",
    "http://purl.org/dc/terms/description",
    "http://purl.org/dc/elements/1.1/description",
    *(schema + "description" for schema in _SCHEMA),
    _SKOS + "scopeNote",
)
_SYNONYMS = (
    _SKOS + "altLabel",
    "http://www.w3.org/2008/05/skos-xl#altLabel",
    _OBO_IN_OWL + "hasExactSynonym",
    _OBO_IN_OWL + "hasRelatedSynonym",
)
# Links between classes that are hierarchy, mapping or book-keeping, not something to ask for.
_NO_RELATION = {
    *(_RDF + n for n in ("type", "first", "rest")),
    *(_RDFS + n for n in ("subClassOf", "seeAlso", "isDefinedBy", "domain", "range")),
    *(_OWL + n for n in ("equivalentClass", "disjointWith", "sameAs", "complementOf")),
    *(_OWL + n for n in ("unionOf", "intersectionOf", "differentFrom", "annotatedSource")),
    *(_SKOS + n for n in ("broader", "narrower", "broaderTransitive", "narrowerTransitive")),
    *(_SKOS + n for n in ("exactMatch", "closeMatch", "broadMatch", "narrowMatch")),
    *(_SKOS + n for n in ("relatedMatch", "mappingRelation", "semanticRelation")),
    *(_SKOS + n for n in ("inScheme", "topConceptOf", "hasTopConcept", "member")),
    *(s + n for s in _SCHEMA for n in ("domainIncludes", "rangeIncludes", "supersededBy")),
    *("http://purl.org/dc/terms/" + n for n in ("replaces", "isReplacedBy", "source")),
    "http://purl.obolibrary.org/obo/IAO_0100001",
}
_FOREIGN = 3  # rank of a language that is neither English nor none
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z])")


def read_rdf(content: bytes, name: str) -> tuple[list[RawClass], list[Issue]]:
    """Return the live classes of an RDF document by IRI, and the faults met.

    Args:
        content: The document's bytes, UTF-8.
        name: File name for messages; its suffix says which syntax (``.gz`` aside).
    """
    graph, issues = parse_rdf(content, name)
    return _Interpreter(graph, name).classes(), issues


def in_words(identifier: str) -> str:
    """Return a name made for machines in words: ``AirHandler_Unit`` as ``Air Handler Unit``.

    Abbreviations stay whole (``mRNA``, ``pH``, ``HVACSystem`` as ``HVAC System``).
    """
    return " ".join(_CAMEL.sub(" ", identifier.replace("_", " ")).split())


def _is_english(language: str) -> bool:
    return language == "en" or language.startswith("en-")


def _language_rank(language: str) -> int:
    if not language:
        return 2
    return (0 if language == "en" else 1) if _is_english(language) else _FOREIGN


class _Interpreter:
    """Reads classes off a graph; see the module's docstring."""

    def __init__(self, graph: Graph, name: str) -> None:
        self._graph = graph
        self._name = name
        self._iris = [s for s in graph.subjects() if self._is_class(s)]
        self._known = frozenset(self._iris)
        self._parents: dict[str, set[str]] = defaultdict(set)
        self._relations: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    def classes(self) -> list[RawClass]:
        for iri in self._iris:
            self._read_hierarchy(iri)
            self._read_direct(iri)
            self._read_shapes(iri)
        for subject, predicate, target in self._property_relations():
            self._relate(subject, predicate, target)
        return [self._raw_class(iri) for iri in self._iris]

    def _is_class(self, subject: str) -> bool:
        if subject.startswith(_LANGUAGE[:3]) or subject.startswith(_XSD):
            return False
        if not self._graph.links(subject, _RDF + "type") & _CLASS_TYPES:
            return False
        return not self._is_retired(subject)

    def _is_retired(self, subject: str) -> bool:
        flags = self._graph.words(subject, _OWL + "deprecated")
        deprecated = any(flag.text.strip().lower() in ("true", "1") for flag in flags)
        return deprecated or bool(self._graph.links(subject, *_SUPERSEDED))

    def _raw_class(self, iri: str) -> RawClass:
        synonyms = {
            " ".join(w.text.split())
            for predicate in _SYNONYMS
            for w in self._graph.words(iri, predicate)
            if not w.language or _is_english(w.language)
        }
        found = self._relations[iri]
        return RawClass(
            id=iri,
            title=self._title(iri),
            where=f"{self._name} [{iri}]",
            definition=self._best(iri, _DEFINITIONS),
            domain=self._scheme(iri),
            synonyms=sorted(synonyms),
            parents=sorted(self._parents[iri]),
            relations={name: sorted(found[name]) for name in sorted(found)},
        )

    def _best(self, subject: str, predicates: tuple[str, ...]) -> str:
        """Return the preferred text of the first predicate, English or untagged before others."""
        ranked: list[tuple[bool, int, int, str, str]] = []
        for order, predicate in enumerate(predicates):
            for w in self._graph.words(subject, predicate):
                text = " ".join(w.text.split())
                if text:
                    rank = _language_rank(w.language)
                    ranked.append((rank == _FOREIGN, order, rank, w.language, text))
        return min(ranked)[-1] if ranked else ""

    def _title(self, iri: str) -> str:
        label, local = self._best(iri, _TITLES), local_part(iri.rstrip("/#"))
        # A vocabulary for machines repeats its identifier as label: people read it in words.
        return in_words(local) if not label or label == local else label

    def _scheme(self, iri: str) -> str | None:
        schemes = self._graph.links(iri, _SKOS + "inScheme", _SKOS + "topConceptOf")
        return self._title(min(schemes)) if schemes else None

    def _read_hierarchy(self, iri: str) -> None:
        graph = self._graph
        for node in graph.links(iri, _RDFS + "subClassOf"):
            self._assert_below(iri, node)
        for node in graph.links(iri, _OWL + "equivalentClass"):
            # A named equivalent is no parent: each would be above the other.
            if node.startswith("_:"):
                self._assert_below(iri, node)
        for head in graph.links(iri, _OWL + "intersectionOf"):
            for part in graph.members(head):
                self._assert_below(iri, part)
        for node in graph.links(iri, _SKOS + "broader"):
            self._add_parent(iri, node)
        for node in graph.links(iri, _SKOS + "narrower"):
            if node in self._known:
                self._add_parent(node, iri)

    def _assert_below(self, iri: str, node: str) -> None:
        """Read what holds of every instance of a class: a parent, a restriction, or several."""
        if not node.startswith("_:"):
            self._add_parent(iri, node)
            return
        graph = self._graph
        for predicate in graph.links(node, _OWL + "onProperty"):
            for target in graph.links(node, _OWL + "someValuesFrom"):
                self._relate(iri, predicate, target)
        for head in graph.links(node, _OWL + "intersectionOf"):
            for part in graph.members(head):
                if part != node:
                    self._assert_below(iri, part)

    def _add_parent(self, iri: str, node: str) -> None:
        if not node.startswith("_:") and (node in self._known or not node.startswith(_LANGUAGE)):
            self._parents[iri].add(node)

    def _relate(self, iri: str, predicate: str, target: str) -> None:
        if target.startswith("_:") or predicate.startswith("_:"):
            return
        if target in self._known or not target.startswith(_LANGUAGE):
            self._relations[iri][self._relation_name(predicate)].add(target)

    def _relation_name(self, predicate: str) -> str:
        label = self._best(predicate, _TITLES)
        return "_".join(words(in_words(label)) or words(in_words(local_part(predicate))))

    def _read_direct(self, iri: str) -> None:
        for predicate in self._graph.predicates(iri):
            if predicate in _NO_RELATION or predicate.startswith(_SHACL):
                continue
            for target in self._graph.links(iri, predicate):
                if target in self._known:
                    self._relate(iri, predicate, target)

    def _read_shapes(self, iri: str) -> None:
        """Read SHACL property shapes on a class, which some vocabularies use for restrictions."""
        graph = self._graph
        for shape in graph.links(iri, _SHACL + "property"):
            targets = graph.links(shape, _SHACL + "class")
            for head in graph.links(shape, _SHACL + "or"):
                for option in graph.members(head):
                    targets |= graph.links(option, _SHACL + "class")
            for path in graph.links(shape, _SHACL + "path"):
                for target in targets & self._known:
                    self._relate(iri, path, target)

    def _property_relations(self) -> Iterator[tuple[str, str, str]]:
        """Yield (class, property, class) of properties that state what they connect.

        ``schema:domainIncludes`` always; ``rdfs:domain`` only where classes have no relations of
        their own, for a domain says less than a restriction and must not be mixed with it.
        """
        pairs = [((s + "domainIncludes",), (s + "rangeIncludes",)) for s in _SCHEMA]
        if not any(self._relations.values()):
            pairs.append(((_RDFS + "domain",), (_RDFS + "range",)))
        for subject in self._graph.subjects():
            if self._is_retired(subject):
                continue
            for domain, range_ in pairs:
                owners = self._graph.links(subject, *domain) & self._known
                targets = self._graph.links(subject, *range_) if owners else ()
                for owner in owners:
                    for target in targets:
                        yield owner, subject, target
