# SPDX-License-Identifier: Apache-2.0
"""A kernel file of one kernel with random scenarios, each with objects of its
own, and which of their lines race."""
import itertools
import random

from sanitizer_fuzz import truth
from sanitizer_fuzz.function import Expression, Function, Pointer, SIZES, WORDS
from sanitizer_fuzz.races import GLOBAL, LOCAL, Races

INTS = 256                      # of each object
PART = 512                      # first byte of a part of one
TRIES = 30
SCENARIOS = 3                   # of a kernel: pocl takes long for more
FLAGS = {"CLK_LOCAL_MEM_FENCE": LOCAL, "CLK_GLOBAL_MEM_FENCE": GLOBAL,
         "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE": LOCAL | GLOBAL,
         "BOTH": LOCAL | GLOBAL, "0": 0}
# Ids and sizes: C, Python, type.
IDS = [("int lx", "get_local_id(0)", "h[0]"), ("int ly", "get_local_id(1)", "h[1]"),
       ("int gx", "get_global_id(0)", "g[0]"), ("int gy", "get_global_id(1)", "g[1]"),
       ("int sx", "get_local_size(0)", "s[0]"), ("int sy", "get_local_size(1)", "s[1]"),
       ("int wx", "get_group_id(0)", "w[0]"), ("int wy", "get_group_id(1)", "w[1]"),
       ("int nx", "get_global_size(0)", "z[0]"), ("int ny", "get_global_size(1)", "z[1]"),
       ("int li", "lx + ly * sx", "lx + ly * sx"),
       ("int gi", "gx + gy * nx", "gx + gy * nx"),
       ("int wi", "wx + wy * (nx / sx)", "wx + wy * (nx // sx)")]
# A work-item's own element, and what is nearly so.
OWN = ["lx", "li", "gx", "gi", "gi", "li", "gx", "gx - wx * sx"]
NEAR = ["lx + 1", "li + 1", "gx + 1", "gi + 1", "lx % 4", "lx % 16", "gx % 8",
        "lx / 2", "gx / 2", "gi / 2", "li * 2", "li * 2 + 1", "gi * 2",
        "gi * 2 + 1", "lx ^ 1", "li ^ 2", "sx - 1 - lx", "nx - 1 - gx",
        "lx * sx + ly", "ly * sx + lx", "lx + ly", "gx * ny + gy", "gx + gy",
        "gx * sx", "wx * sx + ly", "wi", "n", "n + lx", "lx + sx", "gx * n % 64",
        "lx & 3", "gx & 7", "lx * n", "gx + n", "gi + m + 2", "sx * sy + li",
        "lx + m + 2", "min(lx, 2)", "min(gx, n)", "max(gx, 2)", "lx * lx % 16",
        "wx * sx + lx", "wi * sx * sy + li", "gx % sx", "(gx + 1) % nx",
        "(lx + 1) % sx", "(lx + n) % sx", "nx - gx"]
CASTS = [("(uchar)(gx * 40)", "gx * 40 % 256"), ("(uchar)(gi * 128)", "gi * 128 % 256"),
         ("(uchar)(lx + 250)", "(lx + 250) % 256"), ("(uchar)gi", "gi % 256"),
         ("(ushort)(li + 65534) % 64", "(li + 65534) % 65536 % 64"),
         ("get_local_id(0)", "lx"), ("get_global_id(0)", "gx"),
         ("get_global_id(0) + get_global_id(1) * get_global_size(0)", "gi"),
         ("get_local_id(0) + get_local_id(1) * get_local_size(0)", "li"),
         ("get_group_id(0) * get_local_size(0) + get_local_id(0)", "wx * sx + lx"),
         ("get_local_id(1)", "ly")]
SOME = ["lx < n", "gx < n", "gi < n", "li == 0", "lx == 0", "gx == 1", "lx % 2",
        "gx % 2 == 0", "li < sx", "wi == 0", "lx < sx / 2", "li >= n", "ly == 0"]
ALIKE = ["n > 2", "m > 0", "n == m", "wi == 0", "wx < n", "sx > 2", "n < 100"]


