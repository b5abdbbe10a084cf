# SPDX-License-Identifier: Apache-2.0
"""The fixture openclaw: run a program with faults and have it judged.

OPENCLAW names the program where it is not on PATH. Reports are kept in
openclaw-out/<test>, for the CI server to collect.
"""
import os
import re
import shutil
import subprocess

import pytest

CLEAN, FINDINGS, NOTHING_HERE = 0, 1, 77


class Openclaw:
    def __init__(self, program, name):
        self.program = program
        self.name = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-")

    def judge(self, command, *faults, seed=1, timeout="60s"):
        """Fail the test unless the command handles the faults.

        The test is skipped where nothing could run. All else, such as a fault
        that was never reached, fails: it is not known to be handled.
        """
        line = [self.program, "inject", "--judge", "--seed", str(seed),
                "--timeout", timeout, "--force",
                "--output", os.path.join("openclaw-out", self.name)]
        for fault in faults:
            line += ["--fault", fault]
        done = subprocess.run(line + ["--"] + [str(word) for word in command],
                              stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == NOTHING_HERE:
            pytest.skip(done.stdout)
        if done.returncode != CLEAN:
            pytest.fail("openclaw ended with %d:\n%s"
                        % (done.returncode, done.stdout), pytrace=False)
        return done.stdout


@pytest.fixture
def openclaw(request):
    program = os.environ.get("OPENCLAW") or shutil.which("openclaw")
    if not program:
        pytest.fail("openclaw is not on PATH; set OPENCLAW", pytrace=False)
    return Openclaw(program, request.node.name)
