"""Names of candidates as people have them, and as programs get them wrong."""

from conformance.streams import Dice

NAMES = (
    *("Ann", "Bob", "Çem", "Dörte", "José", "Zoë", "Łukasz", "Nguyễn Thị Hạnh", "Ǎ", "ß"),
    *(
        "Jose\u0301",
        "Zoe\u0308",
        "A\u030a",
        "e\u0323\u0302",
        "\u212b",
        "\u00c5",
    ),  # decomposed, or not
    *("محمد", "فاطمة الزهراء", "دانيال ٣", "דוד", "שרה בן־דוד", "שָׁלוֹם"),
    *("सीता", "क्षितिज", "தமிழ்", "ไทย", "ქართული", "Ελένη", "Дмитрий", "Հայկ"),
    *("李明", "王小明", "山田太郎", "やまだ", "한국어", "\u1112\u1161\u11ab", "𠮷野家", "𝔄𝔫𝔫"),
    *("🦊", "🗳 yes", "👍🏽", "🇩🇪", "1\u20e3", "\U0010fffd", "\ue000", "\u0378"),
    *("{names}", "{0}", "%s", "$&", "$1", "\\", '"', "'", "a, b", "A and B", "<b>Ann</b>", "&amp;"),
    *(
        "__proto__",
        "constructor",
        "toString",
        "null",
        "0",
        "-1",
        "1e0",
        "a b",
        "a\u00a0b",
        "A\u3000b",
    ),
    *("ann", "ANN", "ı", "İ", "ﬁ", "Ⅸ", "½", "\u2010", "\u0345", "\u180a", "\u3163"),
)
LONG = ("n" * 200, "🦊" * 200, "e\u0301" * 100, "م" * 200)  # 200 code points each


def candidates(d: int, dice: Dice) -> list[str]:
    """d different names; now and then one of them as long as a name may be."""
    found = dice.shuffled(NAMES)[:d] if d <= 12 else [f"{j} {dice.one_of(SHORT)}" for j in range(d)]
    if dice.below(25) == 0:
        found[dice.below(d)] = dice.one_of(LONG)
    return found


SHORT = ("a", "é", "e\u0301", "م", "ש", "क", "李", "🦊", "$&", "{0}")  # where there are many names
