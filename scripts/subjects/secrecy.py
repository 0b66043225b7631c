"""Whether a recording kept a secret of the people who were recorded: their passwords, and their accounts' e-mail addresses.

The store is read without restage: every value of every table, every body unpacked, and the file's own bytes, where what was
removed may still stand. Snapshots are the application's data, and are not looked at.
"""

import base64
import os
import shutil
import sqlite3
import subprocess
import sys
import urllib.parse

from people import ADDRESSES, NEW_PASSWORDS, PASSWORDS


def told_secrets(folder):
    """Lines for what the store of that folder tells: whose secret, and where it stands."""
    path = os.path.join(folder, ".restage", "restage.db")
    lines = []
    for place, text in texts(path):
        text = text.lower()
        for what, secret in secrets():
            if any(spelled.encode().lower() in text for spelled in spellings(secret)):
                lines.append(f"{what} is in the store: {place}")
    return sorted(set(lines))


def secrets():
    for kind, values in (("the password", PASSWORDS), ("the new password", NEW_PASSWORDS), ("the address", ADDRESSES)):
        for person, secret in values.items():
            yield f"{kind} of {person}", secret


def spellings(secret):
    """As it is, as in addresses, scripts and pages, and as `Basic` authorization has it behind a name and a colon: packed from each of three
    places on, but for the letters that its neighbours have a part in."""
    yield secret
    yield urllib.parse.quote(secret, safe="")
    yield secret.replace("@", "\\u0040")
    yield secret.replace("@", "&#64;")
    for before in range(3):
        packed = base64.b64encode(b"\0" * before + secret.encode()).decode()
        yield packed[4 if before else 0 : -4]


def texts(path):
    """Every text of a store, with where it stands."""
    packed, raw = [], []
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    store.text_factory = bytes
    for codec, data in store.execute("SELECT codec, data FROM body"):
        (packed if codec == 1 else raw).append(data)
    yield "bodies", b"\n".join(raw)
    yield "bodies", unpacked(b"".join(packed))
    tables = [name.decode() for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'body'")]
    for table in tables:
        columns = [column[1].decode() for column in store.execute(f"PRAGMA table_info({table})")]
        for row in store.execute(f"SELECT * FROM {table}"):
            yield from ((f"{table}.{column}", value) for column, value in zip(columns, row) if isinstance(value, bytes))
    store.close()
    for file in (path, f"{path}-wal"):
        if os.path.exists(file):
            with open(file, "rb") as content:
                yield os.path.basename(file), content.read()


def unpacked(frames):
    """What was packed with zstd, frame by frame."""
    if not shutil.which("zstd"):
        sys.exit("there is no zstd to unpack what the store has: install the package zstd")
    return subprocess.run(["zstd", "--decompress", "--stdout", "--quiet"], input=frames, stdout=subprocess.PIPE, check=True).stdout if frames else b""
