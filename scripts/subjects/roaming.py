"""Plays users who do as they like behind the recorder, one after another: roaming.py SUBJECT FOLDER [--users N] [--seed N]

SUBJECT is a folder beside this, whose users.py says what its users do; FOLDER is the one that its set-up made. What each does is drawn
with the seed: the same users come again with the same seed. `restage` is taken from PATH, or from RESTAGE.
"""

import argparse
import importlib
import os
import random
import sys

from browser import AGENTS, Browser, Missing
from recording import recording


def record(users, folder, count, seed):
    """Of `users`, a module, are used

    visit(browser, chance): one user's session; what is not offered to her raises Missing, and ends it.
    """
    with recording(folder) as address:
        for number in range(count):
            # Each has a chance of her own, so that more users leave those before them as they were.
            chance = random.Random(f"{seed}/{number}")
            browser = Browser(address, chance.choice(sorted(AGENTS)), at=f"127.0.{number // 200}.{2 + number % 200}")
            try:
                users.visit(browser, chance)
            except Missing as missing:
                print(f"user {number + 1} went away: {missing}", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("subject")
    parser.add_argument("folder")
    parser.add_argument("--users", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.path.insert(0, asked.subject)
    record(importlib.import_module("users"), os.path.abspath(asked.folder), asked.users, asked.seed)
