#!/usr/bin/env python3
"""How many numbers of a step live at once, in the order of a kernel's text and in others.

    polhode kernel studies/double_pendulum.toml --precision f64 | python3 benches/live_values.py

Numbers of the state live from the start of the step to their last use, others from their statement
on, and new ones of the state to the end. Numbers that are prepared before the steps live all the
time. Orders: that of the text; `demand`: each statement where the first result needs it; `freeing`:
of the statements that are ready that which frees most; `freeing, from the end`: likewise backwards.
"""

import re
import sys


def read(text):
    """Operands by statement, the state, what lives to the end, and how many numbers are prepared."""
    functions = dict(re.findall(r"^fn (\w+)\([^\n]*\{\n(.*?)^\}", text, re.M | re.S))
    step = "attempt" if "attempt" in functions else "step"
    parts = sorted((f for f in functions if f.startswith(step + "_part_")), key=lambda f: int(f.split("_")[-1]))
    fields = {
        struct: re.findall(r"^    (\w+): real", text.split(f"struct {struct} {{")[1].split("}")[0], re.M)
        for struct in ["State", "Prepared"]
    }
    state = {f"s.{name}" for name in fields["State"]}
    name = r"\b(?:l\.)?(t\d+)\b|\b(s\.\w+)\b"
    operands, ends = {}, set()
    for line in "".join(functions[f] for f in [*parts, step]).splitlines():
        if found := re.match(r"    let (t\d+) = (.*);", line):
            operands[found[1]] = list(dict.fromkeys(a or b for a, b in re.findall(name, found[2])))
        elif found := re.match(r"    next\.\w+ = (.*);", line):
            ends |= {a or b for a, b in re.findall(name, found[1])}
    return operands, state, ends, len(fields["Prepared"])


def peak(order, operands, state, ends):
    last = {x: k for k, statement in enumerate(order) for x in operands[statement]}
    last.update((x, len(order)) for x in ends)
    live = most = sum(x in last for x in state)
    for k, statement in enumerate(order):
        live += 1 - sum(last[x] == k for x in operands[statement])
        most = max(most, live)
    return most


def demand(operands, ends):
    order, done = [], set()
    for root in [t for t in operands if t in ends]:
        todo = [(root, False)]
        while todo:
            t, is_ready = todo.pop()
            if t in done or t not in operands:
                continue
            if is_ready:
                done.add(t)
                order.append(t)
            else:
                todo += [(t, True)] + [(x, False) for x in reversed(operands[t])]
    return order


def freeing(operands, ends):
    users = {}
    for t, of in operands.items():
        for x in of:
            users.setdefault(x, set()).add(t)
    uses = {x: len(by) + (x in ends) for x, by in users.items()}
    waits = {t: sum(x in operands for x in of) for t, of in operands.items()}
    place = {t: k for k, t in enumerate(operands)}
    ready, order = [t for t in operands if not waits[t]], []
    while ready:
        t = min(ready, key=lambda t: (-sum(uses[x] == 1 for x in operands[t]), place[t]))
        ready.remove(t)
        order.append(t)
        for x in operands[t]:
            uses[x] -= 1
        for user in users.get(t, ()):
            waits[user] -= 1
            if not waits[user]:
                ready.append(user)
    return order


def freeing_backwards(operands, ends):
    waits = dict.fromkeys(operands, 0)
    for of in operands.values():
        for x in operands.keys() & of:
            waits[x] += 1
    place = {t: k for k, t in enumerate(operands)}
    live, order = set(ends), []
    ready = [t for t in operands if not waits[t]]
    while ready:
        t = min(ready, key=lambda t: (len(set(operands[t]) - live), -place[t]))
        ready.remove(t)
        order.append(t)
        live.update(operands[t])
        for x in operands.keys() & operands[t]:
            waits[x] -= 1
            if not waits[x]:
                ready.append(x)
    return order[::-1]


def main():
    operands, state, ends, prepared = read(sys.stdin.read())
    orders = {
        "as recorded": list(operands),
        "demand": demand(operands, ends),
        "freeing": freeing(operands, ends),
        "freeing, from the end": freeing_backwards(operands, ends),
    }
    print(f"{len(operands)} statements, {len(state)} numbers of the state, {prepared} prepared; most alive:")
    for name, order in orders.items():
        assert sorted(order) == sorted(operands), name
        print(f"{name:24}{peak(order, operands, state, ends):6}")


main()
