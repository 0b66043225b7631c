"""Plays a subject's users behind the recorder, one after another: playing.py SUBJECT FOLDER [--brief]

SUBJECT is a folder beside this, whose sessions.py has the users; FOLDER is the one that its set-up made. The last of them use a
real Chromium, where one is installed. With --brief, only those who are quick are recorded. `restage` is taken from PATH, or from RESTAGE.
"""

import importlib
import itertools
import os
import shutil
import sys

from browser import Browser, Missing
from chromium import chromium
from recording import recording


def record(users, folder, brief):
    """Of `users`, a module, are used

    EVERYBODY: pairs of a session and what the user's browser calls itself;
    BRIEF: the sessions among them that --brief plays;
    TOGETHER, where there is one: sessions of several browsers at once;
    IN_CHROMIUM, where there is one: sessions for a real browser, each called with it and the application's address.
    """
    number = itertools.count(2)

    def new_browser(agent):
        return Browser(address, agent, at=f"127.0.0.{next(number)}")

    with recording(folder) as address:
        for session, agent in users.EVERYBODY:
            if not brief or session in users.BRIEF:
                play(session, new_browser(agent))
        if brief:
            return
        for session, *agents in getattr(users, "TOGETHER", []):
            play(session, *(new_browser(agent) for agent in agents))
        play_in_chromium(getattr(users, "IN_CHROMIUM", []), address)


def play(session, *browsers):
    try:
        session(*browsers)
    except Missing as missing:
        sys.exit(f"{session.__name__}: {missing}")


def play_in_chromium(sessions, address):
    if sessions and not shutil.which("chromedriver"):
        print("there is no chromedriver: no session in a real browser")
        return
    for session in sessions:
        with chromium() as browser:
            try:
                session(browser, address)
            except (RuntimeError, TimeoutError) as error:
                sys.exit(f"{session.__name__}: {error}")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[3:] not in ([], ["--brief"]):
        sys.exit(__doc__)
    sys.path.insert(0, sys.argv[1])
    record(importlib.import_module("sessions"), os.path.abspath(sys.argv[2]), brief=len(sys.argv) == 4)
