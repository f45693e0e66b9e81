"""Two versions of one package in one interpreter, each with import states of its own.

A version's modules are in sys.modules, and its folder on sys.path, only while it is active. Modules from elsewhere, those of the
standard library and of other packages, are shared.
"""

import gc
import importlib
import sys
import threading
import types

# Taken before a candidate is loaded, which could replace the names.
_vars, _type, _isinstance, _callable = vars, type, isinstance, callable
_gettrace, _getprofile, _enabled = sys.gettrace, sys.getprofile, gc.isenabled
_threads = threading.active_count
_Function, _Module = types.FunctionType, types.ModuleType


class Version:
    """One checkout's package. `with version:` makes it the one that imports see."""

    def __init__(self, folder, package):
        self.folder = folder
        self.package = package
        self.modules = {}

    def __enter__(self):
        sys.path.insert(0, self.folder)
        sys.modules.update(self.modules)
        importlib.invalidate_caches()
        return self

    def __exit__(self, *_):
        for name in [name for name in sys.modules if self.owns(name)]:
            self.modules[name] = sys.modules.pop(name)
        sys.path[:] = [path for path in sys.path if path != self.folder]

    def owns(self, name):
        return name == self.package or name.startswith(self.package + ".")

    def load(self):
        """Imports the package: call it within `with`."""
        module = importlib.import_module(self.package)
        where = getattr(module, "__file__", None) or next(iter(module.__path__), "")
        if not where.startswith(self.folder + "/"):
            raise ImportError(f"{self.package} comes from {where} and not from the checkout")
        return module


def snapshot(modules):
    """The functions, classes and other callables of modules, and the code behind them, by module and name."""
    marks = {}
    for name, module in list(modules.items()):
        if not _isinstance(module, _Module):
            continue
        for key, value in list(_vars(module).items()):
            if _isinstance(value, _Function):
                marks[name, key] = (value, value.__code__, value.__defaults__)
            elif _isinstance(value, _type):
                marks[name, key] = (value,)
                if value.__module__ == name:
                    for inner, member in list(_vars(value).items()):
                        code = getattr(member, "__code__", None)
                        if _callable(member):
                            marks[name, key + "." + inner] = (member, code)
            elif _callable(value) or _isinstance(value, _Module):
                marks[name, key] = (value,)
    return marks


def changed(marks, modules):
    """Names of what is no longer what it was when `marks` was made."""
    now = snapshot(modules)
    found = []
    for place, before in marks.items():
        after = now.get(place)
        if after is None or any(a is not b for a, b in zip(before, after)):
            found.append(".".join(place))
    return found


def meddling():
    """What slows or watches an interpreter besides changed code."""
    found = []
    if _gettrace() is not None or _getprofile() is not None:
        found.append("a trace or profile function is set")
    if not _enabled():
        found.append("the garbage collector is off")
    if _threads() > 1:
        found.append("a thread is running")
    return found


PLAIN = (str, bytes, int, float, bool, type(None))


def is_plain(value):
    """Whether a value is finished work: built-in types all the way down, nothing that could compute later."""
    if _type(value) in PLAIN:
        return True
    if _type(value) in (list, tuple):
        return all(map(is_plain, value))
    if _type(value) is dict:
        return all(is_plain(k) and is_plain(v) for k, v in value.items())
    return False
