# SPDX-License-Identifier: Apache-2.0
"""A kernel file with random kernels, and what has to be found in it."""
import itertools
import random

from sanitizer_fuzz import truth
from sanitizer_fuzz.function import C_KINDS, Function, Pointer, WORDS

KERNELS = 12                    # of a program


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.python, self.functions, self.tests = [], [], [], []
        self.line("struct S { int a; int b[3]; long c; };")
        for i, space in enumerate(["global", "local", "private"]):
            self.function(f"f{i}", space)
        for i in range(KERNELS):
            self.kernel(f"k{i}")

    def line(self, text):
        self.lines.append(text)

    def function(self, name, space):
        one = Function(self, name)
        one.in_function = True
        self.line(f"{self.random.choice(['static ', '', 'inline static '])}int "
                  f"{name}({space} int *p, int a, int b)")
        self.line("{")
        one.py.append(f"def {name}(truth, p, a, b):")
        one.line("uint sum = 0;", "pass")
        one.numbers = [("a", "i"), ("b", "i")]
        one.fixed = self.random.choice([set(), {"a", "b"}, {"a", "b"}])
        one.pointers = [Pointer("p", "p", space)]
        for _ in range(2):
            one.statement(2)
        one.line("return sum;")
        self.line("}")
        self.python += one.py
        self.functions.append((name, space))

    def kernel(self, name):
        pick, one = self.random, Function(self, name)
        dimensions = pick.choice([1, 1, 2, 3])
        local = [pick.choice([1, 2, 4 if dimensions == 1 else 2])
                 for _ in range(dimensions)]
        size = [count * pick.choice([1, 2, 3 if dimensions == 1 else 2])
                for count in local]
        ints = [pick.choice([4, 9, 16, 40]) for _ in range(3)]
        scalar = [pick.choice([0, 1, 3, 8, 20]), pick.choice([-2, 2, 5])]
        self.line(f"kernel void {name}(global int *a, global const int *words, "
                  "global struct S *s, local int *l, int n, int m, "
                  "global int *o)")
        self.line("{")
        one.py += [f"def {name}(truth, g, h):",
                   f"\ta = ({4 * ints[0]}, 0)", f"\ts = ({24 * 3}, 0)",
                   f"\tl = ({4 * ints[1]}, 0)",
                   f"\tn, m = {scalar[0]}, {scalar[1]}"]
        one.pointers = [Pointer("a", "a", "global"), Pointer("l", "l", "local"),
                        Pointer("o", "o", "global")]
        one.py.append(f"\to = ({4 * ints[2]}, 0)")
        one.structs = [("s", True, "s")]
        one.line("uint sum = 0;")
        one.line("int t[7] = { 0 };", "t = (28, 0)")
        one.line("int u[3][4] = { { 0 } };")
        one.line("local int tile[10];", "tile = (40, 0)")
        # What nobody writes to has no value: a compiler may leave out all that
        # comes behind its use.
        one.line("for (int i = 0; i < 10; i++)")
        one.line("\ttile[i] = 0;")
        one.line("struct S own = { 0 };", "own = (24, 0)")
        one.arrays = [("t", [7]), ("u", [3, 4]), ("tile", [10])]
        one.structs.append(("own", False, "own"))
        one.pointers.append(Pointer("t", "t", "private"))
        one.pointers.append(Pointer("tile", "tile", "local"))
        one.numbers = [("n", "i"), ("m", "i")]
        for d in range(dimensions):
            kind = pick.choice(["i", "i", "u", "z"])
            of, at = pick.choice([("global", "g"), ("global", "g"), ("local", "h")])
            one.line(f"{C_KINDS[kind]} x{d} = get_{of}_id({d});",
                     f"x{d} = {at}[{d}]")
            one.numbers.append((f"x{d}", kind))
            if pick.random() < .85:
                one.fixed.add(f"x{d}")
        if pick.random() < .8:
            one.fixed |= {"n", "m"}
        if pick.random() < .3:
            guard = one.condition()
            one.line(f"if ({guard.c})", f"if {guard.py}:")
            one.line("\treturn;", "\treturn")
        for _ in range(pick.randint(2, 6)):
            one.statement(3)
        one.line("if (sum == 123456789)")
        one.line("\to[0] = sum;")
        self.line("}")
        self.python += one.py
        self.tests.append((name, size, local, ints, scalar))

    def file(self):
        """The kernel file, and how many lines are in front of the kernels."""
        head = ["/*!", "[config]", "name: fuzz_bug"]
        for name, size, local, ints, scalar in self.tests:
            words = " ".join(str(word) for word in WORDS)
            head += ["[test]", f"name: {name}", f"kernel_name: {name}",
                     f"dimensions: {len(size)}",
                     "global_size: " + " ".join(str(n) for n in size),
                     "local_size: " + " ".join(str(n) for n in local),
                     f"arg_in: 0 buffer int[{ints[0]}] random",
                     f"arg_in: 1 buffer int[{len(WORDS)}] {words}",
                     "arg_in: 2 buffer int[18] random",
                     f"arg_in: 3 local int[{ints[1]}]",
                     f"arg_in: 4 int {scalar[0]}", f"arg_in: 5 int {scalar[1]}",
                     f"arg_in: 6 buffer int[{ints[2]}] random"]
        head.append("!*/")
        return "\n".join(head + self.lines) + "\n", len(head)

    def truth(self):
        """Of each kernel what goes wrong."""
        space = {**vars(truth), "WORDS": WORDS}
        exec("\n".join(self.python), space)     # pylint: disable=exec-used
        found = {}
        for name, size, local, _, _ in self.tests:
            seen = truth.Truth()
            group = local + [1] * (3 - len(local))
            whole = [range(n) for n in size + [1] * (3 - len(size))]
            try:
                for z, y, x in itertools.product(*reversed(whole)):
                    seen.item = (x, y, z)
                    inner = (x % group[0], y % group[1], z % group[2])
                    space[name](seen, seen.item, inner)
                found[name] = seen.wrong
            except truth.Undefined:
                pass
        return found
