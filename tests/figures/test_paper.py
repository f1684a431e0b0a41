"""Figures for a paper: as wide as a column, in small letters, without Type 3 fonts, nothing cut off."""

import dataclasses
import re
import struct
import zlib
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from matplotlib.text import Text

from annotator.evaluation.options import Width
from annotator.figures.catalogue import FIGURES, FigureKind
from annotator.figures.paper import ENDINGS, figure_file, on_paper
from annotator.figures.subject import Subject

KINDS = list(FIGURES.values())
Asked = Callable[[FigureKind], Subject]

kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
WIDTHS: list[tuple[Width, float]] = [("one", 3.3), ("two", 7.0)]
widths = pytest.mark.parametrize(("width", "inches"), WIDTHS)


def unpacked(pdf: bytes) -> bytes:
    """Return a PDF with its packed streams opened."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    opened = [pdf]
    for one in streams:
        try:
            opened.append(zlib.decompressobj().decompress(one))
        except zlib.error:
            continue
    return b"\n".join(opened)


@kinds
def test_a_pdf_is_as_wide_as_the_column_in_letters_of_7_to_8_points_without_type_3(
    kind: FigureKind, asked: Asked
) -> None:
    width, inches = WIDTHS[KINDS.index(kind) % 2]  # the letters of both are looked at below
    pdf = figure_file(partial(kind.draw, asked(kind)), "pdf", width)
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert float(box[0]) == pytest.approx(72 * inches, abs=0.01)
    text = unpacked(pdf)
    assert b"/Type3" not in text
    assert b"/FontFile2" in text, "TrueType, inside the file"
    sizes = {float(one) for one in re.findall(rb"/F\d+ ([\d.]+) Tf", text)}
    assert sizes
    assert min(sizes) >= 7
    assert max(sizes) <= 8
    assert b"/CreationDate" not in text


@pytest.mark.parametrize("key", ["distribution", "confusion"])
@widths
def test_a_png_has_300_dots_per_inch_and_an_svg_keeps_its_text(
    key: str, subject: Subject, width: Width, inches: float
) -> None:
    kind = FIGURES[key]
    png = figure_file(partial(kind.draw, subject), "png", width)
    assert struct.unpack(">I", png[16:20])[0] == pytest.approx(300 * inches, abs=1)
    dots = struct.unpack(">IIB", png[png.index(b"pHYs") + 4 :][:9])
    assert dots == (11811, 11811, 1), "300 on an inch, told for a metre"
    svg = figure_file(partial(kind.draw, subject), "svg", width).decode("utf-8")
    assert "<text" in svg
    assert "<dc:date>" not in svg


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_figure_is_the_same_file(subject: Subject, ending: str) -> None:
    draw = partial(FIGURES["intervals"].draw, subject)
    assert figure_file(draw, ending) == figure_file(draw, ending)


@kinds
@widths
def test_no_text_is_cut_off_or_of_another_size_however_long_the_names_are(
    kind: FigureKind, asked: Asked, width: Width, inches: float
) -> None:
    subject = asked(kind)
    names = tuple(f"{name} {'x' * 60}" for name in ("alpha", "beta & co", "<gamma>"))
    result = dataclasses.replace(subject.evaluated, systems=names)
    more = subject.more and dataclasses.replace(subject.more, systems=names)
    counts = dict(zip(names, subject.grade_counts.values(), strict=False))
    drifts = dict.fromkeys(names, subject.drifts["ann"])
    figure = on_paper(
        partial(
            kind.draw,
            dataclasses.replace(
                subject, result=result, more=more, pair=names[:2], grade_counts=counts, drifts=drifts
            ),
        ),
        width,
    )
    figure.draw_without_rendering()
    box = figure.get_tightbbox()
    assert box.x0 >= -0.01
    assert box.y0 >= -0.01
    assert box.x1 <= inches + 0.01
    assert box.y1 <= figure.get_size_inches()[1] + 0.01
    sizes = {one.get_fontsize() for one in figure.findobj(Text) if one.get_visible() and one.get_text()}
    assert sizes
    assert min(sizes) >= 7
    assert max(sizes) <= 8


def test_more_names_than_a_line_holds_stand_below_each_other(subject: Subject) -> None:
    names = tuple(f"a system with a long name {at}" for at in range(6))
    result = dataclasses.replace(
        subject.evaluated,
        systems=names,
        scores=np.repeat(subject.evaluated.scores[:1], 6, axis=0),
        counted=np.ones((6, 60), bool),
    )
    told = dataclasses.replace(subject, result=result)
    for width in ("one", "two"):
        figure = on_paper(partial(FIGURES["ecdf"].draw, told), width)
        figure.draw_without_rendering()
        (legend,) = figure.legends
        assert [one.get_text() for one in legend.get_texts()] == list(names)
        assert legend.get_window_extent().width <= figure.bbox.width
