# SPDX-License-Identifier: Apache-2.0
"""pytest plugin: inject OpenCL faults into tests, find what they leak.

    @pytest.mark.claw_fault("clCreateBuffer:oom:when=1")
    def test_no_memory():
        with pytest.raises(pyopencl.MemoryError):
            load()

    def test_retry(claw):
        fault = claw.arm("clBuildProgram:build-fail:when=1")
        assert build() is not None
        assert fault.fired == 1

    pytest --claw               with openclaw's layer loaded
    pytest --claw-check         and a test that leaks OpenCL objects, or uses
                                them too late, fails
    pytest --claw-sweep         and each test that passes is run again for each
                                OpenCL call that it makes, with that call
                                failing

The grammar of rules is in openclaw-faults(7). A rule is armed in this process
while the test runs (its fixtures are not affected), and "when=" counts from
there. A test whose fault never fired fails, and so does one that cannot arm it:
no layer, a wrong rule.

A test of --claw-sweep is right with a failing call when it passes, or ends with
an OpenCL error: one of pyopencl's or pyopenclaw's exceptions, MemoryError, or
one of the ini file's claw_errors (names of classes). Any other exception,
a leak, or a use of what is gone, is a failure. A call that crashes the process
ends pytest: "openclaw sweep -- pytest TEST" has a process for each point.
"""
import gc
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import pytest
from _pytest.runner import runtestprotocol

from . import session as sessions
from .layer import Fault, LayerError, load, program

OWN_SESSION = "PYTEST_OPENCLAW_SESSION"
_faults = pytest.StashKey()
_problems = pytest.StashKey()
_state = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("openclaw", "OpenCL faults (openclaw)")
    group.addoption("--claw", action="store_true",
                    help="load openclaw's layer, for claw_fault")
    group.addoption("--claw-check", action="store_true",
                    help="fail tests that leak OpenCL objects or use them too "
                         "late; loads the layer")
    group.addoption("--claw-sweep", action="store_true",
                    help="run each test again for each OpenCL call it makes, "
                         "with that call failing; includes --claw-check")
    group.addoption("--claw-calls", metavar="N", type=int, default=0,
                    help="with --claw-sweep: only for the first N calls of "
                         "each function [0: all]")
    parser.addini("claw_errors", type="args", default=[],
                  help="exceptions (names of classes) that report an OpenCL "
                       "error, for --claw-sweep")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "claw_fault(rule, ...): inject these OpenCL faults while "
        "the test runs; it fails unless each of them fires")
    config.addinivalue_line(
        "markers", "claw_no_check: no --claw-check of this test, for what it "
        "keeps on purpose")
    config.addinivalue_line(
        "markers", "claw_no_sweep: no --claw-sweep of this test")
    config.stash[_state] = State(config)


def pytest_unconfigure(config):
    directory = os.environ.get("OPENCLAW_SESSION")
    if os.environ.get(OWN_SESSION) == "%d %s" % (os.getpid(), directory):
        shutil.rmtree(os.path.dirname(directory), ignore_errors=True)


# ---- the layer -------------------------------------------------------------


