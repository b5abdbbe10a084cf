# SPDX-License-Identifier: Apache-2.0
"""transcript.py DOCUMENT DIRECTORY: run the transcripts of a document.

Each "    $ COMMAND" of an indented block is run by sh, in order, in DIRECTORY;
the lines below it are what the command prints on standard output and standard
error, in any order of the two. "    ..." stands for lines that are left out.
Numbers are masked, blanks at a line's ends ignored. OPENCLAW stands for the
source directory. Prints a TAP line a command; exit status 1 when one differs.
"""
import os
import re
import subprocess
import sys

document, directory = sys.argv[1:3]
placeholder = os.environ["TRANSCRIPT_SOURCE"]
PYTHON = os.environ.get("TRANSCRIPT_PYTHON", "python3")


def masked(line):
    line = re.sub(r"0x[0-9a-f]+|site=[0-9a-f]+|[0-9]+(\.[0-9]+)?", "N", line)
    return line.strip()


def transcripts(path):
    command, expected = None, []
    for line in open(path, encoding="utf-8"):
        text = line.rstrip("\n")
        if text.startswith("    $ "):
            if command:
                yield command, expected
            command, expected = text[6:], []
        elif command and text.startswith("    "):
            expected.append(text[4:])
        elif command:
            yield command, expected
            command, expected = None, []
    if command:
        yield command, expected


def missing(expected, printed):
    """The first line that is not there; in order, for each of the streams."""
    at = 0
    skips = False
    for line in expected:
        if line.strip() == "...":
            skips = True
            continue
        want = masked(line)
        place = next((i for i in range(at, len(printed))
                      if printed[i] == want), None)
        if place is None or (not skips and place != at):
            return line
        at, skips = place + 1, False
    if not skips and at < len(printed) and expected:
        return "(nothing more; found: %s)" % printed[at]
    return None


failed = False
for command, expected in transcripts(document):
    line = command.replace("OPENCLAW/", placeholder + "/")
    line = re.sub(r"\bpython3\b", PYTHON, line)
    run = subprocess.run(["sh", "-c", line + " 2>err.txt; cat err.txt"],
                         cwd=directory, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, timeout=300, check=False)
    text = run.stdout.decode("utf-8", "replace")
    printed = [masked(x) for x in text.split("\n") if x.strip()]
    wrong = missing([x for x in expected if x.strip()], printed)
    name = "%s: %s" % (os.path.basename(document), command[:60])
    if wrong is None:
        print("ok", name)
    else:
        failed = True
        print("not ok %s\n# lacks: %s\n# printed:" % (name, wrong))
        print("\n".join("#   " + x for x in text.split("\n")[:40]))
sys.exit(failed)
