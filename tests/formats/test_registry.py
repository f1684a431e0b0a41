import gzip
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError, UserError
from annotator.formats import registry
from annotator.formats.declaration import PARTS
from annotator.formats.registry import FORMATS, format_named, hits_in, joined, qrels_in, read_each, sniff
from annotator.formats.table_columns import ROLES, is_table
from tests.examples import examples


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1 Q0 d 1 2.5 t\n", "trec-run"),
        ("1\tQ0\td\t1\t2.5\tt\n", "trec-run"),
        ("1 Q0 d 1 nan t\n", "trec-run"),
        ("1 0 d 1\n", "trec-qrels"),
        ("1 0 d 1.5\n", "trec-qrels"),
        ("7\t0\t12\t1\n", "trec-qrels"),
        ("<top>\n<num> Number: 3\n", "trec-topics"),
        ('{"_id": "1", "text": "x"}\n', "beir"),
        ("query-id\tcorpus-id\tscore\n", "beir"),
        ("12\twhat is it\n", "msmarco"),
        ("12\t34\t1\n", "msmarco"),
        ("12\t34\twhat is it\tit is that\n", "msmarco"),
        ('{"version": "1.1", "data": [{"title": "T", "paragraphs": []}]}', "squad"),
        ('{"q1": "an answer"}', "squad-predictions"),
        ('{"q1": [{"text": "an answer", "probability": 0.5}]}', "squad-predictions"),
        ('{"q1": {"d1": 1, "d2": 0}}', "dict-json"),
        ('{\n "q1": {\n  "d1": -0.25}}', "dict-json"),
        ('[{"id": 1, "data": {"query": "x"}, "annotations": []}]', "label-studio"),
        ("query,docid,rating\nx,1,3\n", "quepid"),
        ("query,docid,Ann,Ben\nx,1,3,2\n", "quepid"),
        ("query_id,document_id,grade\n1,d,3\n", "csv"),
        ("question;prediction;rank\nx;y;1\n", "csv"),
        ('{"query_id": "1", "query": "x"}\n', "jsonl"),
        ('{"text": "Document 0 of 0 in all"}\n' * 2, None),
        ("1 Q0 d 1 0.5 tag\n1 Q0 e 2 0.5 tag\n2 Q0 d 1 1 tag\n", "trec-run"),
        ("1 Q0 d 1 0.5 tag\n1 Q0 d 1 0.5 tag\n", "trec-run"),
        ("1 Q0 d 0 1 tag\n1 Q0 e 0 1 tag\n", "trec-run"),
        ("1 Q0 d 3 1 tag\n1 Q0 e 3 1 tag\n1 Q0 f 0 1 tag\n", None),
        ("hello\n", None),
        ("", None),
        ("a,b,c\n1,2,3\n", None),
    ],
)
def test_a_file_is_recognised_by_its_content(tmp_path: Path, text: str, key: str | None) -> None:
    (tmp_path / "file").write_text(text)
    found = sniff(tmp_path / "file")
    assert (found.key if found else None) == key


