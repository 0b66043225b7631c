"""What is in a source file: lines that can run, functions, and lines that more than one line can follow."""

import ast
import dis
import hashlib
import os

from . import values

_known = {}
_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RERAISE", "RAISE_VARARGS")
_JUMPS = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD_NO_INTERRUPT")


def describe(sources, pairs, want_branches, marks):
    """Lines for files that are new, and the ids of the branches that were taken: by file."""
    lines, taken = [], {}
    for file, path in sources.items():
        try:
            stat = os.stat(path)
            key = (path, stat.st_mtime_ns, stat.st_size, want_branches)
            if key not in _known:
                _known[key] = _outline(path, want_branches)
            outline, ids = _known[key]
        except (OSError, SyntaxError, ValueError):
            continue
        mark = os.path.join(marks, hashlib.sha1(repr(key).encode()).hexdigest())
        if not os.path.exists(mark):
            lines.append({"v": 1, "file": file, **outline})
            try:
                os.makedirs(marks, exist_ok=True)
                open(mark, "w").close()
            except OSError:
                pass
        if want_branches:
            found = {ids[pair] for pair in pairs.get(file, ()) if pair in ids}
            if found:
                taken[file] = found
    return lines, taken


def _outline(path, want_branches):
    with open(path, "rb") as opened:
        source = opened.read()
    tree = ast.parse(source, path)
    lines, pairs = set(), set()
    stack = [compile(source, path, "exec", dont_inherit=True)]
    while stack:
        code = stack.pop()
        stack.extend(const for const in code.co_consts if hasattr(const, "co_code"))
        first = code.co_firstlineno if code.co_name != "<module>" else None
        own = {line for _, _, line in code.co_lines() if line}
        # A function's own code begins with the line that declares it, which is run where it is declared.
        lines |= own - {first} if len(own) > 1 else own
        if want_branches:
            pairs |= _branches(code)
    ordered = sorted(pairs, key=lambda pair: (pair[0], pair[1] or 1 << 30))
    ids = {pair: number for number, pair in enumerate(ordered, 1)}
    outline = {"digest": hashlib.sha256(source).hexdigest(), "lines": values.runs(lines)}
    functions = sorted(_functions(tree, ""), key=lambda function: function["first"])
    if functions:
        outline["functions"] = functions
    if ids:
        outline["branches"] = [
            {"id": number, "from": pair[0], **({} if pair[1] is None else {"to": pair[1]})} for pair, number in ids.items()
        ]
    return outline, ids


def _functions(node, prefix):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield {"name": prefix + child.name, "first": child.lineno, "last": child.end_lineno}
            yield from _functions(child, prefix + child.name + ".")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, prefix + child.name + ".")
        else:
            yield from _functions(child, prefix)


def _branches(code):
    """Pairs of lines, the second right after the first, of first lines that several can follow; None is the end."""
    instructions = list(dis.get_instructions(code))
    starts = {instruction.offset: at for at, instruction in enumerate(instructions)}
    line_of, line = [], None
    by_offset = {}
    for start, end, number in code.co_lines():
        for offset in range(start, end, 2):
            by_offset[offset] = number
    for instruction in instructions:
        line = by_offset.get(instruction.offset) or line
        line_of.append(line)
    following = []
    for at, instruction in enumerate(instructions):
        to = []
        if instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs:
            if instruction.argval in starts:
                to.append(starts[instruction.argval])
        if instruction.opname in _ENDS:
            to.append(None)
        elif instruction.opname not in _JUMPS and at + 1 < len(instructions):
            to.append(at + 1)
        following.append(to)
    successors = {}
    for at, line in enumerate(line_of):
        for to in following[at]:
            if line is not None and (to is None or line_of[to] != line):
                successors.setdefault(line, set()).add(None if to is None else line_of[to])
    # A line that others come back to, as of a call over several lines, chooses nothing.
    chooses = {line for line, to in zip(line_of, following) if len(to) > 1}
    return {(line, to) for line, ways in successors.items() if len(ways) > 1 and line in chooses for to in ways}
