"""The `faults` script of a subject, but for its faults: makes a faulty version of the application for each."""

import os
import shutil
import sys


def make_versions(script, faults, of, settings=""):
    """Does what a `faults` script is asked to. `script` is its documentation. `faults` are, by name: what goes wrong; the
    file, what stands there once, and what stands there instead. `of` is the folder of the right version; `settings` are
    further lines for each version in restage.toml, in which `{version}` is its folder."""
    if len(sys.argv) != 2:
        sys.exit(script)
    folder = os.path.abspath(sys.argv[1])
    with open(os.path.join(folder, "restage.toml"), "a", encoding="utf-8") as toml:
        for name, (what, file, right, wrong) in faults.items():
            version = f"{of}-{name}"
            # All but the one file is shared with the right version.
            shutil.copytree(os.path.join(folder, of), os.path.join(folder, version), symlinks=True, copy_function=link)
            replace(os.path.join(folder, version, file), name, right, wrong)
            toml.write(f'\n[app.{name}]  # {what}\ndir = "{version}"\n' + settings.replace("{version}", version))
            print(f"{name}\t{what}")


def link(source, target):
    os.link(source, target, follow_symlinks=False)


def replace(path, name, right, wrong):
    with open(path, encoding="utf-8") as source:
        text = source.read()
    if text.count(right) != 1:
        sys.exit(f"{name}: `{right}` stands {text.count(right)} times in {path}")
    os.remove(path)
    with open(path, "w", encoding="utf-8") as source:
        source.write(text.replace(right, wrong))
