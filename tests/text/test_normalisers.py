import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.text.normalisers import NORMALISERS, SENTENCES, compared, compared_all, tokens
from annotator.text.stems import stem
from tests.metrics import squad_scripts as peer

TEXTS = st.text(alphabet=st.sampled_from("aAtThHeE nN.-_'’´`$%1,3\t\u3000\u00a0éß東京。«"), max_size=25)


@pytest.mark.parametrize(
    ("text", "squad", "triviaqa", "none", "unicode"),
    [
        ("U.S.", "us", "u s", "U.S.", "u.s"),
        ("New-York", "newyork", "new york", "New-York", "new-york"),
        ("1,000", "1000", "1 000", "1,000", "1,000"),
        ("3.14", "314", "3 14", "3.14", "3.14"),
        ("The  Infinity Gauntlet!", "infinity gauntlet", "infinity gauntlet", None, "the infinity gauntlet"),
        ("cafe\u0301", "cafe\u0301", "cafe\u0301", "cafe\u0301", "café"),
        ("「東京」", "「東京」", "「東京」", "「東京」", "東京"),
        ("snake_case", "snakecase", "snake case", "snake_case", "snake_case"),
        ("it’s", "it’s", "it s", "it’s", "it’s"),
        ("Straße", "straße", "straße", "Straße", "strasse"),
        (".5 – 50%", "5 – 50", "5 – 50", ".5 – 50%", ".5 50"),
        ("a an the", "", "", "a an the", "a an the"),
        ("Theatre", "theatre", "theatre", "Theatre", "theatre"),
    ],
)
def test_the_normalisers_disagree_where_they_are_known_to(text, squad, triviaqa, none, unicode):
    assert compared(text, "squad1") == compared(text, "squad2") == squad
    assert compared(text, "triviaqa") == triviaqa
    assert compared(text, "none") == (text if none is None else none)
    assert compared(text, "unicode") == unicode


@pytest.mark.parametrize(
    ("normaliser", "text", "expected"),
    [
        # what the official script of MLQA makes of them
        ("mlqa-de", "Der Zug nach Köln.", "zug nach köln"),
        ("mlqa-de", "die Straße des „Königs“", "straße königs"),
        ("mlqa-de", "Eintracht Frankfurt", "eintracht frankfurt"),
        ("mlqa-es", "¿La Casa de las Flores?", "casa de flores"),
        ("mlqa-es", "Unamuno", "unamuno"),
        ("mlqa-ar", "القاهرة، مصر", "قاهرة مصر"),
        ("mlqa-ar", "مقال", "مق"),  # not an article: the script drops the letters all the same
        ("mlqa-vi", "cái bàn của tôi", "bàn tôi"),
        ("mlqa-hi", "दिल्ली।", "दिल्ली"),
        ("mlqa-en", "The “Big” Apple", "big apple"),
        ("mlqa-zh", "北京大学，1898年", "北 京 大 学 1898 年"),
        ("mlqa-zh", "東京タワー", "東 京 タワー"),  # MLQA parts ideographs alone
        # ours
        ("characters", "東京タワー", "東 京 タ ワ ー"),
        ("characters", "「千代田区」の iPhone15！", "千 代 田 区 の iphone15"),
        ("characters", "ﾊﾞﾅﾅ・人々", "バ ナ ナ 人 々"),
        ("characters", "𠮷野家", "𠮷 野 家"),
        ("characters", "서울 시", "서울 시"),
        ("characters", "3.14, U.S.", "3.14 u.s"),
    ],
)
def test_articles_and_scripts_of_other_languages(normaliser, text, expected):
    assert compared(text, normaliser) == expected


LANGUAGES = sorted(peer.MLQA_ARTICLES)
PIECES = (
    *("Der", "die", "eines", "La", "UNOS", "el", "cái", "là", "the", "ال", "القا", "北京大", "タワー", "年"),
    *("¿Qué?", "«x»", "$3.50", "‘’", "।", "、。", "İ", "ẞ", "\n"),
)
FOREIGN = st.lists(st.sampled_from(PIECES), max_size=6)


@settings(max_examples=200, deadline=None)
@given(st.one_of(FOREIGN.map(" ".join), FOREIGN.map("".join), st.text(max_size=10)))
def test_every_language_is_normalised_as_the_script_of_mlqa_does(text):
    for language in LANGUAGES:
        assert compared(text, f"mlqa-{language}") == peer.normalize_mlqa(text, language), language


def test_without_normaliser_white_space_tells_answers_apart_but_not_tokens():
    assert compared("New  York", "none") != compared("New York", "none")
    assert tokens("New  York", "none") == tokens("New York", "none")


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_normalising_twice_changes_nothing_more(text):
    for name in ("squad1", "none", "unicode", "characters", "mlqa-ar", "mlqa-de", "mlqa-zh"):
        once = compared(text, name)
        assert compared(once, name) == once


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(TEXTS, st.text(max_size=8)), max_size=6), st.sampled_from(sorted(NORMALISERS)))
def test_many_texts_at_once_come_out_as_each_alone(texts, normaliser):
    assert compared_all(texts, normaliser) == [compared(text, normaliser) for text in texts]


@pytest.mark.parametrize("texts", [[], ["x\0y", "z"], ["Σ", "ΟΔΟΣ", "\u0301a"]])
def test_nul_final_sigma_and_combining_marks_do_not_leak_between_texts(texts):
    for name in NORMALISERS:
        assert compared_all(texts, name) == [compared(text, name) for text in texts]


def test_stemming_reduces_tokens_and_what_is_compared():
    assert tokens("Retrieved answers", "squad1", "en") == ["retriev", "answer"]
    assert compared("running", "none", "en") == compared("runs", "none", "en") == "run"


def test_a_language_without_algorithm_keeps_its_words():
    assert stem("東京", "ja") == "東京"
    assert stem("häuser", "de") == "haus"


def test_an_unknown_normaliser_is_an_error():
    with pytest.raises(KeyError):
        tokens("x", "squad3")
    mlqa = {f"mlqa-{language}" for language in LANGUAGES}
    assert (
        set(NORMALISERS)
        == set(SENTENCES)
        == {"squad1", "squad2", "triviaqa", "none", "unicode", "characters", *mlqa}
    )