def plain(text, kind="i"):
    """The same words in both; what is divided is not negative."""
    return Expression(text, text.replace("/", "//"), kind)


class Scenario(Function):
    """Statements that touch one object or a few."""

    def __init__(self, program, name):
        super().__init__(program, name)
        self.is_alike, self.meets, self.steps = True, True, []
        self.accesses = 0

    def access(self, c, *python):
        self.accesses += 1
        self.line(c, *python)

    # -- places

    def place_index(self):
        pick = self.random
        way = pick.random()
        if way < .4:
            index = plain(pick.choice(OWN))
        elif way < .7:
            index = plain(pick.choice(NEAR))
        elif way < .78:
            index = Expression(*pick.choice(CASTS))
        elif way < .88 and self.steps:
            step = pick.choice(self.steps)
            index = plain(pick.choice([f"{step} + lx", f"({step} & 1) * sx + lx",
                                       f"{step} * sx * sy + li", f"lx + {step} * sx",
                                       f"(lx + {step}) % sx", f"({step} + 1 & 1) * 16 + li",
                                       f"(li << {step})", step]))
        elif way < .93:
            index = plain(str(pick.choice([0, 0, 1, 5])))
        else:
            number = self.number()
            index = Expression(f"(({number.c}) & 15)", f"({number.py} & 15)")
        return index

    def pointer(self):
        base = self.random.choice(self.pointers)
        way = self.random.random()
        if way < .75:
            return base
        if way < .87:
            return self.further(base)
        element = self.random.choice(["char", "short", "int", "int2", "int4", "long"]
                                     if base.space == "global" else
                                     ["char", "short", "int"])
        return Pointer(f"(({base.space} {element} *)({base.c}))", base.py,
                       base.space, element)

    def further(self, base):
        index = self.place_index() if self.random.random() < .5 else \
            plain(str(self.random.choice([1, 2, 4, 16, 32])))
        size = SIZES[base.element]
        return Pointer(f"({base.c} + ({index.c}))",
                       f"({base.py}[0], {base.py}[1] + ({index.py}) * {size})",
                       base.space, base.element)

    def place(self, pointer, index):
        size = SIZES[pointer.element]
        return f"({pointer.py}[0], {pointer.py}[1] + ({index}) * {size})"

    def new_place(self):
        """C, Python, bytes, element."""
        pointer = self.pointer()
        index = self.place_index()
        size = SIZES[pointer.element]
        py = self.place(pointer, index.py)
        c = f"{pointer.c}[{index.c}]"
        if self.random.random() < .15:
            c = f"(*({pointer.c} + ({index.c})))"
        return c, py, size, pointer.element

    # -- statements

    def read(self):
        c, py, size, element = self.new_place()
        tail = ".x" if element in ("int2", "int4") else ""
        self.access(f"sum += ({c}){tail};",
                    f"truth.touch({self.here()}, {py}, {size}, 'r')")

    def value(self):
        pick = self.random
        if pick.random() < .5:
            text = str(pick.choice([0, 1, 7]))
            return Expression(text, text)
        return plain(pick.choice(["lx", "gx", "gi", "gi + 1", "n", "wi", "li % 2"]))

    def write(self):
        c, py, size, element = self.new_place()
        value = self.value()
        known = f"({value.py})" if element == "int" else "'?'"
        self.access(f"{c} = ({element})({value.c});",
                    f"truth.touch({self.here()}, {py}, {size}, 'w', {known})")

    def update(self):
        c, py, size, element = self.new_place()
        words = f"{c} += ({element})2;" if element in ("int2", "int4") else \
            self.random.choice([f"{c} += 2;", f"{c}++;", f"--{c};", f"{c} = {c} + 1;"])
        self.access(words, f"truth.update({self.here()}, {py}, {size})")

    def copy(self):
        c, py, size, element = self.new_place()
        c2, py2, size2, element2 = self.new_place()
        if {element, element2} & {"int2", "int4"}:
            return
        here = self.here()
        self.access(f"{c} = {c2};",
                    f"truth.touch({here}, {py2}, {size2}, 'r')",
                    f"truth.touch({here}, {py}, {size}, 'w', '?')")

    def atomic_access(self):
        pointer, index = self.random.choice(self.pointers), self.place_index()
        if pointer.element != "int":
            return
        call = self.random.choice(["atomic_add({}, 1)", "atomic_inc({})",
                                   "atomic_max({}, gx)", "atomic_xchg({}, lx)",
                                   "atomic_cmpxchg({}, 0, gx)", "atomic_or({}, 0)"])
        self.access(call.format(f"&{pointer.c}[{index.c}]") + ";",
                    f"truth.touch({self.here()}, {self.place(pointer, index.py)}, 4, 'a')")

    def vector_access(self):
        pointer, index = self.pointer(), self.place_index()
        if pointer.element in ("int2", "int4"):
            return
        count, here = self.random.choice([2, 3, 4, 8]), self.here()
        size = SIZES[pointer.element]
        at = f"({pointer.py}[0], {pointer.py}[1] + ({index.py}) * {count * size}"
        reads = self.random.random() < .5
        parts = [f"truth.touch({here}, {at} + {i * size}), {size}, "
                 f"'{'r' if reads else 'w'}')" for i in range(count)]
        self.access(f"sum += vload{count}({index.c}, {pointer.c}).x;" if reads else
                    f"vstore{count}(({pointer.element}{count})(gx), {index.c}, "
                    f"{pointer.c});", *parts)

    def fence(self):
        self.line(self.random.choice(["mem_fence(CLK_GLOBAL_MEM_FENCE);",
                                      "write_mem_fence(CLK_LOCAL_MEM_FENCE);"]))

    def barrier(self):
        if not (self.is_alike and self.meets):
            return
        words = self.random.choice(list(FLAGS))
        if self.random.random() < .5:
            words = "CLK_LOCAL_MEM_FENCE" if self.is_local() else \
                "CLK_GLOBAL_MEM_FENCE"
        text = self.random.choice([f"barrier({words});"] * 4 + [
            f"{{ const uint flags = {words}; barrier(flags); }}",
            f"meet({words});", f"MEET({words});"])
        self.line(text, f"truth.barrier({FLAGS[words]})")

    def is_local(self):
        return any(one.space == "local" for one in self.pointers)

    def choice(self, depth):
        pick = self.random
        alike = self.is_alike
        if alike and pick.random() < .4:
            text = plain(pick.choice(ALIKE + [f"{step} & 1" for step in self.steps]))
        else:
            text = plain(pick.choice(SOME)) if pick.random() < .8 else \
                self.condition()
            self.is_alike = False
        self.line(f"if ({text.c}) {{", f"if {text.py}:")
        self.block(depth - 1)
        if pick.random() < .4:
            self.line("} else {", "else:")
            self.block(depth - 1)
        self.line("}")
        self.is_alike = alike

    def alike_loop(self, depth):
        name, count = self.new("i"), self.random.choice(["2", "3", "n", "wi + 1"])
        self.line(f"for (int {name} = 0; {name} < {count}; {name}++) {{",
                  f"for {name} in range({count}):")
        self.steps.append(name)
        kept = self.fixed
        self.fixed = self.fixed | {name}
        self.block(depth - 1, self.random.randint(2, 4))
        self.fixed = kept
        self.steps.pop()
        self.line("}")

    def loop(self, depth):
        if self.random.random() < .75 and self.is_alike:
            self.alike_loop(depth)
            return
        alike, self.is_alike = self.is_alike, False
        super().loop(depth)
        self.is_alike = alike

    def call(self):
        fits = [(one, [p for p in self.pointers
                       if p.space == one.space and p.element == "int"])
                for one in self.program.callees
                if (self.is_alike and self.meets) or not one.meets]
        fits = [one for one in fits if one[1]]
        if not fits or self.in_function:
            return
        callee, pointers = self.random.choice(fits)
        pointer = self.random.choice(pointers)
        if self.random.random() < .4:
            pointer = self.further(pointer)
        a = self.place_index()
        self.accesses += 1
        self.line(f"sum += {callee.name}({pointer.c}, {a.c}, n, m);",
                  f"{callee.name}(truth, {pointer.py}, {a.py}, n, m, g, h, w, s, z)")

    def statement(self, depth):
        ways = [(self.read, 3), (self.write, 3), (self.update, 1.5),
                (self.copy, 1), (self.atomic_access, 1), (self.vector_access, .5),
                (self.barrier, 4.5), (self.fence, .2), (self.variable, .4),
                (self.pointer_variable, .6), (self.call, .7)]
        if depth > 0:
            ways += [(lambda: self.loop(depth), 1.2), (lambda: self.choice(depth), 1.5)]
        self.random.choices([one[0] for one in ways],
                            [one[1] for one in ways])[0]()

    def head(self):
        for words, c, py in IDS:
            self.line(f"const {words} = {c};", f"{words[4:]} = {py}")
        self.line("uint sum = 0;", "pass")
        self.numbers = [(words[4:], "i") for words, _, _ in IDS[:4]] + [
            ("n", "i"), ("m", "i")]
        self.fixed = {name for name, _ in self.numbers}