def _wants(config):
    option = config.option
    checks = option.claw_check or option.claw_sweep
    return option.claw or checks, checks


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Without the layer: start again with it. It has to be there before the
    first OpenCL call."""
    wanted, checks = _wants(config)
    if not wanted or config.option.help or config.option.version:
        return
    found = sessions.current()
    if found and (found.has_ledger() or not checks):
        return
    if not checks and "libopenclaw-layer" in os.environ.get("OPENCL_LAYERS",
                                                            ""):
        return
    if found:
        raise pytest.UsageError("--claw-check: this run's openclaw session "
                                "keeps no account of objects; start pytest "
                                "with openclaw check")
    _start_again(config)


def _start_again(config):
    name = program()
    if not name:
        raise pytest.UsageError("--claw: openclaw is not on PATH; set OPENCLAW")
    if os.path.basename(sys.argv[0]) not in ("pytest", "py.test", "__main__.py",
                                             "pytest-3", "py.test-3"):
        raise pytest.UsageError(
            "--claw: pytest was started by another program, which has to be "
            "started again: DIR=$(mktemp -d) && eval \"$(openclaw env --check "
            "-o $DIR/session)\"")
    directory = os.path.join(tempfile.mkdtemp(prefix="openclaw-pytest."),
                             "session")
    try:
        done = subprocess.run([name, "env", "--check", "-o", directory],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        problem = done.stderr.strip() if done.returncode else None
    except OSError as error:
        problem = str(error)
    if problem:
        shutil.rmtree(os.path.dirname(directory), ignore_errors=True)
        raise pytest.UsageError("--claw: " + problem)
    for words in map(shlex.split, done.stdout.split("\n")):
        if words[:1] == ["export"]:
            variable, _, value = words[1].partition("=")
            os.environ[variable] = value
    os.environ[OWN_SESSION] = "%d %s" % (os.getpid(), directory)
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture:
        capture.stop_global_capturing()
    sys.stdout.flush()
    sys.stderr.flush()
    command = getattr(sys, "orig_argv", None)
    command = [sys.executable] + (
        command[1:] if command else
        ["-m", "pytest"] + [str(one) for one in config.invocation_params.args])
    os.execv(sys.executable, command)


def pytest_sessionstart(session):
    """Where nothing is seen, no test may pass as checked."""
    state = session.config.stash[_state]
    problem = None
    if state.wanted:
        try:
            load()
            if not (state.checks and state.session.is_kept()):
                problem = "the layer keeps no account of objects in this run"
        except (LayerError, sessions.SessionError) as error:
            problem = str(error)
    if problem:
        raise pytest.UsageError("--claw-check: " + problem)


# ---- faults ----------------------------------------------------------------


def _arm(rules, item):
    """A Fault for each; without the layer the test fails here, and at its end
    where it has caught that."""
    faults = item.stash[_faults]
    problem = None
    try:
        for rule in rules:
            faults.append(Fault(rule))
    except LayerError as error:
        problem = str(error)
    if problem:
        for fault in faults:
            fault.disarm()
        item.stash[_problems].append(problem)
        pytest.fail(problem, pytrace=False)


def _rules_of(item):
    """Those of its markers. One without a rule would pass whatever happens."""
    for marker in item.iter_markers("claw_fault"):
        problem = None
        if marker.kwargs:
            problem = "unknown keyword " + ", ".join(sorted(marker.kwargs))
        elif not marker.args:
            problem = "found none"
        elif not all(isinstance(rule, str) for rule in marker.args):
            problem = "found " + ", ".join(map(repr, marker.args))
        if problem:
            pytest.fail("claw_fault: expected a rule such as "
                        "\"clCreateBuffer:oom:when=1\", " + problem,
                        pytrace=False)
        yield from marker.args


class Claw:
    """The fixture claw: faults, leaks and lifetime errors of one test."""

    def __init__(self, item):
        self._item = item
        self._state = item.config.stash[_state]

    def arm(self, rule):
        """Inject the fault until the end of the test, or of a with block, or
        disarm(); the test fails unless it fires. Its .fired is how often."""
        if not isinstance(rule, str):
            raise TypeError("claw.arm: expected a rule, found %r" % (rule,))
        _arm([rule], self._item)
        return self._item.stash[_faults][-1]

    def fired(self):
        """How often all faults of this test have fired, those of claw_fault,
        too."""
        return sum(fault.fired for fault in self._item.stash[_faults])

    def leaks(self):
        """OpenCL objects that were made since the test began, and are alive:
        a list of .function, .place, .stack, .bytes, .handle."""
        self._needs_ledger()
        gc.collect()
        return self._state.leaks()

    def findings(self):
        """Lifetime errors since the test began: a list of .kind, .text."""
        self._needs_ledger()
        return self._state.findings()

    def _needs_ledger(self):
        if not self._state.checks:
            pytest.fail("openclaw keeps no account of objects; run: pytest "
                        "--claw-check", pytrace=False)


@pytest.fixture
def claw(request):
    """Inject OpenCL faults, and ask what is leaked: arm(rule), fired(),
    leaks(), findings()."""
    return Claw(request.node)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    item.stash[_faults] = []
    item.stash[_problems] = []
    state = item.config.stash[_state]
    # With --claw-check _run() has done it.
    if state.checks and not state.wanted:
        state.test_begin()
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    state = item.config.stash[_state]
    faults = item.stash[_faults]
    _arm(list(_rules_of(item)) + state.point_rules, item)
    state.count_begin()
    yield
    state.count_end()
    for fault in faults:
        fault.disarm()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.when != "call":
        return
    report.claw_error = call.excinfo and _is_error(item.config,
                                                   call.excinfo.type)
    quiet = [fault.rule for fault in item.stash.get(_faults, [])
             if not fault.fired]
    wrong = ["openclaw: " + one for one in item.stash.get(_problems, [])] + \
        ["openclaw: the fault never fired: " + rule for rule in quiet]
    if wrong and report.passed:
        report.outcome = "failed"
        report.longrepr = "\n".join(wrong)
    report.claw_quiet = quiet


def _is_error(config, kind):
    names = config.getini("claw_errors")
    return any(one is MemoryError or one.__name__ in names or
               "%s.%s" % (one.__module__, one.__name__) in names or
               one.__module__.split(".")[0] in ("pyopencl", "pyopenclaw")
               for one in kind.__mro__)


# ---- leaks, and the sweep --------------------------------------------------


class State:
    """Of the run: what the session says of the test that runs."""

    def __init__(self, config):
        self.session = sessions.current()
        self.checks = bool(self.session and self.session.has_ledger())
        self.wanted = _wants(config)[1]
        self.sweep = config.option.claw_sweep
        self.most = config.option.claw_calls
        self.point_rules = []
        self.outside = []       # serials of what wider fixtures have made
        self.begin = 0
        self.found = []
        self.before = self.calls = None
        self.table = None

    def test_begin(self):
        self.begin = self.session.last_serial()
        self.session.new_findings()
        self.outside = []
        self.found = []
        self.calls = None

    def leaks(self):
        return [one for one in self.session.alive(self.begin)
                if not any(low < one.serial <= high
                           for low, high in self.outside) and
                not _is_kept(one)]

    def findings(self):
        self.found += self.session.new_findings()
        return list(self.found)

    def count_begin(self):
        if self.sweep and self.checks:
            self.before = self.session.calls()

    def count_end(self):
        if self.sweep and self.checks:
            self.calls = {name: count - self.before.get(name, 0)
                          for name, count in self.session.calls().items()}

    def rules(self):
        """Those of its calls that can fail, by function and number."""
        if self.table is None:
            done = subprocess.run([program() or "openclaw", "info", "--api",
                                   "--json"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, check=True)
            self.table = json.loads(done.stdout)
        for one in self.table:
            count = (self.calls or {}).get(one["name"], 0)
            for number in range(1, min(count, self.most or count) + 1):
                for fault, when in _points_of(one):
                    yield "%s:%s:when=%d%s" % (one["name"], fault, number,
                                               when)


def _is_kept(leak):
    """pyopenclaw makes a device's context and a file's program once."""
    devices = sys.modules.get("pyopenclaw.devices")
    return devices is not None and devices.keeps(leak.handle)


def _points_of(function):
    """(fault, "" or ".."). pyopencl collects garbage and tries once more when
    memory or resources are short: those last, too."""
    groups = function["groups"]
    if not function["errors"] or "release" in groups or \
            function["effect"].startswith("RETAINS"):
        return []
    if "query" in groups:
        return [("oom-host", "")] \
            if "CL_OUT_OF_HOST_MEMORY" in function["errors"] else []
    if "alloc" in groups:
        return [("oom", ""), ("oom", "..")]
    if function["name"] == "clBuildProgram":
        return [("build-fail", "")]
    fault = "error=" + function["errors"][0]
    return [(fault, ""), (fault, "..")] if "enqueue" in groups else \
        [(fault, "")]


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef, request):
    """What a fixture makes that outlives the test is no leak of the test's."""
    state = request.config.stash[_state]
    wider = state.checks and fixturedef.scope != "function"
    low = state.session.last_serial() if wider else 0
    yield
    if wider:
        state.outside.append((low, state.session.last_serial()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    state = item.config.stash[_state]
    if not state.wanted:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid,
                                       location=item.location)
    reports = _run(item, nextitem, state)
    _log(item, reports)
    if state.sweep and all(one.passed for one in reports) and \
            not item.get_closest_marker("claw_no_sweep") and \
            not item.stash[_faults]:
        _sweep(item, nextitem, state)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid,
                                        location=item.location)
    return True


