# SPDX-License-Identifier: Apache-2.0
"""What the layer keeps of this process in its session: which calls it has made,
which objects are alive, how many lifetime errors were found.

doc/journal.md and faults/shared/*_format.h are the layout of the files. The
program openclaw has the words for what was found.
"""
import glob
import os
import struct
import subprocess

from .layer import program

# Magic and version of each, then offsets in the headers.
JOURNAL, LEDGER, FOUND = (b"CLAWJRNL", 2), (b"CLAWLEDG", 1), (b"CLAWFIND", 1)
_NAMES, _AREAS_BEGIN, _DROPPED, _MADE, _SHARDS = 152, 192, 48, 64, 96
_AREAS = ("threads", "rules", "events", "calls", "sites", "modules", "strings")


class SessionError(Exception):
    """A file of the session is not as expected: one line."""


class Leak:
    """An object that was made and is alive.

    function: that made it: "clCreateBuffer".
    place:    "test_tile.py:12 (load)", the innermost line that is not of an
              installed package; "" when it is not known.
    stack:    all known lines, innermost first.
    bytes:    of memory; 0 of other objects.
    handle:   as OpenCL knows it.
    """

    def __init__(self, entry, function, stack):
        self.handle, self.serial, self.bytes = entry[0], entry[1], entry[2]
        self.function = function
        self.stack = stack
        own = [line for line in stack if "-packages/" not in line]
        self.place = (own or stack or [""])[0]

    def __str__(self):
        return "from %s%s%s is never released" % (
            self.function, " at " + self.place if self.place else "",
            ", %d bytes," % self.bytes if self.bytes else "")

    def __repr__(self):
        return "<Leak %s>" % self


class Finding:
    """A lifetime error: kind ("use after release") and text, the sentence."""

    def __init__(self, line):
        self.kind, _, self.text = line.partition(": ")

    def __str__(self):
        return "%s: %s" % (self.kind, self.text)

    def __repr__(self):
        return "<Finding %s>" % self


