"""Whether the server took what a replay sent as it took what was recorded: the same class of status, and where it redirects,
to an address of the same shape."""

import re
import urllib.parse


class Tally:
    """Of a run's requests: how many had a live value, how many of those were accepted, and which were not."""

    def __init__(self, run, recorded):
        """`run` is what `runs show` tells of it, `recorded` the recorded exchanges by id."""
        self.steps = self.live = self.beyond_cookies = self.live_accepted = self.accepted = 0
        self.refused = []
        for step in run["steps"]:
            if recorded[step["exchange"]]["response"] is None:
                # The user went on before the answer came: nothing to compare with.
                continue
            targets = [value["target"] for value in step["substitutions"]]
            before, now = flow(recorded[step["exchange"]]["response"]), flow(answer(step))
            self.steps += 1
            self.live += bool(targets)
            self.beyond_cookies += any(not target.startswith("cookie") for target in targets)
            if before == now:
                self.accepted += 1
                self.live_accepted += bool(targets)
            else:
                self.refused.append((step["sent"]["method"], step["sent"]["uri"], before, now))


def answer(step):
    return (step["answer"] or {}).get("received")


def flow(response):
    """A response's class of status and the shape of its redirect."""
    if response is None:
        return "no answer", None
    place = next((value for name, value in response["headers"] if name == "location"), None)
    return f"{response['status'] // 100}xx", place and shape(place)


def shape(address):
    """An address without numbers and tokens, and of its parameters the names."""
    parts = urllib.parse.urlsplit(address)
    path = re.sub(r"\d+", "0", re.sub(r"(?=\w*\d)\w{16,}", "0", parts.path))
    return path, tuple(sorted({name for name, _ in urllib.parse.parse_qsl(parts.query, keep_blank_values=True)}))


def recorded_exchanges(restage):
    """All that was recorded, by id. `restage` runs it and returns what it printed as JSON."""
    shown = [restage("sessions", "show", session["name"]) for session in restage("sessions")]
    return {entry["exchange"]["id"]: entry["exchange"] for session in shown for entry in session["exchanges"]}
