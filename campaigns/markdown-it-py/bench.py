"""The benchmark of markdown-it-py: rendering generated Markdown to HTML. See the page of clade-python-package."""

import random

DOCUMENTS = 20
BLOCKS = 24
CASES = 60
PRESETS = ("commonmark", "default", "gfm-like")

WORDS = (
    "archive branch candidate daemon editor front grammar hunk island journal kernel ledger measure notebook objective patch "
    "queue revision sample tree update vector worker yield zone algorithm buffer commit decoder entry filter graph index"
).split()


def setup(package):
    """A parser for each preset; they are kept from one document to the next, as applications do."""
    return {preset: package.MarkdownIt(preset) for preset in PRESETS}


def inputs(seed):
    """Documents that no round before has had, so that a cache of earlier results gains nothing."""
    rng = random.Random(seed)
    return [("commonmark", document(rng)) for _ in range(DOCUMENTS)]


def run(parsers, texts):
    return [parsers[preset].render(text) for preset, text in texts]


def cases(seed):
    """For the gate of equal output: all presets, and documents with what is rare and what is malformed."""
    rng = random.Random(seed ^ 0x5EED)
    for number in range(CASES):
        preset = PRESETS[number % len(PRESETS)]
        yield [(preset, document(rng) if number % 4 else damaged(rng))]


def document(rng):
    return "\n\n".join(block(rng, 0) for _ in range(BLOCKS)) + "\n\n" + definitions(rng)


def damaged(rng):
    """Pieces of documents cut anywhere and joined: delimiters without partners, broken tables, open fences."""
    pieces = []
    for _ in range(6):
        text = document(rng)
        start = rng.randrange(len(text))
        pieces.append(text[start : start + rng.randrange(40, 400)])
    return rng.choice(["", "\n", " ", "\t", "\\"]).join(pieces)


def words(rng, low, high):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(low, high)))


def number(rng):
    return rng.randrange(100000)


def span(rng):
    """One inline construct."""
    kinds = (
        lambda: words(rng, 2, 8),
        lambda: words(rng, 2, 8),
        lambda: f"*{words(rng, 1, 3)}*",
        lambda: f"**{words(rng, 1, 3)}**",
        lambda: f"***{words(rng, 1, 2)}** {words(rng, 1, 2)}*",
        lambda: f"`{words(rng, 1, 3)} {number(rng)}`",
        lambda: f"[{words(rng, 1, 3)}](https://example.org/{rng.choice(WORDS)}?q={number(rng)} \"{words(rng, 1, 3)}\")",
        lambda: f"[{words(rng, 1, 2)}][ref{rng.randrange(8)}]",
        lambda: f"![{words(rng, 1, 2)}](/image/{number(rng)}.png)",
        lambda: f"<https://example.org/{number(rng)}>",
        lambda: f"https://example.com/{rng.choice(WORDS)}/{number(rng)}",
        lambda: f"&amp; &copy; &#{rng.randrange(33, 9000)};",
        lambda: f"\\*{words(rng, 1, 2)}\\* \\_ 2 < {number(rng)}",
        lambda: f"<span class=\"c{number(rng)}\">{words(rng, 1, 2)}</span>",
        lambda: f"~~{words(rng, 1, 3)}~~",
        lambda: f"snake_case_{number(rng)} 3*4*5",
        lambda: f"{words(rng, 1, 3)}  \n{words(rng, 1, 3)}",
    )
    return rng.choice(kinds)()


def paragraph(rng):
    lines = []
    for _ in range(rng.randint(1, 4)):
        lines.append(" ".join(span(rng) for _ in range(rng.randint(2, 5))))
    return "\n".join(lines)


def indent(text, prefix, first=None):
    lines = text.split("\n")
    return "\n".join([(prefix if first is None else first) + lines[0]] + [prefix + line if line else line for line in lines[1:]])


def listing(rng, depth):
    ordered = rng.random() < 0.4
    loose = rng.random() < 0.3
    items = []
    for at in range(rng.randint(2, 5)):
        marker = f"{at + 1}. " if ordered else rng.choice(("- ", "- [ ] ", "- "))
        text = block(rng, depth + 1) if depth < 2 and rng.random() < 0.3 else span(rng)
        items.append(indent(text, " " * (3 if ordered else 2), marker))
    return ("\n\n" if loose else "\n").join(items)


def table(rng):
    columns = rng.randint(2, 4)
    row = lambda: "| " + " | ".join(words(rng, 1, 3) for _ in range(columns)) + " |"
    rule = "|" + "|".join(rng.choice((" --- ", ":--- ", " ---:", ":---:")) for _ in range(columns)) + "|"
    return "\n".join([row(), rule] + [row() for _ in range(rng.randint(1, 4))])


def block(rng, depth):
    draw = rng.random()
    if draw < 0.4:
        return paragraph(rng)
    if draw < 0.5:
        return "#" * rng.randint(1, 6) + " " + span(rng)
    if draw < 0.54:
        return words(rng, 2, 5) + "\n" + rng.choice(("=====", "-----"))
    if draw < 0.7:
        return listing(rng, depth)
    if draw < 0.78:
        return indent(block(rng, depth + 1) if depth < 2 else paragraph(rng), "> ")
    if draw < 0.86:
        fence = rng.choice(("```", "~~~"))
        return f"{fence}{rng.choice(('', 'python', 'c'))}\n" + "\n".join(words(rng, 0, 6) for _ in range(rng.randint(1, 6))) + f"\n{fence}"
    if draw < 0.9:
        return indent("\n".join(words(rng, 1, 5) for _ in range(rng.randint(1, 3))), "    ")
    if draw < 0.95:
        return table(rng)
    if draw < 0.98:
        return f"<div>\n{words(rng, 1, 5)}\n</div>"
    return rng.choice(("---", "***", "___"))


def definitions(rng):
    return "\n".join(f"[ref{at}]: /target/{number(rng)} '{words(rng, 1, 2)}'" for at in range(8))
