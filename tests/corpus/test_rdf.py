"""OWL, SKOS and RDFS: exactly which classes, parents and relations are read, and the faults."""

import gzip
import random
from pathlib import Path

import pyoxigraph
import pytest
from copyceiling.corpus.model import RawClass
from copyceiling.corpus.rdf import in_words, read_rdf
from copyceiling.corpus.read import guess_format, read_corpus
from copyceiling.errors import CorpusError
from pyoxigraph import RdfFormat

EX = "http://example.org/bike#"

OWL = f"""<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY ex "{EX}">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:obo="http://purl.obolibrary.org/obo/"
  xmlns:oio="http://www.geneontology.org/formats/oboInOwl#" xml:base="{EX}">
  <owl:ObjectProperty rdf:about="&ex;P1"><rdfs:label>has Part</rdfs:label></owl:ObjectProperty>
  <owl:ObjectProperty rdf:about="&ex;madeOf"/>
  <owl:Class rdf:about="&ex;Vehicle">
    <rdfs:label xml:lang="de">Fahrzeug</rdfs:label>
    <rdfs:label xml:lang="en">Vehicle</rdfs:label>
    <rdfs:label xml:lang="en-GB">A vehicle</rdfs:label>
    <rdfs:subClassOf rdf:resource="http://www.w3.org/2002/07/owl#Thing"/>
    <rdfs:comment>Comes second.</rdfs:comment>
    <obo:IAO_0000115>Moves
       people.</obo:IAO_0000115>
  </owl:Class>
  <owl:Class rdf:about="&ex;Bicycle">
    <rdfs:label xml:lang="fr">Velo</rdfs:label>
    <oio:hasExactSynonym>push bike</oio:hasExactSynonym>
    <oio:hasExactSynonym xml:lang="fr">becane</oio:hasExactSynonym>
    <oio:hasRelatedSynonym xml:lang="en">bike</oio:hasRelatedSynonym>
    <rdfs:subClassOf rdf:resource="&ex;Vehicle"/>
    <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="&ex;P1"/>
      <owl:someValuesFrom rdf:resource="&ex;FrontWheel"/></owl:Restriction></rdfs:subClassOf>
    <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="&ex;P1"/>
      <owl:allValuesFrom rdf:resource="&ex;Vehicle"/></owl:Restriction></rdfs:subClassOf>
  </owl:Class>
  <owl:Class rdf:about="&ex;SteelBicycle">
    <owl:equivalentClass><owl:Class><owl:intersectionOf rdf:parseType="Collection">
      <rdf:Description rdf:about="&ex;Bicycle"/>
      <owl:Restriction><owl:onProperty rdf:resource="&ex;madeOf"/>
        <owl:someValuesFrom rdf:resource="&ex;Steel"/></owl:Restriction>
    </owl:intersectionOf></owl:Class></owl:equivalentClass>
  </owl:Class>
  <owl:Class rdf:about="&ex;FrontWheel"/>
  <owl:Class rdf:about="&ex;Steel"><rdfs:label>Steel</rdfs:label></owl:Class>
  <owl:Class rdf:about="&ex;Old"><owl:deprecated
    rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated></owl:Class>
  <owl:Class/>
</rdf:RDF>
"""

SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix x: <http://example.org/cheese/> .
x:scheme a skos:ConceptScheme ; skos:prefLabel "Cheeses"@en, "Fromages"@fr ;
  skos:hasTopConcept x:cheese .
x:cheese a skos:Concept ; skos:prefLabel "cheese"@en ; skos:inScheme x:scheme ;
  skos:narrower x:blue .
x:blue a skos:Concept ; skos:prefLabel "blau"@de, "blue cheese" ; skos:inScheme x:scheme ;
  skos:altLabel "veined cheese"@en ; skos:definition "Avec moisissure."@fr, "Has mould."@en ;
  skos:related x:mould ; x:eatenWith x:pear ; skos:exactMatch x:mould .
x:brie a skos:Concept ; skos:prefLabel "brie"@fr ; skos:broader x:cheese ; skos:inScheme x:scheme .
x:mould a skos:Concept ; skos:prefLabel "mould"@en .
x:pear a skos:Concept ; skos:prefLabel "pear"@en .
x:eatenWith <http://www.w3.org/2000/01/rdf-schema#label> "eaten with" .
"""

SCHEMA = """{"@context": {"schema": "https://schema.org/",
  "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}, "@graph": [
 {"@id": "schema:RockBand", "@type": "rdfs:Class", "rdfs:label": "RockBand",
  "rdfs:comment": "Plays loud.", "rdfs:subClassOf": {"@id": "schema:Group"}},
 {"@id": "schema:Group", "@type": "rdfs:Class", "rdfs:label": "Group"},
 {"@id": "schema:Song", "@type": "rdfs:Class", "rdfs:label": {"@language": "en", "@value": "Song"}},
 {"@id": "schema:Tape", "@type": "rdfs:Class", "schema:supersededBy": {"@id": "schema:Song"}},
 {"@id": "schema:leadTrack", "rdfs:label": "leadTrack",
  "schema:domainIncludes": [{"@id": "schema:RockBand"}, {"@id": "schema:Group"}],
  "schema:rangeIncludes": {"@id": "schema:Song"}},
 {"@id": "schema:tracks", "schema:supersededBy": {"@id": "schema:leadTrack"},
  "schema:domainIncludes": {"@id": "schema:Group"}, "schema:rangeIncludes": {"@id": "schema:Song"}}
]}"""

RDFS = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix x: <http://example.org/> .
x:Person a rdfs:Class . x:Town a rdfs:Class .
x:livesIn rdfs:domain x:Person ; rdfs:range x:Town .
x:age rdfs:domain x:Person ; rdfs:range xsd:integer .
"""


