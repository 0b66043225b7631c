"""Modules are changed right after they are imported: servers, frameworks and drivers of databases."""

import sys
from importlib.machinery import PathFinder

from . import databases, sessions, web

_AFTER = {}
for _module in (web, sessions, databases):
    for _name, _change in _module.AFTER_IMPORT.items():
        _AFTER.setdefault(_name, []).append(_change)


class _Finder:
    """Finds a module as Python would, and has its loader tell when it has run."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _AFTER:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            _change_module(name, module)

        try:
            spec.loader.exec_module = exec_module
        except AttributeError:
            return None
        return spec


def _change_module(name, module):
    for change in _AFTER.pop(name, ()):
        try:
            change(module)
        except Exception:
            pass  # A version that is made otherwise: less is seen of it.


def watch():
    for name in list(_AFTER):
        if name in sys.modules:
            _change_module(name, sys.modules[name])
    sys.meta_path.insert(0, _Finder)
