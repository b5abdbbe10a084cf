#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""diff_records.py KIND DIR: DIR/records.jsonl of a run that never was.

KIND: clean, leak, faster, crash, unknown, slow, cut (soaks), profile, larger
(profiles), tests.
"""
import json
import os
import sys

from html_records import Records

KIB = 1024
SITE = "clCreateBuffer < lose < main <img src=x onerror=alert(1)>"


def metrics(slope, low, high):
    return "samples=40 slope=%g low=%g high=%g" % (slope, low, high)


def make_soak(records, kind):
    leaks = kind in ("leak", "faster", "unknown")
    rate = 1024 * KIB * (3 if kind == "faster" else 1)
    launch = 0.15 if kind == "leak" else 0.1
    records.plan("run", 3, "run --duration 1h -- ./program")
    records.add("environment", configuration="native", key="driver",
                value="2" if leaks else "1")
    records.add("segment", segment=0, started="2026-11-20T17:00:00Z",
                wall_ms=0, t_ms=0)
    for i in range(40):
        values = {"device_bytes": 4 * KIB + (i * rate // 400 if leaks else 0),
                  "launch_p50": launch, "rss": 1e6 + i % 3}
        records.add("sample", t_ms=i * 9000, wall_ms=i * 9000, segment=0,
                    run=1, values=values, sites=[])
    if kind == "cut":
        records.out.close()
        return
    records.result("PASSED", "soak", "workload", message="40 iterations")
    if kind == "crash":
        records.result("CRASH", "soak-crash", "SIGSEGV in load",
                       message="3 times, first after 1.0 s")
    verdict = {"leak": "leak", "faster": "leak",
               "unknown": "unknown"}.get(kind, "PASSED")
    if verdict == "leak":
        records.result("leak", "soak-site", SITE, message="it grows",
                       metrics=metrics(rate, rate * 0.9, rate * 1.1))
    slope = metrics(rate, 900 * KIB, 1.1 * 1024 * KIB) if leaks else \
        metrics(0, 0, 0)
    records.result(verdict, "soak", "device_bytes", message="so it is",
                   metrics=slope)
    records.result("slowdown" if kind == "slow" else "PASSED", "soak",
                   "launch_p50", metrics=metrics(0, 0, 0))
    records.end(1 if kind not in ("clean", "unknown") else 0)


def make_profile(records, kind, directory):
    size = (12 if kind == "larger" else 4) << 20
    name = "grow" if kind == "larger" else "load"
    records.plan("profile", 1)
    records.add("sample", t_ms=100, wall_ms=100, segment=0, run=1,
                values={"device_bytes": size}, sites=[])
    records.result("PASSED", "profile", "program")
    records.end(0)
    with open(os.path.join(directory, "profile.json"), "w",
              encoding="utf-8") as out:
        json.dump({"peak_bytes": size, "end_bytes": 0,
                   "owners_at_peak": [{
                       "place": name + " (a.c:%d)" % (1 + (name == "grow")),
                       "site": "clCreateBuffer < %s < main" % name,
                       "bytes": size}]}, out)


def main():
    kind, directory = sys.argv[1:3]
    records = Records(directory)
    if kind == "tests":
        records.plan("test", 1)
        records.result("FAILED", "tiles", "edge")
        records.end(1)
    elif kind in ("profile", "larger"):
        make_profile(records, kind, directory)
    else:
        make_soak(records, kind)


main()