@settings(max_examples=examples(100, 3_000))
@example(["query", "document_id", "system", "rank"], [["oak", "d1", "a", "1"], ["oak", "d2", "a", "2"]])
@example(["query", "document_id", "system", "rank", "price", "stock"], [["oak", "d1", "a", "1", "2.5", "7"]])
@example(["qid", "docid", "grade"], [["1", "7", "1"], ["2", "8", "0"]])
@given(
    header=st.lists(st.sampled_from([*ROLES, "id", "qid", "price", "url"]), min_size=3, unique=True),
    rows=st.lists(
        st.lists(
            st.sampled_from(["0", "1", "17", "0.5", "Q0", "oak", "two words", ""]), min_size=30, max_size=30
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_a_table_between_tabs_is_known_by_its_header_whatever_numbers_stand_below(
    tmp_path_factory: pytest.TempPathFactory, header: list[str], rows: list[list[str]]
) -> None:
    if not is_table(header):
        return
    path = tmp_path_factory.getbasetemp() / "table.tsv"
    path.write_text("".join("\t".join(row[: len(header)]) + "\n" for row in (header, *rows)))
    found = sniff(path)
    assert found is not None
    assert found.key == "csv"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("query,rank\nh\xe9,1\n".encode("utf-16"), "is text in UTF-16; save it in UTF-8"),
        ("query,rank\n".encode("utf-16-be"), "is text in UTF-16; save it in UTF-8"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "is a workbook of old Excel .*save it as .xlsx"),
        (bytes(64), "is no text; give a text file in UTF-8"),
    ],
)
def test_what_is_no_text_in_utf_8_is_told_what_it_is(tmp_path: Path, written: bytes, said: str) -> None:
    (tmp_path / "t.txt").write_bytes(written)
    (tmp_path / "t.txt.gz").write_bytes(gzip.compress(written))
    for name in ("t.txt", "t.txt.gz"):
        with pytest.raises(InputError, match=said):
            read_each([tmp_path / name])


def test_every_format_is_found_by_its_module_and_complete() -> None:
    modules = {path.stem for path in Path(registry.__file__).parent.glob("*.py")}
    assert {"beir", "squad", "csv_table"} <= modules
    for key, form in FORMATS.items():
        assert form.key == key
        assert form.title
        assert form.holds <= set(PARTS)
        assert all(one.startswith(".") for one in form.extensions)
        assert form.reader.__doc__
        assert form.writer.__doc__


def test_the_formats_that_are_promised_are_there() -> None:
    promised = {"trec-run", "trec-qrels", "trec-topics", "beir", "msmarco", "squad", "squad-predictions"}
    assert promised | {"quepid", "label-studio", "dict-json", "csv", "jsonl"} <= FORMATS.keys()


def test_several_files_become_one_dataset(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"_id": "1", "text": "x"}\n')
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "text": "body"}\n')
    (tmp_path / "q").write_text("1 0 d 1\n")
    (tmp_path / "more").write_text("1 0 e 2\n3 0 d 0\n")
    (tmp_path / "r").write_text("1 Q0 d 1 2 t\n")
    read = read_each([tmp_path / name for name in ("a.jsonl", "corpus.jsonl", "q", "more", "r")])
    assert [one.key for one, _ in read] == ["beir", "beir", "trec-qrels", "trec-qrels", "trec-run"]
    dataset = joined(read)
    assert [one.id for one in dataset.queries] == ["1"]
    assert [one.text for one in dataset.documents] == ["body"]
    assert [one.text for one in dataset.documents] == ["body"], "documents can be read again"
    table = dataset.judgments
    assert table is not None
    pairs = [
        (table.query_ids[q], table.candidate_ids[c])
        for q, c in zip(table.query, table.candidate, strict=True)
    ]
    assert list(zip(pairs, table.grade.tolist(), strict=True)) == [
        (("1", "d"), 1),
        (("1", "e"), 2),
        (("3", "d"), 0),
    ]
    assert dataset.runs[0].system == "t"


def test_two_files_that_judge_the_same_pair_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("1 0 d 1\n")
    with pytest.raises(UserError, match="both judge 'd' for query '1'"):
        joined(read_each([tmp_path / "a", tmp_path / "b"]))


def test_the_problems_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1 0 d 1\n1 0 d\n")
    (tmp_path / "b").write_text("1 Q0 d 1 2 t\n1 Q0 e 2 x t\n")
    (tmp_path / "c").write_text("what is this\n")
    with pytest.raises(InputError) as caught:
        read_each([tmp_path / name for name in "abc"])
    places = [(Path(one.file).name, one.line) for one in caught.value.problems]
    assert places == [("a", 2), ("b", 2), ("c", None)]


