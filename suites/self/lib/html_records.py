#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""html_records.py KIND DIR [COUNT]: DIR/records.jsonl of a run that never was.

KIND: test, hostile, sweep, check, clean, cut, soak (COUNT samples), tests
(COUNT results, all passed), failing (COUNT results, all different), samples
(COUNT of a soak, and little else).
"""
import json
import math
import os
import random
import sys
import zlib

# What a program, a kernel or a driver may print, and a page must not obey.
HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(2)>",
    "' onmouseover='alert(3)",
    "]]><!-- --><svg onload=alert(4)>",
    "</script><script>alert(5)</script>",
    "</style></title></textarea><b>bold</b>",
    "javascript:alert(6)",
    "line\u2028and\u2029paragraph",
    "\u202eesrever\u202c \u2066x\u2069",
    "nul\x01bell\x07escape\x1b[31mred",
    "&lt;&amp;&#x3c;script&gt;",
    "{{7*7}} ${7*7} `x` \\u003cscript\\u003e",
]


class Records:
    """Lines with their sums."""

    def __init__(self, directory):
        os.makedirs(directory, exist_ok=True)
        self.out = open(os.path.join(directory, "records.jsonl"), "w",
                        encoding="utf-8")
        self.count = 0

    def add(self, record, **members):
        body = json.dumps(dict(v=1, n=self.count, t=record, **members),
                          separators=(",", ":"), ensure_ascii=False)
        self.out.write('%s,"crc":"%08x"}\n'
                       % (body[:-1], zlib.crc32(body.encode("utf-8"))))
        self.count += 1

    def plan(self, verb, planned, command=None):
        self.add("plan", verb=verb, command=command or verb + " -- ./program",
                 started="2026-11-20T17:00:00Z", openclaw="0.1.0",
                 planned=planned, seed="7")

    def result(self, verdict, suite, name, **members):
        self.add("result", verdict=verdict, duration_us=1500, attempt=1,
                 suite=suite, name=name, **members)

    def end(self, status):
        self.add("end", exit_status=status, cancelled=False)
        self.out.close()


def make_test(records, directory, count):
    with open(os.path.join(directory, "tile.cl"), "w",
              encoding="utf-8") as out:
        out.write("kernel void tile(global int *a)\n{\n"
                  "\tint i = get_global_id(0);\n\n"
                  "\ta[i + 1] = i < 4 && i > 1;\t/* <b>one too far</b> */\n"
                  "}\n")
    records.plan("test", 8, "test --under native,oclgrind --suite tiles")
    for tool in "native", "oclgrind":
        records.add("environment", configuration=tool, key="device",
                    value="a device")
    records.result("PASSED", "tiles", "good", configuration="native")
    records.result("FAILED", "tiles", "edge", configuration="native",
                   message="got 3, expected 4", file=directory + "/tile.cl",
                   line=5, reproduce="openclaw test --suite tiles edge",
                   detail="line one\nline two\n", seen="wrong result")
    records.result("SKIPPED", "tiles", "image", configuration="native",
                   message="no images here")
    records.result("not-injected", "tiles", "away", configuration="native",
                   message="the layer saw no call")
    records.result("PASSED", "tiles", "good", configuration="oclgrind")
    records.result("FAILED", "tiles", "edge", configuration="oclgrind",
                   message="a finding that must not be",
                   reproduce="openclaw test --under oclgrind edge",
                   findings=[dict(kind="invalid-write", space="global",
                                  what="invalid write of 4 bytes",
                                  kernel="tile", file=directory + "/tile.cl",
                                  line=5, column=2, work_item="7,0,0",
                                  size_bytes=4, times=3)],
                   seen="invalid-write")
    for i in range(30):
        records.result("CRASH", "tiles", "alike%d" % i,
                       configuration="oclgrind",
                       message="ended by SIGSEGV", seen="SIGSEGV")
    records.add("note", text="a note")
    records.end(1)


def make_hostile(records, directory, count):
    long_name = "n" * (1 << 20)
    records.plan("test", 3 * len(HOSTILE) + 1,
                 "test " + " ".join("'%s'" % one for one in HOSTILE))
    for one in HOSTILE:
        records.add("environment", configuration=one, key=one, value=one)
        records.add("note", text=one)
        records.add("rule", rule=one, matched=1, fired=1)
        records.result("CRASH", one, one, configuration=one, message=one,
                       detail=one + "\n" + one, file=one, line=3, code=one,
                       fault=one, reproduce=one, seen=one, expects=one,
                       findings=[dict(kind="invalid-write", what=one,
                                      kernel=one, file=one, line=2,
                                      work_item=one, text=one, times=2)])
        records.result("SKIPPED", one, "skipped " + one, message=one)
        records.result("FAILED", "soak-site", one, message=one,
                       metrics="slope=1 low=" + one)
    records.result("FAILED", "long", long_name, message=long_name,
                   reproduce="x" * 100000, detail=long_name,
                   file=long_name, line=1)
    for i, one in enumerate(HOSTILE):
        records.add("event", t_ms=1000 * i, wall_ms=0, segment=0, run=1,
                    kind=one, code=one, text=one, signature=one, path=one,
                    injected=False, count=1)
    records.add("sample", t_ms=20000, wall_ms=0, segment=0, run=1,
                values={"rss": 5, HOSTILE[0]: 7, "heap": 1e308,
                        "launch_p50": 1e-300, "events": -1e23})
    records.add("sample", t_ms=30000, wall_ms=0, segment=0, run=1,
                values={"rss": 6, "heap": -1e308, "launch_p50": 1e308,
                        "events": 1e23})
    records.add("comparison", directory=HOSTILE[0], started=HOSTILE[1],
                text=HOSTILE[4])
    records.add("change", change="newly failing", suite=HOSTILE[0],
                name=HOSTILE[1], configuration=HOSTILE[2], text=HOSTILE[4])
    records.end(1)


def make_sweep(records, directory, count):
    with open(os.path.join(directory, "load.c"), "w",
              encoding="utf-8") as out:
        out.write("\n".join("/* line %d */" % i for i in range(1, 40)))
    records.plan("sweep", 6)
    records.add("environment", key="called", value="clCreateBuffer clFinish")
    records.result("handled", "sweep", "clFinish oom once at main #1",
                   fault="clFinish:oom:when=1")
    for i, verdict in enumerate(["CRASH", "CRASH", "swallowed", "leak"]):
        records.result(verdict, "sweep",
                       "clCreateBuffer oom once at load%d < main #1" % i,
                       fault="clCreateBuffer:oom:when=%d" % (i + 1),
                       message="what happened in load%d" % i,
                       seen="SIGSEGV load%d < main" % i,
                       detail="a stack\n", file=directory + "/load.c",
                       line=12 if i < 2 else 20 + i, code="clw-out-of-memory",
                       reproduce="openclaw inject --fault x:when=%d -- p" % i)
    records.result("not-reached", "sweep", "clFinish oom once at main #2",
                   fault="clFinish:oom:when=2", message="it was not reached")
    records.end(1)


def make_check(records, directory, count):
    records.plan("check", 1)
    records.result("leak", "check", "program: clCreateBuffer < load < main",
                   message="4 buffers of 4096 bytes were never released",
                   detail="clCreateBuffer\n  #0 load (load.c:12)\n",
                   reproduce="openclaw check -- ./program")
    records.result("misuse", "check", "program: use-after-release < main",
                   message="clFinish of a queue that was released")
    records.end(1)


def make_clean(records, directory, count):
    records.plan("check", 1)
    records.result("PASSED", "check", "program", message="no leaks")
    records.end(0)


def make_cut(records, directory, count):
    """A run that was killed after the first of two."""
    records.plan("test", 2)
    records.result("PASSED", "tiles", "good")
    records.out.close()


def make_tests(records, directory, count):
    records.plan("test", count)
    for i in range(count):
        records.result("PASSED", "suite%d" % (i // 500), "case_%06d" % i,
                       configuration="native")
    records.end(0)


def make_failing(records, directory, count):
    records.plan("test", count)
    for i in range(count):
        records.result("FAILED", "suite%d" % (i // 500), "case_%06d" % i,
                       configuration="native", message="got %d" % i,
                       detail="a line of detail\n" * 40,
                       reproduce="openclaw test case_%06d" % i)
    records.end(1)


def soak_values(i, count, step_s, chance):
    hours = i * step_s / 3600
    warm = 1 - math.exp(-i / (count * 0.01 + 1))
    slow = 1 + 0.15 * i / count
    base = 0.21 * slow
    noise = chance.gauss(0, 1)
    return {
        "rss": (180 + 60 * warm + 2.5 * hours + 3 * noise) * 2**20,
        "heap": (90 + 40 * warm + 2.4 * hours + noise) * 2**20,
        "threads": 9, "files": 23 + (1 if chance.random() < 0.05 else 0),
        "cpu": 180 + 10 * noise, "contexts": 1, "queues": 2, "programs": 1,
        "kernels": 3, "samplers": 0, "events": 4 + int(5 * chance.random()),
        "memory_objects": 12 + int(1.4 * i * step_s / 60),
        "device_bytes": (64 + 1.4 * i * step_s / 60 / 256) * 2**20,
        "calls": 41000.0 * i, "errors": i // 200, "faults": i // 90,
        "launches": 9000 * i, "iterations": 900 * i, "wrong_results": 0,
        "restarts": i // 600,
        "launch_rate": 150 / slow + noise, "iteration_rate": 15 / slow,
        "transfer_rate": (410 + 5 * noise) * 2**20,
        "launch_p50": base * (1 + 0.02 * noise), "launch_p90": base * 1.6,
        "launch_p99": base * 4 * (1 + 0.1 * abs(noise)),
        "launch_max": base * 20 * (1 + chance.random() ** 6 * 30),
        "transfer_p50": 1.2, "transfer_p90": 1.5 + 0.02 * noise,
        "transfer_p99": 2.5 + 0.1 * abs(noise), "transfer_max": 6.0,
        "temperature": 58 + 6 * warm + noise, "clock": 1410, "power": 180,
        "ecc_corrected": 1 if i > count // 2 else 0,
    }


def make_samples(records, directory, count):
    """Only many."""
    records.plan("run", 1)
    for i in range(count):
        records.add("sample", t_ms=1000 * i, wall_ms=0, segment=0, run=1,
                    values=dict(rss=i * 4096 + i * i % 97, heap=i * i % 1013,
                                events=i % 7, launch_p50=1 + i % 5,
                                launch_max=9 + i % 91, launches=i))
    records.result("leak", "soak", "rss", message="grows")
    records.end(1)


def make_soak(records, directory, count):
    chance = random.Random(1)
    step_s = 60 if count < 5000 else 1
    begin = 1795194000000
    site = "clCreateBuffer < load_tile < main"
    records.plan("run", 6, "run --duration 24h --workload tile.clw")
    records.add("environment", key="device", value="a device")
    records.add("segment", segment=0, started="2026-11-20T17:00:00Z",
                boot_id="x", wall_ms=begin, t_ms=0)
    for i in range(count):
        t_ms = i * step_s * 1000
        when = dict(t_ms=t_ms, wall_ms=begin + t_ms,
                    segment=int(i > count * 0.6), run=1 + i // 600)
        values = soak_values(i, count, step_s, chance)
        if count * 0.3 < i < count * 0.35:
            del values["temperature"]
        records.add("sample", values=values, sites=[
            dict(site=site, place="load_tile (tile.c:88)", objects=i,
                 bytes=4096 * i)], **when)
        if i % 600 == 599:
            records.add("event", kind="crash", code="clw-driver-crash",
                        text="ended by SIGSEGV in clEnqueueNDRangeKernel",
                        signature="SIGSEGV tile < main",
                        path="dumps/%d.dmp" % i, injected=False, count=1,
                        **when)
        if i % 90 == 89:
            records.add("event", kind="fault", code="clw-out-of-memory",
                        text="clCreateBuffer:oom:p=1% fired", injected=True,
                        count=1 + i % 4, **when)
        if i == count // 2:
            records.add("event", kind="ecc", code="clw-ecc-error",
                        text="1 corrected ECC error", injected=False, count=1,
                        **when)
        if i == int(count * 0.6) + 1:
            records.add("event", kind="resume", text="went on after a restart",
                        injected=False, count=1, **when)
    records.result("leak", "soak", "memory_objects",
                   message="grows by 84 an hour (83 to 85), 12 at the begin",
                   metrics="slope=84 low=83 high=85 exhausted_hours=870")
    records.result("leak", "soak", "heap",
                   message="grows by 2.4 MiB an hour",
                   metrics="slope=2516582 low=2411724 high=2621440")
    records.result("slowdown", "soak", "launch_p50",
                   message="0.21 ms at the begin, 0.24 ms at the end",
                   metrics="slope=0.0013 low=0.0012 high=0.0014")
    records.result("PASSED", "soak", "contexts", message="steady")
    records.result("unknown", "soak", "rss", message="grows, but so noisily "
                   "that it may as well not")
    records.result("leak", "soak-site", site, file="tile.c", line=88,
                   message="84 memory objects an hour, 336 KiB an hour; 2,016 "
                   "are alive", metrics="slope=84 low=83 high=85",
                   seen="objects", reproduce="openclaw check -- ./program")
    records.result("CRASH", "soak-crash", "SIGSEGV tile < main",
                   message="2 times, first after 9:59:00 h",
                   reproduce="openclaw repro dumps/599.dmp")
    records.end(1)


def main():
    kind, directory = sys.argv[1], os.path.abspath(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1440
    records = Records(directory)
    globals()["make_" + kind](records, directory, count)


if __name__ == "__main__":
    main()