SHAPES = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix x: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
x:Fan a owl:Class , sh:NodeShape ; sh:property [ sh:path x:feeds ; sh:class x:Room ] ,
  [ sh:path x:has_point ; sh:or ( [ sh:class x:Sensor ] [ sh:class x:Alarm ] ) ] ,
  [ sh:path [ sh:inversePath x:feeds ] ; sh:class x:Room ] .
x:Room a owl:Class ; sh:targetClass x:Fan . x:Sensor a owl:Class . x:Alarm a owl:Class .
"""


def by_id(text: str, name: str) -> dict[str, RawClass]:
    classes, issues = read_rdf(text.encode(), name)
    assert issues == []
    return {c.id.replace(EX, "").rpartition("/")[2]: c for c in classes}


def test_owl_classes_parents_and_restrictions() -> None:
    found = by_id(OWL, "bike.owl")
    assert list(found) == ["Bicycle", "FrontWheel", "Steel", "SteelBicycle", "Vehicle"]
    assert [c.title for c in found.values()] == [
        "Velo", "Front Wheel", "Steel", "Steel Bicycle", "Vehicle",
    ]  # fmt: skip
    assert {n: list(c.parents) for n, c in found.items() if c.parents} == {
        "Bicycle": [EX + "Vehicle"],
        "SteelBicycle": [EX + "Bicycle"],
    }
    assert {n: dict(c.relations) for n, c in found.items() if c.relations} == {
        "Bicycle": {"has_part": [EX + "FrontWheel"]},
        "SteelBicycle": {"made_of": [EX + "Steel"]},
    }
    assert found["Vehicle"].definition == "Moves people."
    assert found["Bicycle"].synonyms == ["bike", "push bike"]
    assert found["Bicycle"].where == f"bike.owl [{EX}Bicycle]"


def test_skos_hierarchy_both_ways_schemes_and_languages() -> None:
    found = by_id(SKOS, "cheese.ttl")
    assert list(found) == ["blue", "brie", "cheese", "mould", "pear"]
    blue = found["blue"]
    assert (blue.title, blue.definition, blue.domain) == ("blue cheese", "Has mould.", "Cheeses")
    assert blue.synonyms == ["veined cheese"]
    assert [p.rpartition("/")[2] for p in blue.parents] == ["cheese"]
    assert [p.rpartition("/")[2] for p in found["brie"].parents] == ["cheese"]
    assert {n: [t.rpartition("/")[2] for t in ts] for n, ts in blue.relations.items()} == {
        "eaten_with": ["pear"],
        "related": ["mould"],
    }
    assert found["brie"].title == "brie" and found["mould"].domain is None


def test_schema_org_in_json_ld() -> None:
    found = by_id(SCHEMA, "band.jsonld")
    assert list(found) == ["Group", "RockBand", "Song"]
    assert found["RockBand"].title == "Rock Band"
    song = ["https://schema.org/Song"]
    assert found["RockBand"].relations == {"lead_track": song}
    assert found["Group"].relations == {"lead_track": song}
    assert found["RockBand"].parents == ["https://schema.org/Group"]


def test_plain_rdfs_takes_domain_and_range_only_without_restrictions() -> None:
    found = by_id(RDFS, "town.ttl")
    assert found["Person"].relations == {"lives_in": ["http://example.org/Town"]}
    assert found["Town"].relations == {}
    domain = f'<rdf:Description rdf:about="{EX}P1"><rdfs:domain rdf:resource="{EX}Steel"/>'
    domain += f'<rdfs:range rdf:resource="{EX}Vehicle"/></rdf:Description></rdf:RDF>'
    assert by_id(OWL.replace("</rdf:RDF>", domain), "bike.owl")["Steel"].relations == {}


def test_shacl_property_shapes() -> None:
    found = by_id(SHAPES, "fan.ttl")
    assert found["Fan"].relations == {
        "feeds": ["http://example.org/Room"],
        "has_point": ["http://example.org/Alarm", "http://example.org/Sensor"],
    }
    assert not found["Room"].relations


@pytest.mark.parametrize(
    ("text", "name"), [(OWL, "a.owl"), (SKOS, "a.ttl"), (SCHEMA, "a.jsonld"), (RDFS, "a.ttl")]
)
def test_neither_order_nor_syntax_nor_compression_matters(
    text: str, name: str, tmp_path: Path
) -> None:
    expected, _ = read_rdf(text.encode(), name)
    syntax = RdfFormat.from_extension({"owl": "rdf"}.get(name[2:], name[2:]))
    triples = [q.triple for q in pyoxigraph.parse(text.encode(), format=syntax, base_iri=EX)]
    for seed in range(5):
        random.Random(seed).shuffle(triples)
        shuffled = pyoxigraph.serialize(triples, format=RdfFormat.N_TRIPLES)
        found, issues = read_rdf(shuffled, name[:2] + "nt")
        assert issues == []
        assert [(*_facts(c),) for c in found] == [(*_facts(c),) for c in expected]
    file = tmp_path / f"{name}.gz"
    file.write_bytes(gzip.compress(text.encode()))
    settings = {"name": "t", "version": "1", "source": "", "licence": "", "policy": {}}
    settings |= {"format": guess_format(file), "path": str(file), "domains": "source"}
    corpus, generation = read_corpus(settings)
    assert generation.n_classes == len(expected) and corpus.issues == ()


def _facts(c: RawClass) -> list[object]:
    return [c.id, c.title, c.definition, c.domain, c.synonyms, c.parents, dict(c.relations)]


@pytest.mark.parametrize(
    ("content", "name", "kind", "where", "detail"),
    [
        (b"@prefix x: <http://x/> .\nx:a x:b ", "a.ttl", "bad_record", "a.ttl:2", "Unexpected end"),
        (b"<rdf:RDF\nxmlns:rdf='http://r/'>\n<a>", "a.rdf", "bad_record", "a.rdf:3", ""),
        (b'{"@graph": [\n{"@id": ', "a.jsonld", "bad_record", "a.jsonld:2", "Unexpected end"),
        (b"<x> <y>\n<z> \xff", "a.nt", "invalid_utf8", "a.nt:2", "invalid start byte"),
        (b"<?xml version='1.0'?><Ontology xmlns='o'/>", "a.owl", "bad_record", "a.owl", "OWL/XML"),
        (b"Prefix(:=<http://x/>)", "a.owl", "bad_record", "a.owl", "functional"),
    ],
)
def test_faults_name_file_and_line(
    content: bytes, name: str, kind: str, where: str, detail: str
) -> None:
    classes, (issue,) = read_rdf(content, name)
    assert classes == []
    assert (issue.kind, issue.where) == (kind, where)
    assert detail in issue.detail


def test_an_invalid_iri_is_reported_and_the_rest_is_read() -> None:
    text = SKOS + "<http://example.org/a b> a skos:Concept .\n"
    classes, (issue,) = read_rdf(text.encode(), "a.ttl")
    assert len(classes) == 6 and issue.kind == "bad_record" and "a.ttl:14" in issue.where


def test_a_target_that_is_no_class_is_dangling(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(SKOS.replace("skos:broader x:cheese", "skos:broader x:milk"), encoding="utf-8")
    settings = {"name": "t", "version": "1", "source": "", "licence": "", "policy": {}}
    settings |= {"format": "rdf", "path": str(file), "domains": "source"}
    with pytest.raises(CorpusError, match=r"a\.ttl \[.*/brie\].*/milk.*dangling_target"):
        read_corpus(settings)


def test_a_list_that_runs_in_a_circle_ends() -> None:
    text = OWL.replace(
        "</rdf:RDF>",
        '<owl:Class rdf:about="&ex;Loop"><owl:intersectionOf rdf:nodeID="l"/></owl:Class>'
        f'<rdf:Description rdf:nodeID="l"><rdf:first rdf:resource="{EX}Steel"/>'
        '<rdf:rest rdf:nodeID="l"/></rdf:Description></rdf:RDF>',
    )
    assert by_id(text, "a.owl")["Loop"].parents == [EX + "Steel"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AirHandler_Unit", "Air Handler Unit"),
        ("HVACSystem", "HVAC System"),
        ("mRNA", "mRNA"),
        ("pH", "pH"),
        ("CO2Sensor", "CO2 Sensor"),
        ("_", ""),
    ],
)
def test_names_for_machines_are_read_in_words(name: str, expected: str) -> None:
    assert in_words(name) == expected


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.obo.gz", "obo"), ("a.OWL", "rdf"), ("a.ttl.gz", "rdf"), ("a.jsonld", "rdf"),
        ("a.json", "index"), ("a.jsonl", "jsonl"), ("a.tar.xz", "markdown"),
    ],
)  # fmt: skip
def test_the_name_tells_the_format(name: str, form: str) -> None:
    assert guess_format(Path(name)) == form


def test_a_name_that_tells_no_format_says_the_way_out() -> None:
    with pytest.raises(CorpusError, match="--format"):
        guess_format(Path("ontology.doc"))
