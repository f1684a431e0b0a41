"""One score of a project as it is now, taken apart; and a project in another one's hands."""

from annotator.evaluation.options import Options
from annotator.metrics.answer_explanation import AnswerExplanation
from annotator.metrics.explanation import Explanation
from annotator.project import evidence as evidence_of
from annotator.project import explanations
from annotator.project.evidence import Evidence
from annotator.project.project import Project
from annotator.project.state import state_of


def by(project: Project, name: str) -> Project:
    """Return the project, whose annotator is now another one."""
    project.use_annotator(name)
    return project


def explain(
    project: Project, system: str, query: str, measure: str, options: Options = Options()
) -> Explanation:
    """Take one score apart, rank by rank."""
    options = options.of_measures(measure)
    return explanations.explain_in_project(state_of(project, options), options, system, query)


def explain_answer(
    project: Project, system: str, query: str, measure: str, options: Options = Options()
) -> AnswerExplanation:
    """Take one score of answers apart, wording by wording."""
    options = options.of_measures(measure)
    return explanations.explain_answer(state_of(project, options), options, system, query)


def evidence(project: Project, system: str, query: str, options: Options = Options()) -> Evidence:
    """Return what one score is made of."""
    return evidence_of.evidence(state_of(project, options), options, system, query)