class RaceProgram:
    def __init__(self, seed):
        self.random = pick = random.Random(seed)
        self.lines, self.python = [], []
        self.dimensions = pick.choice([1, 1, 2])
        self.local, self.groups = pick.choice(
            [([4], [2]), ([8], [2]), ([16], [1]), ([1], [4]), ([3], [2]),
             ([32], [1]), ([2], [3]), ([64], [1])]
            if self.dimensions == 1 else
            [([4, 2], [1, 1]), ([2, 2], [2, 1]), ([4, 1], [1, 3]), ([1, 1], [2, 2]),
             ([8, 2], [2, 1]), ([2, 3], [1, 2]), ([1, 4], [2, 1])])
        self.scalars = [pick.choice([0, 1, 3, 8, 20]), pick.choice([-1, 2, 5])]
        self.callees, self.scenarios, self.arguments = [], [], []
        self.lines += ["#define BOTH (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
                       "#define MEET(flags) do { barrier(flags); } while (0)",
                       "static void meet(uint flags) { barrier(flags); }"]
        for i in range(pick.choice([0, 1, 3])):
            self.callee(f"f{i}")
        # In the kernel itself, or in a function; what has failed is given nothing.
        plan = [(i, self.objects(i), pick.random() < .6) for i in range(SCENARIOS)]
        done = [self.scenario(i, names, False) for i, names, is_inner in plan
                if not is_inner]
        self.kernel([names for _, names, _ in plan])
        self.lines += [one for one in done if one]
        for i, names, is_inner in plan:
            if is_inner:
                self.scenario(i, names, True)
        self.lines.append("}")

    def callee(self, name):
        one = Scenario(self, name)
        one.space = self.random.choice(["global", "local"])
        one.in_function, one.meets = True, self.random.random() < .4
        kept = len(self.lines)
        self.lines += [f"static int {name}({one.space} int *p, int a, int n, int m)",
                       "{"]
        one.py.append(f"def {name}(truth, p, a, n, m, g, h, w, s, z):")
        one.head()
        one.pointers = [Pointer("p", "p", one.space)]
        for _ in range(2):
            one.statement(1)
        self.lines += ["\treturn sum;", "}"]
        if one.accesses:
            self.python += one.py
            self.callees.append(one)
        else:
            del self.lines[kept:]

    def objects(self, number):
        """Of a scenario: parameters' types, names, what the kernel gives."""
        pick = self.random
        kind = pick.choice(["global", "global", "local", "local", "both", "alias",
                            "part"])
        names = []
        if kind in ("global", "both", "alias", "part"):
            names.append(("global", f"a{number}"))
        if kind in ("local", "both"):
            names.append(("local", f"t{number}"))
        if kind in ("alias", "part"):
            names.append(("global", f"a{number}_{kind}"))
        return names

    def scenario(self, number, names, is_inner):
        """Tried again while it goes out of its objects. The call of it."""
        state = len(self.lines)
        given = ", ".join(name for _, name in names)
        for _ in range(TRIES):
            del self.lines[state:]
            one = Scenario(self, f"s{number}")
            one.meets = self.random.random() < .8
            words = ", ".join(f"{space} int *{name}" for space, name in names)
            self.lines += ["{"] if is_inner else [
                f"static void {one.name}({words}, int n, int m)", "{"]
            one.py.append(f"def {one.name}(truth, {given}, n, m, g, h, w, s, z):")
            one.head()
            one.pointers = [Pointer(name, name, space) for space, name in names]
            if not one.meets and not is_inner and self.random.random() < .5:
                guard = plain(self.random.choice(["gx >= n", "lx >= n", "gi > n + m",
                                                  "li != 0", "gi >= nx * ny - 1"]))
                one.line(f"if ({guard.c})", f"if {guard.py}:")
                one.line("\treturn;", "\treturn")
            for _ in range(self.random.randint(2, 6)):
                one.statement(2)
            self.lines.append("}")
            if not one.accesses:
                continue
            try:
                found = self.found(one, names)
            except (truth.Undefined, OverflowError, MemoryError):
                continue
            self.python += one.py
            self.scenarios.append(found)
            return f"\t{one.name}({given}, n, m);"
        del self.lines[state:]
        return None

    def found(self, one, names):
        space = {**vars(truth), "WORDS": WORDS, "min": min, "max": max}
        exec("\n".join(self.python + one.py), space)    # pylint: disable=exec-used
        first = {name: PART if name.endswith("part") else 0 for _, name in names}
        seen = Races({name: (name.split("_")[0], at, 4 * INTS - at)
                      for name, at in first.items()})
        s = self.local + [1] * (2 - len(self.local))
        groups = self.groups + [1] * (2 - len(self.groups))
        z = [a * b for a, b in zip(s, groups)]
        for w1, w0, h1, h0 in itertools.product(range(groups[1]), range(groups[0]),
                                                range(s[1]), range(s[0])):
            g = (w0 * s[0] + h0, w1 * s[1] + h1)
            seen.begin(g, (w0, w1))
            space[one.name](seen, *[(name, 0) for _, name in names], *self.scalars,
                            g, (h0, h1), (w0, w1), s, z)
        return seen.pairs()

    @staticmethod
    def argument(name, at):
        """An alias is the argument behind that of the buffer."""
        if name.startswith("t"):
            return f"local int[{INTS}]"
        if name.endswith("part"):
            return f"buffer int[{INTS - PART // 4}] undefined alias {at - 1} offset {PART}"
        if name.endswith("alias"):
            return f"buffer int[{INTS}] undefined alias {at - 1}"
        return f"buffer int[{INTS}] repeat 0"

    def kernel(self, objects):
        words, arrays = [], []
        for space, name in itertools.chain(*objects):
            if space == "local" and self.random.random() < .5:
                arrays.append(f"\tlocal int {name}[{INTS}];")
                continue
            at = len(words)
            words.append(f"{space} int *{name}")
            self.arguments.append(f"arg_in: {at} " + self.argument(name, at))
        self.arguments += [f"arg_in: {len(words) + i} int {value}"
                           for i, value in enumerate(self.scalars)]
        words += ["int n", "int m"]
        self.lines += [f"kernel void k({', '.join(words)})", "{"]
        self.lines += arrays

    def file(self):
        """The kernel file, and how many lines are in front of the text."""
        groups = [a * b for a, b in zip(self.local, self.groups)]
        head = ["/*!", "[config]", "name: fuzz_races", "kernel_name: k"]
        if self.local != [1, 4]:        # pocl 3.1 runs some of it twice then
            head.append("build_options: -cl-opt-disable")
        head += [f"dimensions: {self.dimensions}",
                "global_size: " + " ".join(str(n) for n in groups),
                "local_size: " + " ".join(str(n) for n in self.local), "[test]"]
        head += self.arguments + ["!*/"]
        return "\n".join(head + self.lines) + "\n", len(head)
