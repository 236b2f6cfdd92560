"""Generates questions with gold answers from a corpus (DESIGN section 7), or loads them.

Three templates: *T-REL* asks for the targets of one relation, *T-TAX* for the parents of a class,
*T-COMMON* for a concept that two classes share above them. One seeded generator draws for all
domains, in order, so a question set is a function of corpus, settings and seed.
"""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import ConfigError, CopyCeilingError, listing
from copyceiling.matching import Text, Title, match
from copyceiling.retrieval import RetrievalIndex

GoldType = Literal["all", "any"]
TEMPLATES = ("T-REL", "T-TAX", "T-COMMON")


@dataclass(frozen=True, slots=True)
class GoldItem:
    """One target that the corpus asserts as (part of) the answer."""

    slug: str
    title: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answer.

    Attributes:
        id: ``q0001`` and on, in order of generation.
        key: What is asked, stable across wordings (``rel:<slug>:<type>``).
        domain: Domain of the subject; the cluster of the clustered intervals.
        template: One of `TEMPLATES`.
        class_slugs: The subject, or the two subjects of T-COMMON.
        prompt: What the model is asked.
        retrieval_text: What retrieval sees; the prompt unless the study sets it apart.
        gold: Items that answer the question; at least one.
        gold_type: ``all`` items are asked for, or ``any`` one of them suffices.
        gold_extra: Further correct items, scored apart.
    """

    id: str
    key: str
    domain: str
    template: str
    class_slugs: tuple[str, ...]
    prompt: str
    retrieval_text: str
    gold: tuple[GoldItem, ...]
    gold_type: GoldType
    gold_extra: tuple[GoldItem, ...] = field(default=())


class QuestionGenerator:
    """Draws the questions of one corpus.

    Args:
        classes: The corpus, in corpus order.
        settings: A study's ``questions`` section (see the config schema).
    """

    def __init__(self, classes: Sequence[OntologyClass], settings: Mapping[str, Any]) -> None:
        self._classes = {c.slug: c for c in classes}
        self._order = list(classes)
        self._set = settings
        self._wording: Mapping[str, Any] = settings["wording"]
        self._never = frozenset(settings["drop_gold"])
        unknown = sorted(self._never - self._classes.keys())
        if unknown:
            raise ConfigError(
                f"questions.drop_gold names {', '.join(unknown)}: no class of the corpus. "
                "Name classes by slug."
            )

    def eligible(self) -> dict[str, list[OntologyClass]]:
        """Return the classes that questions may be about, by domain in alphabetical order."""
        found: dict[str, list[OntologyClass]] = {}
        for c in self._order:
            if c.domain and self._is_eligible(c):
                found.setdefault(c.domain, []).append(c)
        least = self._set["min_domain_classes"]
        return {d: found[d] for d in sorted(found) if len(found[d]) >= least}

    def generate(self, seed: int) -> list[Question]:
        """Return the questions that this seed draws, numbered in order."""
        rng = random.Random(seed)
        questions: list[Question] = []
        for domain, classes in self.eligible().items():
            indices = range(len(classes))
            n = min(self._set["classes_per_domain"], len(classes))
            sample = [classes[i] for i in sorted(rng.sample(indices, n))]
            for c in sample:
                questions.extend(self._relation_questions(c, domain))
                questions.extend(self._parent_questions(c, domain))
            questions.extend(self._common_questions(sample, domain, rng))
        return [replace(q, id=f"q{i:04d}") for i, q in enumerate(questions, 1)]

    def _is_eligible(self, c: OntologyClass) -> bool:
        quality = self._set["missing_quality"] if c.quality is None else c.quality
        return bool(
            quality >= self._set["min_quality"]
            and len(c.relations) >= self._set["min_relation_types"]
            and len(c.definition) >= self._set["min_definition_chars"]
        )

    def _relation_questions(self, c: OntologyClass, domain: str) -> Iterator[Question]:
        counted = []
        for name, wording in self._wording["relations"].items():
            prompt = wording.format(title=c.title)
            gold = self._gold(c.relations.get(name, ()), prompt)
            if self._set["min_targets"] <= len(gold) <= self._set["max_targets"]:
                counted.append((-len(gold), name, prompt, gold))
        for _, name, prompt, gold in sorted(counted)[: self._set["relations_per_class"]]:
            yield self._question(f"rel:{c.slug}:{name}", domain, "T-REL", [c], prompt, gold, "all")

    def _parent_questions(self, c: OntologyClass, domain: str) -> Iterator[Question]:
        prompt = self._wording["parents"].format(title=c.title)
        gold = self._gold(c.parents, prompt)
        if gold:
            parents = {item.slug for item in gold}
            above = [slug for slug in c.ancestors if slug not in parents]
            extra = self._gold(above, prompt)[: self._set["extra_ancestors"]]
            q = self._question(f"tax:{c.slug}", domain, "T-TAX", [c], prompt, gold, "all")
            yield replace(q, gold_extra=tuple(extra))

    def _common_questions(
        self, sample: Sequence[OntologyClass], domain: str, rng: random.Random
    ) -> Iterator[Question]:
        pairs = []
        for i, j in combinations(range(len(sample)), 2):
            a, b = sample[i], sample[j]
            prompt = self._wording["common"].format(title=a.title, other=b.title)
            shared = sorted(set(a.ancestors) & set(b.ancestors))
            gold = self._gold(shared, prompt)
            if gold:
                pairs.append((i, j, prompt, gold))
        n = min(self._set["common_pairs"], len(pairs))
        for k in sorted(rng.sample(range(len(pairs)), n)):
            i, j, prompt, gold = pairs[k]
            key = f"common:{sample[i].slug}+{sample[j].slug}"
            gold = gold[: self._set["common_targets"]]
            subjects = [sample[i], sample[j]]
            yield self._question(key, domain, "T-COMMON", subjects, prompt, gold, "any")

    def _gold(self, slugs: Iterable[str], prompt: str) -> list[GoldItem]:
        """Return the in-corpus targets that may be gold; the settings leave some out."""
        items = [
            GoldItem(slug, self._classes[slug].title)
            for slug in dict.fromkeys(slugs)
            if slug in self._classes and slug not in self._never
        ]
        if not self._set["drop_gold_in_question"]:
            return items
        text = Text.of(prompt)
        return [item for item in items if not match(Title.of(item.title), text).paper]

    def _question(
        self,
        key: str,
        domain: str,
        template: str,
        subjects: Sequence[OntologyClass],
        prompt: str,
        gold: Sequence[GoldItem],
        gold_type: GoldType,
    ) -> Question:
        titles = self._set["retrieval"] == "titles"
        return Question(
            id="",
            key=key,
            domain=domain,
            template=template,
            class_slugs=tuple(c.slug for c in subjects),
            prompt=prompt,
            retrieval_text="; ".join(c.title for c in subjects) if titles else prompt,
            gold=tuple(gold),
            gold_type=gold_type,
        )


def wording_seeds(index: RetrievalIndex, wording: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return, for each template wording without its subject, the classes that retrieval finds.

    A wording that names a class takes a seed slot on every question (DESIGN section 7), so a
    study's own wording should find none.
    """
    texts = {f"relations.{k}": v for k, v in wording["relations"].items()}
    texts |= {"parents": wording["parents"], "common": wording["common"]}
    blank = {name: text.format(title="", other="") for name, text in texts.items()}
    found = {name: [s.slug for s in index.seeds(text)] for name, text in blank.items()}
    return {name: slugs for name, slugs in found.items() if slugs}


