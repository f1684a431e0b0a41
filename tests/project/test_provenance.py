"""Whose grades count is said with every result, and how they became one only where several people graded."""

import tempfile
from pathlib import Path
from typing import get_args

from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.evaluation.grade_combination import RULE_NAMES, SENTENCES
from annotator.project import adjudication, browse, judging
from annotator.project.data_import import plan_import, run_import
from annotator.project.project import Project
from annotator.tasks import CombiningRule

PEOPLE = ("Ann", "Bo", "Cy")
RUN = "".join(f"q Q0 d{at} {at} {9 - at} one\n" for at in range(3))


@settings(max_examples=4)
@example({"Ann": [3, 1]}, "max", [], None)
@example({"Ann": [3], "Bo": [None, 2]}, "median", [2], None)
@example({"Ann": [3], "Bo": [3]}, "min", [1], "Bo")
@given(
    given_grades=st.dictionaries(
        st.sampled_from(PEOPLE), st.lists(st.none() | st.integers(0, 5), max_size=3), min_size=1
    ),
    rule=st.sampled_from(get_args(CombiningRule)),
    settled=st.lists(st.integers(0, 2), unique=True, max_size=2),
    alone=st.none() | st.sampled_from(PEOPLE),
)
def test_several_annotators_are_combined_only_where_several_graded(
    given_grades: dict[str, list[int | None]], rule: CombiningRule, settled: list[int], alone: str | None
) -> None:
    graded = sorted(name for name, grades in given_grades.items() if any(one is not None for one in grades))
    alone = alone if alone in graded else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.annot"
        (Path(folder) / "one.run").write_text(RUN)
        with Project.create(path, "Ducks", annotator="Lead") as project:
            run_import(project, plan_import(project, [Path(folder) / "one.run"]))
            keys = [one.key for one in browse.query(project, 1).candidates]
            for at in settled:
                adjudication.adjudicate(project, 1, keys[at], 2)
        for name, grades in given_grades.items():
            with Project.open(path, name) as project:
                for key, grade in zip(keys, grades, strict=False):
                    if grade is not None:
                        judging.set_grade(project, 1, key, grade)
        if not graded and not settled:
            return
        known = api.evaluate(path, measures=["AP"], combine=rule, annotator=alone).result.provenance
        names = [alone] if alone else graded
        assert known.combining == (SENTENCES[rule] if len(names) > 1 else "")
        words = ["-m", "AP", "--combine", rule, *(("--annotator", alone) if alone else ())]
        told = CliRunner().invoke(app, ["report", str(path), "-o", f"{folder}/r.md", *words])
        assert told.exit_code == 0, told.output
        texts = [
            (Path(folder) / "r.md").read_text("utf-8").replace("\\", ""),
            CliRunner().invoke(app, ["evaluate", str(path), *words]).output,
        ]
        for text in texts:
            assert (f"combined by the {RULE_NAMES[rule]}" in text) == (len(names) > 1)
            assert ("of one annotator, " in text) == (len(names) == 1)
            many = 0 if alone else len(settled)
            assert ("as settled" in text) == (many > 0)
