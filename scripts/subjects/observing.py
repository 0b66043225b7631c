"""What anybody could see of a run beside others of the same version: without any of restage's masks or comparators."""

import os
import re
import sqlite3
import subprocess

from acceptance import flow

CHUNK = re.compile(r"<[^>]*>|[^<\n]+")
# What an application draws anew each time.
DRAWN = re.compile(r"(?=[\w+/=-]*\d)[\w+/=-]{8,}|\d+")


class Observer:
    """Knows what the steps of clean runs answer."""

    def __init__(self, subject, runs):
        self.subject = subject
        self.bodies = Bodies(os.path.join(subject.folder, ".restage", "restage.db"))
        self.clean = {}
        for run in runs:
            for step in subject.restage("runs", "show", run)["steps"]:
                self.clean.setdefault(place(step), []).append(step)

    def seen(self, run):
        """The steps of a run in which something is other than in all clean runs, each with what."""
        found = {}
        for step in self.subject.restage("runs", "show", run)["steps"]:
            clean = self.clean.get(place(step), [])
            what = self.differs(step, clean) if clean else None
            if what:
                found[place(step)] = what
        return found

    def differs(self, step, clean):
        now, before = flow(received(step)), [flow(received(other)) for other in clean]
        if now not in before:
            return f"{before[0]} became {now}"
        same = {body(other) for other in clean}
        if body(step) in same:
            return None
        chunks = [self.chunks(one) for one in same]
        mine, always, ever = self.chunks(body(step)), set.intersection(*chunks), set.union(*chunks)
        for chunk in always - mine:
            return f"gone: {chunk[:100]}"
        shapes = {shape(chunk) for chunk in ever}
        for chunk in mine - ever:
            if shape(chunk) not in shapes:
                return f"new: {chunk[:100]}"
        return None

    def chunks(self, number):
        """The tags and texts of a body."""
        text = self.bodies.text(number)
        return {chunk.strip() for chunk in CHUNK.findall(text) if chunk.strip()}


def place(step):
    return step["at"]["session"], step["at"]["step"]


def received(step):
    return (step["answer"] or {}).get("received")


def body(step):
    answer = received(step)
    return answer and answer["body"]["id"]


def shape(chunk):
    return DRAWN.sub("0", chunk)


class Bodies:
    """The bodies of a project's store."""

    def __init__(self, store):
        self.store, self.known = store, {None: ""}

    def text(self, number):
        if number not in self.known:
            # Opened anew each time: restage writes to it in between.
            with sqlite3.connect(f"file:{self.store}?mode=ro", uri=True) as store:
                codec, data = store.execute("SELECT codec, data FROM body WHERE id = ?", (number,)).fetchone()
            if codec:
                data = subprocess.run(["zstd", "-dcq"], input=data, capture_output=True, check=True).stdout
            self.known[number] = data.decode("utf-8", "replace")
        return self.known[number]