def check_wording(index: RetrievalIndex, wording: Mapping[str, Any]) -> None:
    """Refuse a wording that names a class of the corpus.

    Raises:
        ConfigError: Lists each such wording with the classes that it finds.
    """
    found = wording_seeds(index, wording)
    if found:
        faults = [f"questions.wording.{name} retrieves {', '.join(s)}" for name, s in found.items()]
        raise ConfigError(
            f"question wording names classes of the corpus:\n{listing(faults)}\n"
            "Reword it, or accept it with questions: allow_wording_seeds: true."
        )


def load_questions(path: Path, slugs: Iterable[str] | None = None) -> list[Question]:
    """Load a released question file (JSONL; STUDIES section 0 shows a row).

    Args:
        path: The file.
        slugs: Classes of the corpus; if given, every subject must be one of them.

    Raises:
        CopyCeilingError: Lists every bad row by line and field, duplicate ids, and subjects that
            are no class of the corpus.
    """
    known = None if slugs is None else set(slugs)
    questions: dict[str, Question] = {}
    faults: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}:{number}"
        try:
            q = _from_row(json.loads(line))
        except (ValueError, KeyError, TypeError) as e:
            faults.append(f"{where}: {type(e).__name__}: {e}")
            continue
        if q.id in questions:
            faults.append(f"{where}: field 'id': '{q.id}' stands twice")
        if not q.gold:
            faults.append(f"{where}: field 'gold': question {q.id} has no gold item")
        if known is not None:
            faults.extend(
                f"{where}: field 'class_slugs': question {q.id}: '{s}' is not a class of the corpus"
                for s in q.class_slugs
                if s not in known
            )
        questions[q.id] = q
    if faults:
        raise CopyCeilingError(
            f"question file '{path}' has {len(faults)} fault(s):\n{listing(faults)}\n"
            "Mend the rows, or rebuild the questions from the corpus by leaving out questions.file."
        )
    return list(questions.values())


def _from_row(row: Mapping[str, Any]) -> Question:
    if row["gold_type"] not in ("all", "any"):
        raise ValueError(f"field 'gold_type': '{row['gold_type']}' is neither all nor any")
    return Question(
        id=str(row["id"]),
        key=str(row["key"]),
        domain=str(row["domain"]),
        template=str(row["template"]),
        class_slugs=tuple(row["class_slugs"]),
        prompt=str(row["prompt"]),
        retrieval_text=str(row.get("retrieval_text") or row["prompt"]),
        gold=tuple(GoldItem(g["slug"], g["title"]) for g in row["gold"]),
        gold_type=row["gold_type"],
        gold_extra=tuple(GoldItem(g["slug"], g["title"]) for g in row.get("gold_extra", ())),
    )
