"""Python imports this at its start (PYTHONPATH). It brings the probe in, and then the `sitecustomize` that would have been imported."""

import os
import sys


def _bring_in(here):
    if not os.environ.get("RESTAGE_FACTS"):
        return
    try:
        import restage_facts

        restage_facts.begin()
    except Exception:
        pass  # Without facts, then: the application goes on.


def _chain(here):
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    others = [path for path in sys.path if os.path.realpath(path or ".") != here]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_bring_in(os.path.realpath(os.path.dirname(__file__)))
_chain(os.path.realpath(os.path.dirname(__file__)))
