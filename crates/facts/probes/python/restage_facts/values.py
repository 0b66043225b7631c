"""Values as the protocol has them."""

import hashlib
import json

_LONGEST = 256
_MOST = 5000


def runs(numbers):
    """A set of numbers as runs: `[[3, 9], 12]`."""
    found = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [first if first == last else [first, last] for first, last in found]


def flatten(values):
    """Nested values under joined names: `cart.17.count`."""
    flat = {}

    def put(name, value, depth):
        if len(flat) >= _MOST:
            return
        if isinstance(value, (dict, list, tuple)) and value and depth < 32:
            for key, item in value.items() if isinstance(value, dict) else enumerate(value):
                put(f"{name}.{key}" if name else str(key), item, depth + 1)
        elif name:
            flat[name] = _text(value)

    # Iterated as what it is below, so that a session does not take this for reads of its user.
    put("", {key: dict.__getitem__(values, key) for key in dict.keys(values)}, 0)
    return flat


def _text(value):
    plain = value is None or isinstance(value, (bool, int, float, str)) or value in ((), [], {})
    text = json.dumps(value, ensure_ascii=False) if plain else None
    return text if text is not None and len(text.encode(errors="replace")) <= _LONGEST else _hash(value)


def _hash(value):
    state = hashlib.sha256()
    seen = {}

    def feed(value, depth):
        if isinstance(value, (str, bytes, int, float, bool, type(None))):
            state.update(f"{type(value).__name__}{value!r};".encode(errors="replace"))
        elif id(value) in seen or depth > 64:
            state.update(f"R{seen.get(id(value))};".encode())
        else:
            seen[id(value)] = len(seen)
            state.update(type(value).__name__.encode())
            if isinstance(value, dict):
                for key, item in value.items():
                    feed(key, depth + 1)
                    feed(item, depth + 1)
            elif isinstance(value, (list, tuple)):
                for item in value:
                    feed(item, depth + 1)
            elif isinstance(value, (set, frozenset)):
                for item in sorted(value, key=repr):
                    feed(item, depth + 1)
            elif isinstance(getattr(value, "__dict__", None), dict):
                feed(value.__dict__, depth + 1)
            elif type(value).__module__ in ("datetime", "decimal", "uuid", "fractions"):
                state.update(str(value).encode())

    feed(value, 0)
    return "#" + state.hexdigest()[:32]


def bound(values):
    """What is bound to a statement, as JSON has it."""
    if values is None:
        return []
    items = values.values() if isinstance(values, dict) else values
    return [_plain(item) for item in items] if isinstance(values, (dict, list, tuple)) else []


def _plain(value):
    if value is None or isinstance(value, (bool, int, str)):
        return value if not isinstance(value, str) or len(value) <= 65536 else _hash(value)
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _hash(bytes(value))
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return str(value) if type(value).__module__ in ("datetime", "decimal", "uuid", "fractions") else _hash(value)
