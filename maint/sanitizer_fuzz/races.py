# SPDX-License-Identifier: Apache-2.0
"""Which accesses of a launch race, by happens-before: those of two work-items
of a group are ordered by a barrier between them that has the fence of their
memory; those of two groups never are."""
from sanitizer_fuzz.truth import Undefined

READ, WRITE, ATOMIC = "rwa"
LOCAL, GLOBAL = 1, 2            # of barriers' flags


def hashed(value):
    """The number of a value's bytes that the shadow keeps: those of two values
    that are alike there count as the same value."""
    number = 0
    for byte in (value & 0xffffffff).to_bytes(4, "little"):
        number = (number * 31 + byte) & 0xffffffff
    return (number ^ number >> 8 ^ number >> 16 ^ number >> 24) % 255


class Access:
    """What some work-items of a group do to a byte alike."""

    def __init__(self, key, item):
        self.line, self.kind, self.value, self.group, self.epoch = key
        self.items = {item}

    def is_ordered(self, other):
        if self.group != other.group:
            return False
        return self.epoch != other.epoch or \
            len(self.items | other.items) == 1

    def conflicts(self, other):
        return self.kind != other.kind and WRITE in (self.kind, other.kind) or \
            self.kind == other.kind == WRITE or \
            {self.kind, other.kind} == {READ, ATOMIC}

    def is_same_value(self, other):
        """Two such writes may be left out; None is a value that is not known
        to the sanitizer, "?" one that is not known here."""
        values = {self.value, other.value}
        return self.kind == other.kind == WRITE and None not in values \
            and (len(values) == 1 or "?" in values)


class Races:
    """The trace of a launch, of one scenario."""

    def __init__(self, objects):
        self.objects = objects  # name: (whole object, first byte, bytes)
        self.bytes = {}         # (object, group if local, byte): {key: Access}
        self.item = self.group = None
        self.epochs = {}

    def begin(self, item, group):
        self.item, self.group = item, group
        self.epochs = {LOCAL: 0, GLOBAL: 0}

    def barrier(self, flags):
        for space in self.epochs:
            self.epochs[space] += bool(flags & space)

    def touch(self, line, pointer, size, kind, value=None):
        whole, first, bytes_ = self.objects[pointer[0]]
        if pointer[1] < 0 or pointer[1] + size > bytes_ or pointer[1] % size:
            raise Undefined
        is_local, offset = whole.startswith("t"), first + pointer[1]
        key = (line, kind, hashed(value) if isinstance(value, int) else value,
               self.group, self.epochs[LOCAL if is_local else GLOBAL])
        place = (whole, self.group if is_local else None)
        for byte in range(offset, offset + size):
            all_ = self.bytes.setdefault(place + (byte,), {})
            if key in all_:
                all_[key].items.add(self.item)
            else:
                all_[key] = Access(key, self.item)
        return True

    def update(self, line, pointer, size):
        self.touch(line, pointer, size, READ)
        self.touch(line, pointer, size, WRITE)

    def pairs(self):
        """Of each byte with a race: its pairs of lines, and whether one of
        them has to be found."""
        found = {}
        for place, all_ in self.bytes.items():
            accesses = list(all_.values())
            if len(accesses) == 1 and len(accesses[0].items) == 1:
                continue
            pairs, is_needed = set(), False
            for i, one in enumerate(accesses):
                for other in accesses[i:]:
                    if one.conflicts(other) and not one.is_ordered(other):
                        pairs.add(tuple(sorted((one.line, other.line))))
                        is_needed |= not one.is_same_value(other)
            if pairs:
                found[place] = (frozenset(pairs), is_needed)
        return found
