"""The probe for Python: what is watched while the request of a step is answered."""


def begin():
    import os
    import sys

    if sys.version_info < (3, 9):
        return
    from . import imports, record

    record.set_up(os.environ)
    imports.watch()
    if record.wants("lines") or record.wants("branches"):
        from . import coverage

        coverage.set_up()
