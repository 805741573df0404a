"""Finds the places where a source file of the law can be changed, and writes all changes at once.

Every change sits behind a switch that is asked at run time, so that one build serves all mutants:
`a < b` becomes `(cotulenh_mutant(17) ? (a) <= (b) : (a) < (b))`. Where an operand begins and ends
is read off the tokens by precedence. The sources are laid out by clang-format, which tells a sign
between two operands (blanks on both sides) from templates, references and signs of one operand.

What is only evaluated while compiling (tables, bounds, arguments of templates) cannot be switched;
such places are left out, see `Source.is_constant`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

#: Signs between two operands, by how tightly they bind.
BINDING = {
    sign: strength
    for strength, signs in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<=>", "<< >>", "+ -", "* / %"), 1
    )
    for sign in signs.split()
}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
#: What is changed into what.
PAIRS = "< <= > >= == != && || + - << >> * / & | |= &= += -= true false ++ -- continue break"
_signs = PAIRS.split()
SWAPS = dict(zip(_signs, (_signs[i ^ 1] for i in range(len(_signs))), strict=True))
SWAPS |= {"^": "|", "^=": "|=", "!": ""}
#: No operand reaches beyond these.
ENDS = {";", ",", "?", ":", "return", "else", "case", "throw", "do", "{", "}", *ASSIGNMENTS}
HEADS = {"if", "for", "while", "switch", "constexpr"}  # their brackets are no part of an operand
#: What makes a bracket or a statement a matter of compiling alone.
UNEVALUATED = {
    "static_assert",
    "sizeof",
    "alignas",
    "decltype",
    "noexcept",
    "requires",
    "constexpr",
}
DECLARING = {"template", "using", "concept", "requires", "static_assert", "enum", "friend", "case"}

TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/
        |^\#if[ ]defined\(_WIN32\).*?^\#(?:else|endif)  # not compiled where this tool runs
        |^\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<text>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<word>[A-Za-z_]\w*|[0-9](?:[\w.']*\w)?)
      | (?P<sign><=>|<<=|>>=|\.\.\.|->\*|->|::|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


@dataclass
class Token:
    """A word or sign, where it stands, and the place of its other half if it is a bracket."""

    text: str
    start: int
    end: int
    partner: int = -1
    spaced: bool = False  # blanks on both sides

    @property
    def binds(self) -> int:
        """How tightly it holds two operands together; 0 if it is no such sign."""
        return BINDING.get(self.text, 0) if self.spaced else 0


@dataclass(frozen=True)
class Mutant:
    """One change: the sign or word at `at`, and the expression around it."""

    file: str
    line: int
    before: str  # the line
    after: str
    old: str
    new: str
    at: tuple[int, int]
    region: tuple[int, int]
    runs: bool = False  # in a function that the compiler never evaluates
    copy: int = 1  # which one, where a file has the same line several times

    @property
    def name(self) -> str:
        """The same mutant in another run, also when lines above it have come or gone."""
        copy = f" | {self.copy}" if self.copy > 1 else ""
        return f"{self.file} | {self.before.strip()} | {self.after.strip()}{copy}"


@dataclass
class Source:
    """A file, its tokens and their brackets."""

    file: str
    text: str
    tokens: list[Token] = field(default_factory=list)
    enclosing: list[int] = field(default_factory=list)  # for each token the open bracket around it

    def __post_init__(self) -> None:
        for match in TOKEN.finditer(self.text):
            if match.lastgroup != "blank" and match["blank"] is None:
                self._add(match[0], match.start(), match.end())
        self._pair()

    def _add(self, text: str, start: int, end: int) -> None:
        blank = "".join((self.text[start - 1 : start], self.text[end : end + 1]))
        if text == ">>" and not blank[0].isspace():  # the end of two templates
            self.tokens += [Token(">", start, end - 1), Token(">", end - 1, end)]
        else:
            self.tokens.append(Token(text, start, end, spaced=len(blank) == 2 and blank.isspace()))

    def _pair(self) -> None:
        """Finds the other half of every bracket, those of templates among them."""
        open_: list[int] = []
        for i, token in enumerate(self.tokens):
            angle = token.text == ">" and not self.text[token.start - 1].isspace()
            top = self.tokens[open_[-1]].text if open_ else ""
            if (token.text in (")", "]", "}") or (angle and top == "<")) and open_:
                while self.tokens[open_[-1]].text == "<" and token.text != ">":
                    open_.pop()  # a comparison after all
                token.partner = open_.pop()
                self.tokens[token.partner].partner = i
            self.enclosing.append(open_[-1] if open_ else -1)
            opens = token.text == "<" and not self.text[token.end].isspace()
            if token.text in ("(", "[", "{") or opens:
                open_.append(i)

    def left(self, i: int, binds: int) -> int:
        """The first token of the operand that ends before token i."""
        first = i
        while first > 0:
            token = self.tokens[first - 1]
            if token.text in (")", "]", ">", "}") and token.partner >= 0:
                before = self.tokens[token.partner - 1].text
                if token.text == ")" and before in HEADS:
                    break
                first = token.partner
            elif token.text in ENDS or token.partner >= 0 or 0 < token.binds < binds:
                break
            else:
                first -= 1
        return first

    def right(self, i: int, binds: int) -> int:
        """The last token of the operand that begins after token i."""
        last = i
        while last + 1 < len(self.tokens):
            token = self.tokens[last + 1]
            if token.text in ("(", "[", "<", "{") and token.partner >= 0:
                last = token.partner
            elif token.text in ENDS or token.partner >= 0 or 0 < token.binds <= binds:
                break
            else:
                last += 1
        return last

    def around(self, i: int) -> Iterator[int]:
        """The open brackets around a token, the innermost first."""
        i = self.enclosing[i]
        while i >= 0:
            yield i
            i = self.enclosing[i]

    def statement(self, i: int) -> list[str]:
        """The words from the beginning of the statement, or of what a brace belongs to, to i."""
        words: list[str] = []
        while i > 0 and self.tokens[i - 1].text not in (";", "{"):
            i -= 1
            token = self.tokens[i]
            if token.text == "}" and token.partner >= 0 and not self.is_value(token.partner):
                break
            if token.text in (")", "}") and token.partner >= 0:
                i = token.partner
                words.append(token.text)
            words.append(self.tokens[i].text)
        return words[::-1]

    def is_value(self, brace: int) -> bool:
        """Whether a brace holds a value, not statements."""
        before = self.tokens[brace - 1].text if brace else ""
        return before not in (")", "const", "override", "else", "do", ";", "{", "}", "noexcept")

    def is_constant(self, i: int) -> bool:
        """Whether it is a matter of compiling alone: no statement that could run contains it."""
        words = self.statement(i)
        if "case" in words and ":" in words:  # what follows the label runs
            words = words[words.index(":") :]
        if set(words) & (DECLARING | {"constexpr"}):
            return True
        for bracket in self.around(i):
            token, head = self.tokens[bracket], self.statement(bracket)
            before = self.tokens[bracket - 1].text if bracket else ""
            if token.text == "<" or (token.text == "(" and before in UNEVALUATED):
                return True
            if token.text == "[" and self.is_bound(bracket):
                return True
            if token.text == "{" and set(head) & {"concept", "enum", "requires"}:
                return True
            if token.text == "{" and "constexpr" in head and self.is_value(bracket):
                return True
            if token.text != "{" and set(head) & (DECLARING | {"constexpr"}):
                return True
        return False

    def is_bound(self, bracket: int) -> bool:
        """Whether a bracket tells the size of an array: it follows a type and a name."""
        name = bracket - 1
        while self.tokens[name].text == "]":
            name = self.tokens[name].partner - 1
        before = self.tokens[name - 1]
        if before.text in (">", "*", "&"):
            return not before.spaced
        if before.text == ",":  # of several in one declaration the first tells
            first = next((b for b in self.around(bracket) if self.tokens[b].text == "{"), -1)
            return first >= 0 and bool({"struct", "class"} & set(self.statement(first)))
        return before.text.isidentifier() and before.text not in ENDS

    def runs(self, i: int) -> bool:
        """Whether a token stands in a function that the compiler never evaluates."""
        braces = [brace for brace in self.around(i) if self.tokens[brace].text == "{"]
        heads = [set(self.statement(brace)) for brace in braces]
        return not any("constexpr" in head for head in heads) and any(
            "(" in head and not self.is_value(brace)
            for brace, head in zip(braces, heads, strict=True)
        )

    def mutants(self) -> list[Mutant]:
        """Every change that can be switched."""
        found: list[Mutant] = []
        names: Counter[str] = Counter()
        for i, token in enumerate(self.tokens):
            region = self._region(i)
            if region and not self.is_constant(i):
                mutant = self._mutant(token, self._new(token), region)
                names[mutant.name] += 1
                copy, runs = names[mutant.name], self.runs(i)
                found.append(replace(mutant, copy=copy, runs=runs))
        return found

    def constants(self) -> int:
        """How many places there are that only compiling evaluates."""
        return sum(1 for i in range(len(self.tokens)) if self._region(i) and self.is_constant(i))

    @staticmethod
    def _new(token: Token) -> str:
        return str(int(token.text) + 1) if token.text.isdigit() else SWAPS[token.text]

    def _region(self, i: int) -> tuple[int, int] | None:
        """From where to where the expression reaches that a change of token i would change."""
        token = self.tokens[i]
        first, last = i, i
        if token.binds and token.text in SWAPS:
            first, last = self.left(i, token.binds), self.right(i, token.binds)
        elif token.text in ASSIGNMENTS and token.text in SWAPS:
            first, last = self.left(i, 0), self.right(i, 0)
        elif token.text == "!" and not self.text[token.end].isspace():
            last = self.right(i, 99)
        elif token.text in ("++", "--"):
            if "for" in (self.tokens[b - 1].text for b in self.around(i) if b):
                return None  # loops that never end: caught by time alone
            prefix = (
                self.tokens[i + 1].start == token.end and self.tokens[i + 1].text.isidentifier()
            )
            first, last = (i, self.right(i, 99)) if prefix else (self.left(i, 99), i)
        elif token.text in ("break", "continue"):
            last = i + 1
        elif not (token.text in SWAPS and token.text.isidentifier()) and not (
            token.text.isdigit() and int(token.text) < 100
        ):
            return None
        if (first == i or last == i) and token.text in (BINDING | dict.fromkeys(ASSIGNMENTS)):
            return None
        return self.tokens[first].start, self.tokens[last].end

    def _mutant(self, token: Token, new: str, region: tuple[int, int]) -> Mutant:
        start = self.text.rfind("\n", 0, token.start) + 1
        end = self.text.find("\n", token.end)
        before = self.text[start:end]
        after = before[: token.start - start] + new + before[token.end - start :]
        line = self.text.count("\n", 0, start) + 1
        at = (token.start, token.end)
        return Mutant(self.file, line, before, after, token.text, new, at, region)


def switched(text: str, mutants: Sequence[tuple[int, Mutant]]) -> str:
    """The text with all of these numbered mutants behind their switches."""
    return _switched(text, 0, len(text), sorted(mutants, key=_outermost_first))


def _outermost_first(numbered: tuple[int, Mutant]) -> tuple[int, int, int]:
    begin, end = numbered[1].region
    # Of two changes in one region (`a + 1` has none, `!x` may) the looser sign is outside.
    return begin, -end, BINDING.get(numbered[1].old, 0)


def _switched(text: str, begin: int, end: int, mutants: Sequence[tuple[int, Mutant]]) -> str:
    """A part of the text; `mutants` are those within, the outermost first."""
    out, at, rest = "", begin, list(mutants)
    while rest:
        number, mutant = rest.pop(0)
        first, last = mutant.region
        inner = [one for one in rest if one[1].region[1] <= last]
        rest = [one for one in rest if one[1].region[1] > last]
        out += text[at:first] + _choice(text, number, mutant, inner)
        at = last
    return out + text[at:end]


def _choice(text: str, number: int, mutant: Mutant, inner: Sequence[tuple[int, Mutant]]) -> str:
    """One mutant behind its switch."""
    (first, last), (start, end) = mutant.region, mutant.at
    left = _switched(text, first, start, [one for one in inner if one[1].region[1] <= start])
    right = _switched(text, end, last, [one for one in inner if one[1].region[0] >= end])
    # Where the compiler might evaluate it, it does so for small constants and values in braces,
    # needed or not, and sees the switch off: only where it must be able to, it is asked.
    on = f"cotulenh_mutation::is_on({number})" if mutant.runs else f"cotulenh_mutant({number})"
    old, new = mutant.old, mutant.new
    if old in ("break", "continue"):
        return f"{{ if ({on}) {new}; {old}; }}"
    if old in ("true", "false"):
        return f"({old} != {on})"
    if old in ("==", "!="):
        return f"((({left}) {old} ({right})) != {on})"
    if old == "!":
        return f"(!({right}) != {on})"
    if old in ("++", "--"):
        sides = (f"{left}{new}{right}", f"{left}{old}{right}")
    elif old.isdigit():
        sides = (new, old)
    else:
        sides = (f"({left}) {new} ({right})", f"({left}) {old} ({right})")
    # What comes twice takes lines only once: the compiler tells of errors by line.
    once = re.sub(r"(?://[^\n]*)?\n", " ", sides[0])
    return f"({on} ? ({once}) : ({sides[1]}))"