def test_a_format_can_be_named_instead(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1 0 d 1\n")
    with pytest.raises(InputError):
        read_each([tmp_path / "file"], "squad")
    with pytest.raises(UserError, match="trec-qrels"):
        format_named("nonsense")


def test_a_file_that_is_not_there_is_told_plainly(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_each([tmp_path / "nothing"])


def test_qrels_and_runs_of_any_format_are_evaluated_alike(tmp_path: Path) -> None:
    (tmp_path / "qrels.trec").write_text("1 0 a 1\n1 0 b 0\n2 0 a 2\n")
    (tmp_path / "qrels.json").write_text('{"1": {"a": 1, "b": 0}, "2": {"a": 2}}')
    (tmp_path / "run.trec").write_text("1 Q0 b 1 2 t\n1 Q0 a 1 2 t\n1 Q0 c 1 9 t\n3 Q0 a 1 1 t\n")
    (tmp_path / "run.json").write_text('{"1": {"b": 2.0, "a": 2, "c": 9}, "3": {"a": 1}}')
    found = set()
    for judged in ("qrels.trec", "qrels.json"):
        qrels = qrels_in(tmp_path / judged)
        for run in ("run.trec", "run.json"):
            (hits,) = hits_in(tmp_path / run, qrels)
            ids = [qrels.query_ids[code] for code in hits.query]
            rows = tuple(zip(ids, hits.rank.tolist(), hits.grade.tolist(), strict=True))
            found.add((rows, tuple(hits.retrieved.tolist()), tuple(hits.tied.tolist()), hits.unjudged))
    assert found == {((("1", 2, 0), ("1", 3, 1)), (3, 0), (2, 0), ("3",))}


def test_a_file_of_the_wrong_kind_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "q").write_text('{"_id": "1", "text": "x"}\n')
    with pytest.raises(UserError, match="holds no judgments"):
        qrels_in(tmp_path / "q")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    with pytest.raises(UserError, match="holds no ranking"):
        hits_in(tmp_path / "q", qrels_in(tmp_path / "qrels"))


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ('{"is it: so?": {"https://example.org/a": 1.5}}', "dict-json"),
        ('{ "a \\" : b" : {\n"answer:0123456789abcdef": -2}}', "dict-json"),
        ('{"urn:q:1": "Thor: the god"}', "squad-predictions"),
        ('{"urn:q:1": [{"text": "Thor", "probability": 1}]}', "squad-predictions"),
    ],
)
def test_ids_may_hold_what_json_is_made_of(tmp_path: Path, content: str, key: str) -> None:
    (tmp_path / "one.json").write_text(content, "utf-8")
    found = sniff(tmp_path / "one.json")
    assert found is not None
    assert found.key == key
    found.read(tmp_path / "one.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("PK\x03\x04\0\0", "is no text"),
        ("Dear Ann,\nall well?\n", "no format known here"),
        ("Dear Ann\n\nI hope, as ever, all is well.\n\nYours as ever, Bob\n", r"known are argilla.*xlsx$"),
        ("A letter\n\nI hope all is well.\n\n\nIt is here\n", r"known are argilla.*xlsx$"),
        ('{"a": {"b": [1, 2 3]}}', r"looks most like JSON, but:\n.*letter.txt:1:19: is not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"query": "oak",\n "rank": 1}]', "is a JSON list of rows; write each object in a line of its own"),
        ("sep=;\nquery;document_id\n", "letter.txt:1: 'sep=;' is a word for Excel alone; remove this line"),
    ],
)
def test_a_file_that_is_nothing_known_is_told_so(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "letter.txt").write_text(content, "utf-8")
    with pytest.raises(InputError, match=said):
        read_each([tmp_path / "letter.txt"])


def test_a_small_file_that_is_mostly_wrong_is_told_what_it_looks_like_and_where_it_breaks(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mara.txt"
    path.write_text("q1 1 d1 3\nq1 1 d2 three\nq1 1 d3\nq1 1 the fourth 1\n", "utf-8")
    with pytest.raises(InputError, match="looks most like TREC qrels") as caught:
        read_each([path])
    assert [(one.line, one.column) for one in caught.value.problems] == [
        (None, None),
        (2, 9),
        (3, None),
        (4, None),
    ]


def test_a_folder_in_no_format_is_told_to_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q Q0 d 1 1 s\n")
    (problem,) = registry.unknown(tmp_path)
    assert problem.message == "is a folder, but not of BEIR or MS MARCO; give the files in it"
