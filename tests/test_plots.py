"""Pictures: nothing is cut off, nothing is said beside them, the same picture is the same file."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

import hushvote as hv
from hushvote import plots
from hushvote.errors import FileError, PictureWarning
from hushvote.messages import speaking
from hushvote.pages.figures import chart
from hushvote.plots import lines, pictures, scales

BOARD = "as the board has decided it, against two votes, on the last evening of November"
RULES = {"plain": "points", "long": BOARD, "wide": "W" * 80, "script": "規則" * 40}
NAMES = {
    "plain": ("Maximiliana Featherstonehaugh-XY", "Bob", "Cem"),
    "wide": ("W" * 40, "M" * 31, "@" * 64),
    "scripts": ("山田太郎" * 9, "🗳🎉 party", "ชื่อไทย 한국어 עברית"),
}


def counted(names, rule="custom", by="weighted-sampling", epsilon="0.01"):
    """A tally of 900 voters of one mind."""
    made = hv.mechanism(by, hv.Rule(rule, [5, 3, 0]), epsilon)
    votes = np.tile(np.arange(3), (900, 1))
    return made.tally(made.privatize(votes, rng=np.random.default_rng(1))).named(names)


@pytest.fixture
def drawn(monkeypatch):
    """The figures that would be written."""
    found = []
    monkeypatch.setattr(pictures, "save", lambda made, path: found.append(made))
    return found


def is_whole(made) -> bool:
    """Whether all that is drawn lies within the figure."""
    pictures.rendered(made, "png")
    with pictures.styled():
        box = made.get_tightbbox()
    width, height = made.get_size_inches()
    return box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height


@pytest.mark.filterwarnings("ignore::hushvote.errors.PictureWarning")
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_nothing_of_a_result_is_cut_off(drawn, tmp_path, names, rule):
    for by, level in (("weighted-sampling", 0.9999999), ("duel", 0.95)):
        result = counted(names, rule, by).result()
        plots.result(result.explain(level), result.rule, tmp_path / "r.png")
        made = drawn.pop()
        assert is_whole(made)
        said = " ".join(made.get_supxlabel().split())
        assert said.endswith("over 3 candidates, epsilon 0.01, 900 reports")


@pytest.mark.filterwarnings("ignore::hushvote.errors.PictureWarning")
def test_nothing_of_a_trade_off_is_cut_off(drawn, tmp_path):
    for rule in RULES.values():
        plots.trade_off(hv.design(hv.Rule(rule, [5, 3, 0]), "0.01"), tmp_path / "t.png")
        assert is_whole(drawn.pop())


def test_nothing_of_lines_is_cut_off():
    long = "laplace:digits=" + ",".join(["1000000"] * 12)
    line = lines.Line(long, (0.5, 1.0), (2.0, 1.0), (0.1, 0.1))
    for panels in (1, 2):
        assert is_whole(lines.draw("tve", [("W" * 80, [line])] * panels, BOARD * 2))


def test_a_level_close_to_one_is_not_called_all(drawn, tmp_path):
    result = counted(NAMES["plain"]).result()
    plots.result(result.explain(0.9999999), result.rule, tmp_path / "r.png")
    label = " ".join(drawn[0].axes[0].get_xlabel().split())
    said = "mean score of these voters, with intervals that hold together at more than 99.9999 %"
    assert label == said


def test_no_line_of_a_picture_ends_between_a_number_and_its_percent_sign():
    made = Figure(figsize=(2, 2))
    for inches in (0.6, 0.8, 1.0, 1.2):
        lines = pictures.wrapped(made, "in 95 % and 5 % and < 0.1 % of all", inches).split("\n")
        assert len(lines) > 1
        assert not [line for line in lines if line.startswith("%") or line.endswith("<")]


@pytest.mark.parametrize("suffix", plots.SUFFIXES)
def test_the_same_picture_is_the_same_file(run, tmp_path, suffix):
    (tmp_path / "t.json").write_text(counted(NAMES["plain"]).to_json(), encoding="utf-8")
    small = ("simulate", "-d", "3", "-n", "9", "--runs", "2", "-m", "laplace")
    for words in (("tally", "t.json"), ("design", "-d", "3"), small):
        files = [tmp_path / f"{words[0]}-{i}{suffix}" for i in range(2)]
        for file in files:
            code, _, err = run(*words, "--plot", file)
            assert (code, err) == (0, "")
        first, second = (file.read_bytes() for file in files)
        assert first == second


def test_a_picture_goes_to_a_path():
    result = counted(NAMES["plain"]).result()
    for draw in (result.plot, result.plot().save):
        with pytest.raises(FileError, match=r"to a path such as result\.png, not to 5"):
            draw(5)


def labels_of(axes) -> list:
    """The boxes of all notes beside the points of a picture."""
    return [text.get_window_extent() for text in axes.texts]


def test_points_on_each_other_share_a_label(drawn, tmp_path):
    plots.trade_off(hv.design(hv.borda(2), 1), tmp_path / "t.png")
    (axes,) = drawn[0].axes
    said = ", ".join(text.get_text() for text in axes.texts)
    assert sorted(said.split(", ")) == sorted(hv.mechanism_names())
    pictures.rendered(drawn[0], "png")
    boxes = labels_of(axes)
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


@pytest.fixture
def planned(drawn, monkeypatch):
    """Draws plans, on lines of few points, and returns the axes."""
    monkeypatch.setattr(plots, "STEPS", 4)

    def draw(rule, answer, epsilons=(1, 2, 3, 4, 5), numbers=(None,), lead=None):
        plans = [hv.plan(rule, e, lead, n) for e in epsilons for n in numbers]
        plots.plan(plans, [one.mechanism for one in plans], "p.png", answer)
        made = drawn.pop()
        assert is_whole(made)
        return made.axes[0]

    return draw


def beside(axes) -> list:
    """The notes beside points, from left to right."""
    found = [text for text in axes.texts if text.get_va() == "baseline" and text.get_ha() == "left"]
    return sorted(found, key=lambda text: text.xy)


def lies_on_lines(axes, text) -> bool:
    """Whether a line or a dot goes through what is black of a text."""
    box = text.get_window_extent()
    box = [[box.x0, box.y0 + 0.25 * box.height], [box.x1, box.y1]]  # without room for descenders
    for line in axes.lines:
        corners = line.get_transform().transform(line.get_xydata())
        far = np.linspace(0, len(corners) - 1, 5000)
        along = np.column_stack([np.interp(far, range(len(corners)), x) for x in corners.T])
        if ((along > box[0]) & (along < box[1])).all(axis=1).any():
            return True
    return False


def test_a_plan_says_the_voters_at_every_point_if_the_lead_is_given(planned):
    axes = planned(hv.borda(5), "n", lead=0.5)
    found = [text.get_text() for text in beside(axes)]
    assert found == ["344", "540", "947", "2,584", "9,839"]
    assert not any(lies_on_lines(axes, text) for text in axes.texts)
    with speaking("de"):
        axes = planned(hv.borda(5), "n", (1,), lead=0.5)
    assert [text.get_text() for text in beside(axes)] == ["9\u202f839"]


def test_a_plan_says_the_lead_at_every_point_with_two_digits(planned):
    axes = planned(hv.borda(5), "lead", (3, 4, 5), (100, 300, 1000))
    found = [text.get_text() for text in beside(axes)]
    assert sorted(found) == ["0.30", "0.37", "0.49", "0.54", "0.67", "0.89", "0.91", "1.2", "1.6"]
    assert "epsilon 4" in [text.get_text() for text in axes.texts]


def test_a_plan_says_the_epsilon_at_every_point_if_all_else_is_given(planned):
    axes = planned(hv.borda(5), "epsilon", (None,), (300, 1000), 0.5)
    assert [text.get_text() for text in beside(axes)] == ["epsilon 5.2", "epsilon 3"]
    assert len(axes.texts) == 3  # and the largest lead; no line is named twice


@pytest.mark.parametrize(
    ("rule", "answer", "how"),
    [
        (hv.borda(2), "lead", {"numbers": (300, 1000, 10_000)}),
        (hv.plurality(10), "lead", {"numbers": (300, 3000)}),
        (hv.approval(6, k=2), "n", {"lead": 0.1}),
        (hv.borda(5), "lead", {"numbers": (1000, 10_000, 100_000, 10**6)}),  # has no room for all
    ],
)
def test_no_label_of_a_plan_lies_on_a_line_or_on_another(planned, rule, answer, how):
    axes = planned(rule, answer, **how)
    labels = beside(axes)
    assert not any(lies_on_lines(axes, text) for text in labels)
    boxes = labels_of(axes)
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    missing = 5 * len(how.get("numbers", (1,))) - len(labels)
    assert bool(missing) == axes.figure.get_supxlabel().startswith("Where lines are so close")


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("A" * 40 + "x", "A" * 40 + "y", "B"), ("A" * 15 + "…" + "A" * 15 + "x")),
        (("A" * 32 + "x" + "A" * 20, "A" * 32 + "y" + "A" * 20, "B"), "A" * 32 + "x" + "A" * 20),
        (("山" * 20 + "x", "山" * 20 + "y", "B"), "山" * 7 + "…" + "山" * 7 + "x"),
        (("A" * 40, "B", "C"), "A" * 31 + "…"),
    ],
)
@pytest.mark.filterwarnings("ignore::hushvote.errors.PictureWarning")
def test_long_names_stay_different(names, shown):
    result = counted(names).result()
    (axes,) = result.plot().figure.axes
    labels = ["".join(label.get_text().split()) for label in axes.get_yticklabels()]
    assert shown in labels
    assert len(set(labels)) == 3


def test_marks_stand_on_their_epsilon_but_for_a_few_points():
    names = hv.mechanism_names()
    for epsilons in ((0.5, 1.0, 2.0), (0.1, 1.0, 10.0), (1.0,)):
        means = tuple(1.0 for _ in epsilons)
        every = [lines.Line(name, epsilons, means, means) for name in names]
        made = lines.draw("tve", [("", every)], "")
        pictures.rendered(made, "png")
        (axes,) = made.axes
        low, high = axes.get_xlim()
        assert low < epsilons[0]
        assert epsilons[-1] < high
        for one in axes.containers:
            line = one[0]
            assert tuple(line.get_xdata()) == epsilons
            drawn_at = line.get_transform().transform(line.get_xydata())
            right = axes.transData.transform(line.get_xydata())
            assert abs(drawn_at - right).max() <= len(names) * made.dpi / 72


def test_a_picture_of_another_kind_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"as .png or .svg or .pdf, not as x.gif"):
        plots.trade_off(hv.design(hv.borda(3)), tmp_path / "x.gif")


# --- the range that there can be --------------------------------------------------------------


def drawn_of(scores, error, names=("Ada", "Ben", "Cem"), **how):
    """The axes of a result with these scores and standard errors."""
    errors = hv.Uncertainty.sampled(error**2 * np.eye(3))
    result = hv.Result(hv.borda(3), 100, np.array(scores), errors, names)
    return plots.result(result.explain(**how), result.rule).figure.axes[0]


def test_a_result_is_drawn_on_all_possible_scores_and_named_in_a_sentence():
    axes = drawn_of([1.9, 1.0, 0.1], 0.01)
    assert axes.get_xlim() == (0, 2)
    first, *_, last = (text.get_text() for text in axes.get_xticklabels())
    assert (first, last) == ("0.0\nlast on every ballot", "2.0\nfirst on every ballot")
    assert axes.figure.get_suptitle() == "Ada has won."
    assert "cut off" not in axes.figure.get_supxlabel()
    assert drawn_of([1.2, 1.1, 0.7], 0.2).figure.get_suptitle() == "Nobody has surely won."
    open_ = drawn_of([1.9, 1.0, 0.1], 0.01, closed=False)
    assert open_.figure.get_suptitle() == "Still open: Ada leads so far."
    assert drawn_of([1.9, 1.0, 0.1], 0.01, seats=1).figure.get_suptitle() == "Elected: Ada."


ENDS = [
    (hv.borda(4), "last on every ballot", "first on every ballot"),
    (hv.plurality(2), "last on every ballot", "first on every ballot"),
    (hv.plurality(4), "first on no ballot", "first on every ballot"),
    (hv.approval(5, k=2), "among the first 2 on no ballot", "among the first 2 on every ballot"),
    (hv.approval(4, k=3), "last on every ballot", "last on no ballot"),
    (hv.antiplurality(4), "last on every ballot", "last on no ballot"),
    (
        hv.Rule("mine", [3, 3, 1, 0, 0]),
        "among the last 2 on every ballot",
        "among the first 2 on every ballot",
    ),
    (hv.Rule("mine", [2, 1, 0, 0, 0]), "among the last 3 on every ballot", "first on every ballot"),
]


@pytest.mark.parametrize(("rule", "low", "high"), ENDS)
def test_the_ends_of_a_range_say_which_ballots_bring_a_candidate_there(rule, low, high):
    errors = hv.Uncertainty.sampled(0.01 * np.eye(rule.d))
    result = hv.Result(rule, 100, rule.vector.copy(), errors)
    axes = plots.result(result.explain(), rule).figure.axes[0]
    first, *_, last = (" ".join(x.get_text().split()[1:]) for x in axes.get_xticklabels())
    assert (first, last) == (low, high)
    page = "".join(map(str, chart(SimpleNamespace(mechanism=result), result.explain().data)))
    assert f"<span>{rule.scores[-1]}: {low}</span><span>{rule.scores[0]}: {high}</span>" in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_ends_of_a_range_stand_apart_below_it(language):
    rule = hv.approval(24, k=11)
    errors = hv.Uncertainty.sampled(0.01 * np.eye(rule.d))
    names = tuple(f"{'W' * 30} {j}" for j in range(rule.d))
    with speaking(language):
        made = plots.result(hv.Result(rule, 9, rule.vector.copy(), errors, names).explain(), rule)
    assert is_whole(made.figure)
    first, *_, last = (x.get_window_extent() for x in made.figure.axes[0].get_xticklabels())
    assert first.x1 + 10 < last.x0


def test_places_are_drawn_when_a_poll_is_closed_and_not_before():
    texts = [text.get_text() for text in drawn_of([1.9, 1.0, 0.1], 0.01).texts]
    assert "place 2" in texts
    texts = [text.get_text() for text in drawn_of([1.9, 1.0, 0.1], 0.01, closed=False).texts]
    assert sorted(texts) == ["0.10", "1.00", "1.90"]


def test_a_picture_speaks_the_language_of_the_moment():
    with speaking("de"):
        axes = drawn_of([1.9, 1.0, 0.1], 0.01)
    assert axes.figure.get_suptitle() == "Ada hat gewonnen."
    assert axes.get_xticklabels()[1].get_text().strip() == "0,5"


def test_nothing_is_drawn_where_no_score_can_be():
    axes = drawn_of([2.6, 1.0, -0.6], 0.2)
    marks = [line for line in axes.lines if line.get_marker() != "None"]
    assert [line.get_marker() for line in marks] == ["<", "o", ">"]
    for line in axes.lines:
        assert min(line.get_xdata()) >= 0
        assert max(line.get_xdata()) <= 2
    assert "What lies beyond the possible scores is cut off" in axes.figure.get_supxlabel()


@pytest.mark.parametrize("metric", ["aow", "tve", "low"])
def test_no_bar_reaches_where_nothing_can_be(metric):
    means = (0.02 if metric == "tve" else 0, 0.5, 1)
    line = lines.Line("duel", (0.1, 0.5, 1.0), means, (0.03, 0.02, 0.03))
    (bars,) = lines.draw(metric, [("", [line])], "").axes[0].containers
    (few, half, all_) = (sorted(segment[:, 1]) for segment in bars[2][0].get_segments())
    assert few[0] == pytest.approx(0, abs=0.02)
    assert few[0] >= 0
    assert few[1] == pytest.approx(means[0] + 0.06)
    assert half == pytest.approx([0.46, 0.54])
    assert all_ == pytest.approx([0.94, 1 if metric == "aow" else 1.06])


@pytest.mark.parametrize(
    ("most", "labels"),
    [
        (0.3, ["0", "0.005", "0.02", "0.05", "0.1", "0.2"]),
        (9.0, ["0", "0.1", "0.5", "1", "2", "5"]),
    ],
)
def test_small_losses_and_none_can_be_told_apart(most, labels):
    line = lines.Line("duel", (0.1, 0.5, 1.0), (most, most / 50, 0.0), (most / 99, 0.01, 0.0))
    axes = lines.draw("low", [("", [line])], "").axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == labels
    heights = axes.transData.transform([(0.1, 0), (0.1, most / 50), (0.1, most)])[:, 1]
    assert 0.1 < (heights[1] - heights[0]) / (heights[2] - heights[0]) < 0.2


# --- numbers and letters ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "first", "last"),
    [
        (1.4, 1.9, "1.4", "1.8"),
        (0.04, 3, "0.05", "2"),
        (0.9, 1100, "1", "1,000"),
        (0.02, 40_000, "0.1", "10,000"),
        (0.5, 4e7, "10⁰", "10⁷"),
        (2e-5, 0.4, "10⁻⁴", "10⁻¹"),
    ],
)
def test_all_numbers_of_an_axis_are_written_in_one_way(low, high, first, last):
    with pictures.figure(None) as axes:
        scales.logarithmic(axes, "y", low, high)
        labels = [text.get_text() for text in axes.get_yticklabels()]
    assert (labels[0], labels[-1]) == (first, last)
    powers = [label.startswith("10") and not label.isascii() for label in labels]
    assert len(set(powers)) == 1
    assert 2 <= len(labels) <= 10


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 3, "0 1 2 3"),
        (0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"),
        (1 / 3, 1, "0.333 0.600 0.800 1.000"),
        (0, 31, "0 5 10 15 20 25 31"),
        (-5, 10**12, "-5 1,000,000,000,000"),
    ],
)
def test_a_range_has_its_ends_and_round_numbers_between(low, high, labels):
    with pictures.figure(None) as axes:
        scales.linear(axes, low, high)
        assert [text.get_text() for text in axes.get_xticklabels()] == labels.split()


def test_panels_have_one_scale_and_the_legend_lies_outside():
    few, many = (lines.Line("duel", (0.1, 1.0), (size, size), (0, 0)) for size in (0.1, 9000))
    made = lines.draw("tve", [("few", [few]), ("many", [many])], "")
    left, right = made.axes
    assert left.get_ylim() == right.get_ylim()
    (legend,) = made.legends
    assert not any(legend.get_window_extent().overlaps(axes.bbox) for axes in made.axes)


@pytest.fixture
def fonts(monkeypatch):
    """Lets these fonts be the only ones beside the first."""
    for kept in (pictures._families, pictures._letters):
        monkeypatch.setattr(pictures, kept.__name__, kept.__wrapped__)

    def installed(*names):
        monkeypatch.setattr(pictures, "FURTHER", names)

    return installed


def test_letters_that_no_font_has_are_said_in_one_sentence(run, tmp_path, fonts):
    fonts()
    tally = counted(NAMES["scripts"])
    with pytest.warns(PictureWarning) as found:
        tally.result().plot()
    (warning,) = found
    sentence = "No font on this computer has (.*), so the picture shows boxes there; install .*"
    named = re.split(", | or ", re.fullmatch(sentence, str(warning.message))[1])
    assert len(named) == 4
    for name in named:
        assert name.rstrip("…") in "".join(NAMES["scripts"])
    assert warning.filename == __file__
    (tmp_path / "t.json").write_text(tally.to_json(), encoding="utf-8")
    code, out, err = run("tally", "t.json", "--plot", "r.png", "--json")
    assert (code, err) == (0, f"{warning.message}\n")
    assert json.loads(out)["n"] == 900
    assert (tmp_path / "r.png").is_file()


def test_names_that_no_font_has_are_told_apart(fonts):
    fonts()
    with pytest.warns(PictureWarning, match="has 王小明, สมชาย or 田中, so"):
        drawn_of([0.1, 1.0, 1.9], 0.01, ("王小明", "สมชาย", "田中 (Tokyo)"))


def test_an_installed_font_is_asked_for_letters_that_the_first_one_lacks(fonts):
    from matplotlib.font_manager import FontProperties, findfont, get_font

    first, other = (
        set(get_font(findfont(FontProperties(family=name))).get_charmap())
        for name in (pictures.FAMILY, "STIXGeneral")
    )
    names = tuple(chr(x) for x in sorted(other - first) if chr(x).isalpha())[:3]
    assert len(names) == 3
    fonts()
    with pytest.warns(PictureWarning, match=f"has {names[2]}, {names[1]} or {names[0]}, so"):
        drawn_of([1.9, 1.0, 0.1], 0.01, names)
    fonts("No Such Font", "STIXGeneral")
    drawn_of([1.9, 1.0, 0.1], 0.01, names)  # without a warning
