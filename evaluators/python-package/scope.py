"""Reads the source of a package without running it: `scope.py FOLDER`, the package's folder.

Prints {"identity": …, "imports": […], "names": […], "broken": null or text}: a hash of the syntax trees, so that comments and layout
do not count, the modules that are imported from outside, and the names used by which code reaches out of its module.
"""

import ast
import hashlib
import json
import os
import sys

REACHING = {"__import__", "__builtins__", "eval", "exec", "compile", "open", "globals", "breakpoint", "input"}


def sources(folder):
    for directory, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = os.path.join(directory, file)
            if file.endswith(".py") and not os.path.islink(path):
                yield os.path.relpath(path, folder), path


def main(folder):
    identity = hashlib.sha256()
    imports, names, broken = set(), set(), None
    for name, path in sources(folder):
        with open(path, "rb") as file:
            text = file.read()
        try:
            tree = ast.parse(text, name)
        except (SyntaxError, ValueError) as error:
            broken = broken or f"{name}: {error}"
            continue
        identity.update(f"{name}\0{ast.dump(tree)}\0".encode("utf-8", "surrogatepass"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imports.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                imports.add(node.module.split(".")[0])
            elif isinstance(node, ast.Name) and node.id in REACHING:
                names.add(node.id)
    return {
        "identity": "sha256:" + identity.hexdigest(),
        "imports": sorted(imports),
        "names": sorted(names),
        "broken": broken,
    }


print(json.dumps(main(sys.argv[1])))
