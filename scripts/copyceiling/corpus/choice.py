"""Chooses, of the settings that a survey measured, the one that a starter study takes."""

from copyceiling.corpus.survey import Setting, Survey
from copyceiling.errors import CorpusError

# What a starter study should reach before looser settings are tried.
_ENOUGH_QUESTIONS, _ENOUGH_DOMAINS, _ENOUGH_RELATIONS = 100, 5, 0.2
_SOME_QUESTIONS = 30  # below, classes without relations are asked about too
_PLENTY = 500  # above, more questions are no reason for looser settings
_NESTING_SHARE = 0.1  # of titles that another title names: gold in the question is left out


def choose(found: Survey) -> Setting:
    """Return the strictest setting of the grid that gives enough, else the one that gives most.

    Enough: 100 questions, 5 domains, a fifth about relations. Classes without a relation enter
    only where the others give fewer than 30 questions. Whether gold that the question
    names is left out follows from how far the titles nest, not from the count.

    Raises:
        CorpusError: No setting gives a question.
    """
    return _choice(found)[0]


def why_chosen(found: Survey) -> str:
    """Return by which rule `choose` took its setting, as a clause.

    Raises:
        CorpusError: No setting gives a question.
    """
    why = "many" if _drops_gold(found) else "few"
    drops = "true" if _drops_gold(found) else "false"
    return (
        f"{_choice(found)[1]}. drop_gold_in_question is {drops}, for {why} titles "
        f"({found.nesting_share:.0%}) are named by another title alone"
    )


def _drops_gold(found: Survey) -> bool:
    return found.nesting_share >= _NESTING_SHARE


def _choice(found: Survey) -> tuple[Setting, str]:
    drop = _drops_gold(found)
    rows = [s for s in found.grid if s.questions["drop_gold_in_question"] == drop and s.total]
    if not rows:
        raise CorpusError(
            f"corpus '{found.path}': no setting gives a question ({_why_none(found)})."
        )
    target = (
        f"{_ENOUGH_QUESTIONS} questions in {_ENOUGH_DOMAINS} domains, {_ENOUGH_RELATIONS:.0%} of "
        "them about relations"
    )
    enough = (
        s
        for s in rows
        if s.total >= _ENOUGH_QUESTIONS
        and s.n_domains >= _ENOUGH_DOMAINS
        and (s.relation_share or 0.0) >= _ENOUGH_RELATIONS
    )
    strictest = next(enough, None)
    if strictest:
        return strictest, f"the strictest that gives {target}"
    related = [s for s in rows if s.questions["min_relation_types"]]
    some = [s for s in related if s.total >= _SOME_QUESTIONS]
    # max keeps the first of equals, which is the strictest.
    most = max(some or rows, key=lambda s: min(s.total, _PLENTY))
    if some:
        rule = "of those that ask only about classes with relations, it gives most questions"
    else:
        rule = (
            f"classes with relations alone give no {_SOME_QUESTIONS}; of all settings it gives "
            "most questions"
        )
    return most, f"none gives {target}; {rule}"


def _why_none(found: Survey) -> str:
    classes = found.classes
    if not any(c.parents for c in classes) and not any(c.relations for c in classes):
        return "no class has a parent or a relation to another class of the corpus"
    corpora = found.corpora.values()
    if not any(c.domain for corpus in corpora for c in corpus.classes):
        return "no class has a domain: the source states none, and no branch lies below a root"
    return "too few classes in each domain, without relations, or every gold title in its question"
