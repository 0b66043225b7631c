"""Prints what is in files and folders: SQLite files as SQL, others as they are. Arguments: paths."""

import os
import sqlite3
import sys


def dump(path):
    if not os.path.exists(path):
        return print(path, "is not there")
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"SQLite format 3"):
        connection = sqlite3.connect(path)
        content = "\n".join(connection.iterdump())
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    print(path, oct(os.stat(path).st_mode), content)


for root in sys.argv[1:]:
    if not os.path.isdir(root):
        dump(root)
    for folder, folders, files in sorted(os.walk(root)):
        print(folder, sorted(folders))
        for name in sorted(files):
            if not name.endswith(("-wal", "-shm", "-journal")):
                dump(os.path.join(folder, name))