def _sweep(item, nextitem, state):
    """What the first run has put into caches is not called for again: the
    calls of a second one count."""
    again = _run(item, nextitem, state)
    if not all(one.passed for one in again):
        _rename(again, "again")
        _log(item, again)
        return
    rules = list(state.rules())
    if not rules:
        _log(item, [_no_points(item)])
    for rule in rules:
        if item.session.shouldstop or item.session.shouldfail:
            break
        _log(item, _run_point(item, nextitem, state, rule))


def _no_points(item):
    """A test that makes no call is not swept: that is no pass."""
    path, line, name = item.location
    return pytest.TestReport(
        nodeid=item.nodeid + "@sweep", location=(path, line, name + "@sweep"),
        keywords={}, outcome="skipped", when="call",
        longrepr=(path, (line or 0) + 1, "Skipped: openclaw: it makes no "
                  "OpenCL call that can fail: nothing was swept"))


def _rename(reports, suffix):
    for report in reports:
        report.nodeid += "@" + suffix
        report.location = report.location[:2] + (report.location[2] + "@"
                                                 + suffix,)


def _log(item, reports):
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)


def _run(item, nextitem, state):
    """Run it once; the reports, with what was leaked in that of the test."""
    state.test_begin()
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        if hasattr(sys, name):
            delattr(sys, name)
    gc.collect()
    if item.get_closest_marker("claw_no_check"):
        return reports
    try:
        lines = ["openclaw: leak: an object %s" % one for one in state.leaks()]
        lines += ["openclaw: %s" % one for one in state.findings()]
    except sessions.SessionError as error:
        lines = ["openclaw: not checked: %s" % error]
    if lines:
        _fail(reports, "\n".join(lines))
    return reports


def _fail(reports, text):
    report = next((one for one in reports if one.when == "call"), reports[-1])
    if report.failed:
        report.sections.append(("openclaw", text))
    else:
        report.outcome = "failed"
        report.longrepr = text
        if hasattr(report, "wasxfail"):
            del report.wasxfail
    report.claw_error = None


def _run_point(item, nextitem, state, rule):
    state.point_rules = [rule]
    try:
        reports = _run(item, nextitem, state)
    finally:
        state.point_rules = []
    _rename(reports, rule)
    for report in reports:
        if report.when == "call" and report.failed and report.claw_error \
                and not report.claw_quiet:
            report.outcome = "passed"
            report.longrepr = None
    return reports
