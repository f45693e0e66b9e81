"""The benchmark of python-pathspec: which of many paths do the lines of a .gitignore match? See the page of clade-python-package."""

import random

PATTERNS = 40
FILES = 3000
CASES = 60

FOLDERS = (
    "src lib docs build dist test tests data assets include vendor tools scripts config cache .cache node_modules target out "
    "app core web api common modules packages third_party examples"
).split()
STEMS = (
    "main index util parser reader writer config setup README notes report server client model view table cache log temp "
    "core test_core test_io data sample image style"
).split()
SUFFIXES = ".py .pyc .c .h .o .so .js .ts .map .md .txt .log .tmp .json .yaml .html .css .png .svg .lock .bak ~".split()


def setup(package):
    """Both classes, and the backend that needs nothing but the standard library."""
    return {"gitignore": package.GitIgnoreSpec.from_lines, "pathspec": lambda lines, **more: package.PathSpec.from_lines("gitignore", lines, **more)}


def inputs(seed):
    """Patterns and paths that no round before has had."""
    rng = random.Random(seed)
    return [("gitignore", patterns(rng, count), files(rng, FILES)) for count in (5, 15, PATTERNS)]


def run(makers, work):
    """Compiling the patterns is part of the work. What matches is given in the order of the paths."""
    results = []
    for kind, lines, paths in work:
        spec = makers[kind](lines, backend="simple")
        matched = set(spec.match_files(paths))
        results.append([path for path in paths if path in matched])
        results.append([spec.match_file(path) for path in paths[:100]])
    return results


def cases(seed):
    """For the gate of equal output: both classes, and lines that are odd."""
    rng = random.Random(seed ^ 0x5EED)
    for number in range(CASES):
        lines = patterns(rng, rng.randint(1, 30)) + [odd(rng) for _ in range(number % 4)]
        rng.shuffle(lines)
        yield [("gitignore" if number % 2 else "pathspec", lines, files(rng, 150))]


def files(rng, count):
    paths = []
    for _ in range(count):
        depth = rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 6))
        folders = [rng.choice(FOLDERS) for _ in range(depth)]
        paths.append("/".join(folders + [name(rng)]))
    return paths


def name(rng):
    stem = rng.choice(STEMS)
    if rng.random() < 0.4:
        stem += str(rng.randrange(100))
    return stem + rng.choice(SUFFIXES)


def patterns(rng, count):
    return [pattern(rng) for _ in range(count)]


def pattern(rng):
    kinds = (
        lambda: "*" + rng.choice(SUFFIXES),
        lambda: "*" + rng.choice(SUFFIXES),
        lambda: rng.choice(FOLDERS) + "/",
        lambda: "/" + rng.choice(FOLDERS) + "/",
        lambda: "/" + rng.choice(FOLDERS) + "/" + rng.choice(FOLDERS),
        lambda: rng.choice(FOLDERS) + "/**/" + "*" + rng.choice(SUFFIXES),
        lambda: "**/" + rng.choice(FOLDERS) + "/" + rng.choice(STEMS) + "*",
        lambda: rng.choice(FOLDERS) + "/*/" + name(rng),
        lambda: rng.choice(STEMS) + "?" + rng.choice(SUFFIXES),
        lambda: rng.choice(STEMS) + "[0-9]*",
        lambda: "[!a-m]*" + rng.choice(SUFFIXES),
        lambda: "!" + rng.choice(STEMS) + rng.choice(SUFFIXES),
        lambda: "!/" + rng.choice(FOLDERS) + "/" + rng.choice(STEMS) + "*",
        lambda: "# " + rng.choice(STEMS),
        lambda: name(rng),
    )
    return rng.choice(kinds)()


def odd(rng):
    return rng.choice(("", "   ", "\\#" + name(rng), "\\!" + name(rng), "a/**", "**", "/**/", "**/*.py", "[a-z]*", "[]x]*", "src/**/**/lib", name(rng) + "  ", "*/", "/", "!**", "***.c", "{a,b}.py", ".*"))
