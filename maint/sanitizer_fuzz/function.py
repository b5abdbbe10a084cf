# SPDX-License-Identifier: Apache-2.0
"""The body of a random kernel or function: each part of it is a text in C and
one in Python, which calls truth.py."""
import re

from sanitizer_fuzz.truth import common


class Expression:
    def __init__(self, c, py, kind="i"):
        self.c, self.py, self.kind = c, py, kind

    def to(self, kind):
        if self.kind == kind:
            return self.py
        return f"convert({self.py}, '{kind}')"


class Pointer:
    """c, py: (bytes of the object, offset); space; element type."""

    def __init__(self, c, py, space, element="int"):
        self.c, self.py, self.space, self.element = c, py, space, element


# What the buffer "words" holds, which nobody writes to.
WORDS = [5, 0, 3, 9, 1, 14, 2, 7, 30, 4, 11, 6, 8, 0, 2, 12]
SIZES = {"char": 1, "short": 2, "int": 4, "int2": 8, "int4": 16, "long": 8}
C_KINDS = {"i": "int", "u": "uint", "z": "size_t"}


class Function:
    """A function's or a kernel's text under way."""

    def __init__(self, program, name):
        self.program, self.random = program, program.random
        self.name = name
        self.numbers, self.fixed, self.pointers = [], set(), []
        self.arrays = []        # (name, dimensions)
        self.structs = []       # (name, is a pointer, py of its place)
        self.py, self.deep, self.names, self.loops = [], 1, 0, 0
        self.in_function = False

    def line(self, c, *python):
        self.program.lines.append("\t" * self.deep + c)
        for text in python:
            self.py.append("\t" * self.deep + text)

    def here(self):
        """Number of the line that comes next."""
        return len(self.program.lines) + 1

    def new(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # -- numbers

    def atom(self):
        pick = self.random
        if self.numbers and pick.random() < .75:
            name, kind = pick.choice(self.numbers)
            return Expression(name, name, kind)
        value = pick.choice([0, 1, 2, 3, 4, 5, 7, 8, 15, 16])
        return Expression(str(value), str(value))

    def binary(self, depth):
        pick = self.random
        a, b = self.number(depth - 1), self.number(depth - 1)
        op = pick.choice("++++--**/%&><")
        kind = common(a.kind, b.kind)
        if op in "/%":
            value = pick.choice([1, 2, 3, 4, 7])
            py = f"divided({a.py}, {value})"
            if op == "%":
                py = f"({a.py} - {value} * {py})"
            return Expression(f"({a.c} {op} {value})", f"convert({py}, '{a.kind}')",
                              a.kind)
        if op in "><":
            value = pick.choice([0, 1, 2, 3])
            py = f"({a.py} >> {value})" if op == ">" else \
                f"shifted({a.py}, {value}, '{a.kind}')"
            return Expression(f"({a.c} {op}{op} {value})", py, a.kind)
        return Expression(f"({a.c} {op} {b.c})",
                          f"exact({a.to(kind)} {op} {b.to(kind)}, '{kind}')",
                          kind)

    def number(self, depth=2):
        pick = self.random
        if depth <= 0 or pick.random() < .3:
            return self.atom()
        way = pick.random()
        if way < .7:
            return self.binary(depth)
        if way < .8:
            a, b = (self.number(depth - 1) for _ in range(2))
            name = pick.choice(["min", "max"])
            return Expression(f"{name}((int)({a.c}), (int)({b.c}))",
                              f"{name}({a.to('i')}, {b.to('i')})")
        if way < .86:
            a = self.number(depth - 1)
            return Expression(f"clamp((int)({a.c}), 0, 9)",
                              f"min(max({a.to('i')}, 0), 9)")
        if way < .93:
            a, b = (self.number(depth - 1) for _ in range(2))
            kind = common(a.kind, b.kind)
            condition = self.condition(depth - 1)
            return Expression(f"({condition.c} ? {a.c} : {b.c})",
                              f"({a.to(kind)} if {condition.py} else {b.to(kind)})",
                              kind)
        a, kind = self.number(depth - 1), pick.choice("iuz")
        return Expression(f"({C_KINDS[kind]})({a.c})", a.to(kind), kind)

    def condition(self, depth=1):
        pick = self.random
        a, b = self.number(depth), self.number(depth - 1)
        kind = common(a.kind, b.kind)
        op = pick.choice(["<", "<=", ">", ">=", "==", "!="])
        text = Expression(f"({a.c} {op} {b.c})", f"({a.to(kind)} {op} {b.to(kind)})")
        if pick.random() < .25:
            other, op = self.condition(depth - 1), pick.choice(["&&", "||"])
            text = Expression(f"({text.c} {op} {other.c})",
                              f"({text.py} {'and' if op == '&&' else 'or'} {other.py})")
        return text

    # -- pointers

    def pointer(self):
        """One that is there, or a bit further, or cast."""
        pick = self.random
        base = pick.choice(self.pointers)
        way = pick.random()
        if way < .6:
            return base
        if way < .85:
            return self.further(base)
        # How an array of ints is aligned, nobody knows.
        element = pick.choice(["char", "short", "int"] if base.space != "global"
                              else list(SIZES))
        return Pointer(f"(({base.space} {element} *)({base.c}))", base.py,
                       base.space, element)

    def further(self, base):
        number, size = self.number(1), SIZES[base.element]
        sign = self.random.choice("++-")
        # A pointer's step is 64 bits: what is unsigned comes round.
        return Pointer(f"({base.c} {sign} {number.c})",
                       f"({base.py}[0], signed({base.py}[1] {sign} {number.py} * {size}))",
                       base.space, base.element)

    def place(self, pointer, index):
        size = SIZES[pointer.element]
        return f"({pointer.py}[0], signed({pointer.py}[1] + {index} * {size}))"

    # -- statements

    def touch(self, c, py, bytes_, align, element="int"):
        """A read, a write or both of a place, alone on its line."""
        here, pick = self.here(), self.random
        python = f"truth.touch({here}, {py}, {bytes_}, {align})"
        way = pick.random()
        if way < .4:
            c = f"sum += ({c}).x;" if element in ("int2", "int4") else \
                f"sum += {c};"
        elif way < .8:
            c = f"{c} = ({element})1;"
        elif element in ("int2", "int4"):
            c = f"{c} += ({element})1;"
        else:
            c = pick.choice([f"{c} += 2;", f"{c}++;", f"--{c};"])
        self.line(c, python)

    def simple_access(self):
        pointer, index = self.pointer(), self.number()
        size = SIZES[pointer.element]
        if self.random.random() < .25:
            further = self.further(pointer)
            self.touch(f"(*{further.c})", further.py, size, size, pointer.element)
        else:
            self.touch(f"{pointer.c}[{index.c}]", self.place(pointer, index.py),
                       size, size, pointer.element)

    def vector_access(self):
        pointer, index = self.pointer(), self.number(1)
        if pointer.element in ("int2", "int4"):
            return
        # Some are wider than their whole array.
        count, here = self.random.choice([2, 3, 4, 8, 16]), self.here()
        size = SIZES[pointer.element]
        py = f"truth.touch({here}, ({pointer.py}[0], signed({pointer.py}[1] + " \
             f"{index.py} * {count * size})), {count * size}, {size})"
        if self.random.random() < .5:
            self.line(f"sum += vload{count}({index.c}, {pointer.c}).x;", py)
        else:
            self.line(f"vstore{count}(({pointer.element}{count})(1), {index.c}, "
                      f"{pointer.c});", py)

    def atomic_access(self):
        pointer, index = self.random.choice(self.pointers), self.number(1)
        if pointer.space == "private" or pointer.element != "int":
            return
        self.line(f"atomic_add(&{pointer.c}[{index.c}], 1);",
                  f"truth.touch({self.here()}, {self.place(pointer, index.py)}, 4, 4)")

    def array_access(self):
        if not self.arrays:
            return
        name, dimensions = self.random.choice(self.arrays)
        here = self.here()
        text, size = name, 4
        for count in dimensions:
            size *= count
        for count in dimensions:
            index = self.number()
            size //= count
            self.py.append("\t" * self.deep +
                           f"truth.index({here}, {index.py}, {count}, {size})")
            text += f"[{index.c}]"
        self.line(self.random.choice(["sum += {};", "{} = 3;", "{}++;"]).format(text))

    def struct_access(self):
        if not self.structs:
            return
        name, is_pointer, py = self.random.choice(self.structs)
        here, index, inner = self.here(), self.number(1), self.number()
        offset = f"({py}[0], signed({py}[1] + {index.py} * 24 + "
        text = f"{name}[{index.c}]" if is_pointer else name
        member = self.random.choice(["a", "b", "c"])
        if member == "b":
            text += f".b[{inner.c}]"
            python = f"if truth.index({here}, {inner.py}, 3, 4): "
            at = f"4 + {inner.py} * 4"
        else:
            text += f".{member}"
            python, at = "", "0" if member == "a" else "16"
        bytes_ = 8 if member == "c" else 4
        if is_pointer:
            python += f"truth.touch({here}, {offset}{at})), {bytes_}, {bytes_})"
        elif member == "b":
            python += "pass"
        self.line(self.random.choice(["sum += {};", "{} = 1;", "{} -= 1;"]).format(text),
                  *([python] if python else []))

    def loaded_number(self):
        """A number from a buffer that nobody writes to."""
        name, index = self.new("v"), self.number(1)
        here = self.here()
        self.line(f"int {name} = words[{index.c}];",
                  f"{name} = WORDS[signed({index.py} * 4) // 4] if truth.touch({here}, "
                  f"({4 * len(WORDS)}, signed({index.py} * 4)), 4, 4) else 0")
        self.numbers.append((name, "i"))

    def variable(self):
        name, value = self.new("v"), self.number()
        kind = self.random.choice(["i", "i", "u", "z"])
        self.line(f"{C_KINDS[kind]} {name} = {value.c};", f"{name} = {value.to(kind)}")
        self.numbers.append((name, kind))

    def assignment(self):
        free = [one for one in self.numbers if one[0] not in self.fixed]
        if not free:
            return
        name, kind = self.random.choice(free)
        value = self.number()
        if self.random.random() < .3:
            self.line(f"{name}++;", f"{name} = exact({name} + 1, '{kind}')")
        else:
            self.line(f"{name} = {value.c};", f"{name} = {value.to(kind)}")

    def pointer_variable(self):
        name, value = self.new("q"), self.pointer()
        self.line(f"{value.space} {value.element} *{name} = {value.c};",
                  f"{name} = {value.py}")
        self.pointers.append(Pointer(name, name, value.space, value.element))

    def pointer_step(self):
        mine = [one for one in self.pointers if one.c[0] in "pq"]
        if not mine:
            return
        one = self.random.choice(mine)
        size = SIZES[one.element]
        step = self.random.choice([1, 1, 2, -1])
        self.line(f"{one.c} += {step};",
                  f"{one.c} = ({one.c}[0], {one.c}[1] + {step * size})")

    def block(self, depth, count=None):
        kept = (self.numbers[:], self.pointers[:])
        self.deep += 1
        self.py.append("\t" * self.deep + "pass")
        for _ in range(count or self.random.randint(1, 3)):
            self.statement(depth)
        self.deep -= 1
        self.numbers, self.pointers = kept[0], kept[1]

    def choice(self, depth):
        condition = self.condition()
        self.line(f"if ({condition.c}) {{", f"if {condition.py}:")
        self.block(depth - 1)
        if self.random.random() < .4:
            self.line("} else {", "else:")
            self.block(depth - 1)
        self.line("}")

    def end_early(self):
        """No continue: in Python it would leave out a for's step."""
        if not self.loops or self.random.random() < .3:
            return
        condition = self.condition()
        self.line(f"if ({condition.c})", f"if {condition.py}:")
        self.line("\tbreak;", "\tbreak")

    def loop_bounds(self, kind, up):
        """Where a loop begins and ends, and how they are compared."""
        pick = self.random
        start, end = self.number(1), self.number(1)
        if pick.random() < .6:
            text = str(pick.choice([0, 0, 0, 1, 3]))
            low = Expression(text, text)
            start, end = (low, start) if up else (start, low)
        op = pick.choice(["<", "<", "<="]) if up else pick.choice([">", ">="])
        return start, end, op, common(kind, end.kind)

    def loop_condition(self, name, end, op, compared):
        condition = f"convert({name}, '{compared}') {op} {end.to(compared)}"
        text = f"{name} {op} {end.c}"
        if self.random.random() < .2:
            text = f"{end.c} {'<>'['<' in op]}{op[1:]} {name}"
        if self.random.random() < .15:
            more = self.condition()
            return f"{text} && {more.c}", f"{condition} and {more.py}"
        return text, condition

    def loop_step(self, name, step, up):
        pick = self.random
        if step == "half":
            text = pick.choice([f"{name} /= 2", f"{name} >>= 1"])
            return text, f"{name} >> 1" if ">>" in text else f"divided({name}, 2)"
        sign = "+" if up else "-"
        text = f"{name} {sign}= {step}"
        if step == "1" and pick.random() > .3:
            text = f"{name}{sign}{sign}"
        return text, f"{name} {sign} {step}"

    def ends(self, kind, start, end):
        """Whether a loop that counts ends soon for sure."""
        return kind == end.kind == "i" and {"n", "m"} <= self.fixed and \
            all(re.fullmatch(r"\d+|n|m", one.c) for one in (start, end))

    def cut_off(self, rounds, own):
        self.line(f"if ({rounds}++ > 11)", f"{own} += 1", f"if {own} > 12:")
        self.line("\tbreak;", "\tbreak")

    def loop(self, depth):
        """A for statement that is cut off after some rounds where it could
        go on for long."""
        pick, name = self.random, self.new("i")
        kind, up = pick.choice(["i", "i", "i", "u", "z"]), pick.random() < .65
        start, end, op, compared = self.loop_bounds(kind, up)
        c_condition, condition = self.loop_condition(name, end, op, compared)
        step = pick.choice(["1", "1", "1", "2", "3", "4" if up else "half"])
        c_step, py_step = self.loop_step(name, step, up)
        rounds, own = self.new("n"), self.new("w")
        is_fixed = pick.random() < .9
        ends = is_fixed and step != "half" and self.ends(kind, start, end)
        if not ends:
            self.line(f"int {rounds} = 0;")
        if pick.random() < .2:
            self.line(pick.choice(["#pragma unroll 2",
                                   "__attribute__((opencl_unroll_hint(2)))"]))
        self.line(f"for ({C_KINDS[kind]} {name} = {start.c}; {c_condition}; {c_step}) {{",
                  f"{name} = {start.to(kind)}", f"{own} = 0", f"while {condition}:")
        kept = self.numbers[:]
        self.numbers.append((name, kind))
        if is_fixed:
            self.fixed.add(name)
        self.deep += 1
        if not ends:
            self.cut_off(rounds, own)
        self.deep -= 1
        self.loops += 1
        self.block(depth - 1)
        self.loops -= 1
        self.py.append("\t" * (self.deep + 1) +
                       f"{name} = exact({py_step}, '{kind}')")
        self.numbers = kept
        self.line("}")

    def call(self):
        fits = [(function, [one for one in self.pointers
                            if one.space == function[1] and one.element == "int"])
                for function in self.program.functions]
        fits = [one for one in fits if one[1]]
        if not fits or self.in_function:
            return
        (name, _), pointers = self.random.choice(fits)
        pointer = self.random.choice(pointers)
        if self.random.random() < .6:
            pointer = self.further(pointer)
        a, b = self.number(1), self.number(1)
        self.line(f"sum += {name}({pointer.c}, {a.c}, {b.c});",
                  f"{name}(truth, {pointer.py}, {a.to('i')}, {b.to('i')})")

    def statement(self, depth):
        ways = [(self.simple_access, 6), (self.array_access, 2),
                (self.struct_access, 2), (self.vector_access, 1.5),
                (self.atomic_access, .5), (self.variable, 1.5),
                (self.assignment, 1), (self.pointer_variable, 1),
                (self.pointer_step, .7), (self.end_early, .5), (self.call, 1.2)]
        if not self.in_function:
            ways.append((self.loaded_number, .5))
        if depth > 0:
            ways += [(lambda: self.loop(depth), 4), (lambda: self.choice(depth), 2)]
        self.random.choices([one[0] for one in ways],
                            [one[1] for one in ways])[0]()