class Session:
    """Of this process. Files are read anew at each question."""

    def __init__(self, directory):
        self.directory = directory
        self._seen = []
        self._times = 0

    def _read(self, kind, magic, size=-1):
        pattern = os.path.join(glob.escape(self.directory), "%s.%d.*"
                               % (kind, os.getpid()))
        paths = sorted(glob.glob(pattern),
                       key=lambda path: int(path.rpartition(".")[2]))
        if not paths:
            return None
        with open(paths[-1], "rb") as file:
            data = file.read(size)
        if data[:8] != magic[0]:
            raise SessionError("%s is not whole" % paths[-1])
        version = struct.unpack_from("<I", data, 8)[0]
        if version != magic[1]:
            raise SessionError("%s is of version %d: expected %d"
                               % (paths[-1], version, magic[1]))
        return data

    # ---- the journal

    @staticmethod
    def _areas(data):
        return {name: struct.unpack_from("<QIIQ", data, _AREAS_BEGIN + 24 * i)
                for i, name in enumerate(_AREAS)}

    @staticmethod
    def _string(data, areas, offset):
        at = areas["strings"][0] + offset
        length = struct.unpack_from("<I", data, at)[0]
        return data[at + 8:at + 8 + length].decode(errors="replace") \
            if offset else ""

    def _names(self, data, areas):
        offset = struct.unpack_from("<I", data, _NAMES)[0]
        return self._string(data, areas, offset).split("\n")

    def calls(self):
        """{function: how often this process has called it}"""
        data = self._read("journal", JOURNAL)
        if data is None:
            return {}
        areas = self._areas(data)
        names = self._names(data, areas)
        offset, size, capacity, used = areas["threads"]
        sums = [0] * len(names)
        for thread in range(min(capacity, used)):
            counts = struct.unpack_from("<%dQ" % len(names), data,
                                        offset + thread * size + 16)
            sums = [a + b for a, b in zip(sums, counts)]
        return {name: count for name, count in zip(names, sums) if count}

    def _stack(self, data, areas, site):
        """Its Python lines; of compiled code none are known here."""
        offset, size, capacity, _ = areas["sites"]
        if not 1 <= site <= capacity:
            return []
        at = offset + (site - 1) * size
        kind, count = struct.unpack_from("<II", data, at + 16)
        if kind != 2:
            return []
        frames = (struct.unpack_from("<IIQ", data, at + 24 + 16 * i)
                  for i in range(min(count, 16)))
        return ["%s:%d (%s)" % (self._string(data, areas, file), line,
                                self._string(data, areas, function))
                for file, function, line in frames]

    # ---- the ledger

    def has_ledger(self):
        try:
            with open(os.path.join(self.directory, "config")) as file:
                lines = file.read().split("\n")
        except OSError:
            return False
        return "ledger=sites" in lines and "lifetime=1" in lines

    def _entries(self, data):
        """(handle, serial, bytes, site, api) of what the program holds."""
        size = struct.unpack_from("<I", data, 20)[0]
        for shard in range(64):
            sequence, capacity, offset = struct.unpack_from(
                "<IIQ", data, _SHARDS + shard * 32)
            if sequence % 2:
                raise SessionError("another thread makes OpenCL objects")
            for i in range(capacity):
                at = offset + i * size
                if at + size > len(data):
                    break
                handle, serial, count, _, references, _, site = \
                    struct.unpack_from("<QQQQIII", data, at)
                if handle > 1 and references:
                    api = struct.unpack_from("<H", data, at + 52)[0]
                    yield handle, serial, count, site, api

    def is_kept(self):
        """The layer has begun what has_ledger() says."""
        return self._read("ledger", LEDGER, _SHARDS) is not None and \
            self._read("found", FOUND, _SHARDS) is not None

    def last_serial(self):
        """Of the newest object that was ever made."""
        data = self._read("ledger", LEDGER, _SHARDS)
        return 0 if data is None else struct.unpack_from("<Q", data, _MADE)[0]

    def alive(self, after=0):
        """Objects with a later serial that this process has references to."""
        ledger = self._read("ledger", LEDGER)
        if ledger and struct.unpack_from("<Q", ledger, _DROPPED)[0]:
            raise SessionError("there was no room for all objects in "
                               + self.directory)
        entries = [] if ledger is None else [
            entry for entry in self._entries(ledger) if entry[1] > after]
        if not entries:
            return []
        data = self._read("journal", JOURNAL)
        areas = self._areas(data)
        names = self._names(data, areas)
        return [Leak(entry, names[entry[4]], self._stack(data, areas,
                                                         entry[3]))
                for entry in sorted(entries, key=lambda one: one[1])]

    # ---- findings

    def new_findings(self):
        """Lifetime errors since the last call of this."""
        data = self._read("found", FOUND)
        if data is None:
            return []
        header, size = struct.unpack_from("<I", data, 12)[0], \
            struct.unpack_from("<I", data, 20)[0]
        capacity, used, lost = struct.unpack_from("<QQQ", data, 32)
        if lost:
            raise SessionError("there were more lifetime errors than are kept")
        times = sum(struct.unpack_from("<Q", data, header + i * size + 8)[0]
                    for i in range(min(used, capacity)))
        if times == self._times:
            return []
        self._times = times
        return self._described()

    def _described(self):
        name = program()
        if not name:
            raise SessionError("openclaw found lifetime errors, and is not on "
                               "PATH to say which; set OPENCLAW")
        done = subprocess.run([name, "check", "--now", self.directory,
                               "--lifetime"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT)
        # One a line, what belongs to it indented; the last is a summary.
        lines = [line for line in done.stdout.split("\n")[:-2]
                 if not line.startswith(" ")]
        new = [line for line in lines if line not in self._seen]
        self._seen = lines
        return [Finding(line) for line in new] or [Finding(
            "lifetime error: the same as an earlier one, made again")]


def current():
    """The session that this process writes into, or None."""
    directory = os.environ.get("OPENCLAW_SESSION")
    return Session(directory) if directory else None
