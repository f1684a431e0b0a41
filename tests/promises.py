"""What Annotator promises, and the tests that hold it; `./dev reference` writes the help's page from it.

A test is named by its file, and by how its name begins where the file holds others too.
"""

import ast
from pathlib import Path

HERE = Path(__file__).parent

PROMISES: dict[str, tuple[str, ...]] = {
    "No grade is lost when the program is killed.": ("faults/test_killed_while_grading",),
    "No acknowledged grade is lost when the power fails.": ("faults/test_power_cut",),
    "A killed or cancelled import, or a full disk, leaves the project as it was; a killed export the old "
    "file or the new.": (
        "faults/test_interrupted_steps an_import_that_is_killed",
        "faults/test_interrupted_steps an_export_that_is_killed",
        "faults/test_interrupted_steps a_full_disk",
        "storage/content/test_bulk a_cancelled_import",
    ),
    "A project of an earlier version is backed up, then brought up to date in one transaction; one of a "
    "newer version is refused and unchanged.": (
        "storage/file/test_upgrade a_file_of_an_earlier",
        "storage/file/test_upgrade an_upgrade_that_goes_wrong",
        "storage/file/test_upgrade a_file_of_a_newer",
    ),
    "Every project says how its file is read, so that the grades and their proof can be had without this "
    "program.": (
        "storage/test_format every_project_says",
        "storage/test_format its_queries",
        "storage/test_format its_program",
    ),
    "A project that was changed behind the program's back, or damaged, opens for reading only and says so "
    "all the time; no score, report, export or dump is made of it, in the window, on the command line or "
    "in Python, and recovering lists what is lost before it writes. A file is proved when it is opened, "
    "unless it is the one that was proved last, by size and times; the window shows a large one at once, "
    "and checks it before it stores the first grade or shows the first score. Beside the work it checks "
    "every file again.": (
        "faults/test_damaged_files",
        "storage/file/test_proof",
        "desktop/safety/test_damaged",
        "desktop/safety/test_large_file",
        "commands/test_projects recovering_lists_what_is_lost",
        "project/test_background_check what_another_process_finds",
    ),
    "Taking an import back restores everything that was there before it.": (
        "storage/content/test_withdrawal taking_back_an_import",
    ),
    "Importing again what is there changes no grade; in a merge it never beats what somebody changed "
    "since, and it still stands once the first import is taken back.": ("project/test_repeated_imports",),
    "Merging drops nothing, and neither the order nor repeating it matters.": ("storage/care/test_merger",),
    "A backup is never made of a damaged project, and the last good one stays.": (
        "storage/file/test_file_copies a_damaged_project_is_not",
    ),
    "What the program keeps can be read by its user alone, a copy of a project by those who may read the "
    "project; `annotator forget` removes what is kept of one. [What lies where](data.md).": (
        "commands/test_private_files no_file_is_open",
        "commands/test_private_files forgetting",
    ),
    "Two programs, also of two users of a computer, never write to one project at the same time; where a "
    "folder takes no locks, that is said.": (
        "faults/test_two_programs",
        "faults/test_two_users",
        "storage/file/test_access where_no_lock_can_be_had",
    ),
    "A damaged, foreign or hostile file is refused with a reason, and nothing is run from it.": (
        "faults/test_hostile_files",
    ),
    "A file that cannot be taken is refused as a whole, with the line and column.": (
        "faults/test_malformed_imports what_is_wrong",
        "faults/test_malformed_imports a_project_is_what_it_was",
    ),
    "Texts of documents cannot run anything in reports and spreadsheets.": ("faults/test_injection",),
    "Nothing is fetched from, or sent to, a network unless you share a project, and a shared folder opens "
    "none; the log holds no text of a project.": (
        "journeys/test_without_network",
        "journeys/test_log",
    ),
    "One key grades, stores and moves on.": (
        "journeys/test_grading two_hundred",
        "desktop/grade/test_grading_loop pressing_a_digit",
    ),
    "Every other promise of the grading loop is listed with its test.": ("test_promises_of_grading",),
    "An event that was changed, moved or removed shows, unless all hashes after it were computed anew; "
    "such a forgery, and a session that was left out, show only against a head that was kept elsewhere "
    "(`annotator check --contains HEAD`), and every report and file of scores bears one, as does the file "
    "beside a table or an export of data that a command or the window writes. Figures bear none, nor do "
    "tables that a notebook writes with other libraries.": (
        "commands/test_written_tables",
        "storage/care/test_integrity",
        "storage/ledger/test_heads",
    ),
    "What is exported reads back the same.": ("formats/test_round_trips",),
    "A project as text comes back byte for byte.": ("project/test_text_twin",),
    "Measures equal trec_eval, ir_measures, ranx and scikit-learn where their conventions are the same.": (
        "metrics/test_peers",
    ),
    "Every measure keeps its range, its ideal and its stated results for empty queries.": (
        "metrics/test_every_measure",
    ),
    "The parts of a score, its ideal, its bounds and the range of ties equal brute force under any "
    "parameters.": ("metrics/test_claims",),
    "The worked examples of five tutorials come out, and their errors are listed.": (
        "metrics/test_worked_examples",
    ),
    "Scores that are computed in parts, by processes or a Dask cluster, are those of one process to the "
    "last bit; a finished part is kept, and proved before it is used.": ("project/test_parts",),
    "A comparison with a limited risk, by `P`, `CG`, `DCG` or `RBP` in blocks, is wrong no more often "
    "than its limit, for any grades and any model, looked at after every block.": (
        "evaluation/test_audit",
        "evaluation/test_audit_simulated",
    ),
    "A comparison has one p wherever it is shown, beside its test, correction and number of comparisons.": (
        "desktop/compare/test_one_comparison",
    ),
    "Semantic scores are those of the published formulas, and nothing is downloaded unasked.": (
        "semantics/test_answer_scores the_bi_encoder",
        "semantics/test_answer_scores bert_score",
        "semantics/test_hub without_agreement",
    ),
    "Names of Python, commands and options, columns, keys, measures, formats and the file's tables stay; "
    "what is added breaks nothing.": ("test_stable_names",),
    "Packages know only what they may know.": ("test_architecture",),
    "The help names every measure, format, command and key, as the program declares them.": (
        "test_documented",
    ),
}


def file_of(test: str) -> Path:
    """Return the file in which a test stands that is named as above."""
    return HERE / f"{test.partition(' ')[0]}.py"


def functions_of(test: str) -> list[str]:
    """Return the tests that are named so and run: a function that is always skipped is none."""
    beginning = f"test_{test.partition(' ')[2]}"
    body = ast.parse(file_of(test).read_text("utf-8")).body
    tests = [one for one in body if isinstance(one, ast.FunctionDef) and one.name.startswith(beginning)]
    return [
        one.name
        for one in tests
        if not any("mark.skip(" in f"{ast.unparse(by)}(" for by in one.decorator_list)
    ]
