"""The texts of the tree that people read: comments, docstrings, messages; a line number with each.

Names in backticks are left out by `prose`: they are identifiers.
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator

Line = tuple[int, str]
"""A line's number in its file, and its text."""

Reader = Callable[[str], Iterator[Line]]
"""Yields some of the lines of a file."""

_CODE = re.compile(r"`[^`\n]*`")

_C_TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"'  # a string, in which // begins nothing
    r"|//(?P<line>[^\n]*)"
    r"|/\*(?P<block>.*?)\*/",
    re.DOTALL,
)

_TOML_STRING = re.compile(r'"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"|#[^\n]*', re.DOTALL)
"""A string, or a comment, in which a quote begins nothing."""


def prose(text: str) -> str:
    """Return a text without its names in backticks."""
    return _CODE.sub("``", text)


def numbered(text: str, first: int = 1) -> Iterator[Line]:
    """Yield the lines of a text, the first of which has the number `first`."""
    yield from enumerate(text.splitlines(), first)


def c_comments(text: str) -> Iterator[Line]:
    """Yield the lines of the comments of SystemVerilog, Verilog, C or C++."""
    for match in _C_TOKEN.finditer(text):
        comment = match["line"] if match["line"] is not None else match["block"]
        if comment is not None:
            yield from numbered(comment, text.count("\n", 0, match.start()) + 1)


def hash_comments(text: str) -> Iterator[Line]:
    """Yield the comments of TOML, of the shell or of a Makefile, whole lines and ends of lines."""
    for number, line in numbered(text):
        if match := re.search(r"(?:^|\s)#+(?!!)(.*)", line):
            yield number, match[1]


def toml_strings(text: str) -> Iterator[Line]:
    """Yield the lines of the strings of TOML: titles, notes, names, commands."""
    for match in _TOML_STRING.finditer(text):
        if match[0].startswith("#"):
            continue
        yield from numbered(match[0], text.count("\n", 0, match.start()) + 1)


def vhdl_comments(text: str) -> Iterator[Line]:
    """Yield the comments of VHDL."""
    for number, line in numbered(text):
        if match := re.search(r"(?:^|\s)--+(.*)", line):
            yield number, match[1]


def python_comments(text: str) -> Iterator[Line]:
    """Yield the comments of Python."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def python_docstrings(text: str) -> Iterator[Line]:
    """Yield the lines of docstrings, and of strings that explain the constant above them."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            value = node.value.value
            if isinstance(value, str):
                yield from numbered(value, node.lineno)


def python_strings(text: str) -> Iterator[Line]:
    """Yield the lines of all strings of Python: messages, help and docstrings."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from numbered(node.value, node.lineno)


def python_names(text: str) -> Iterator[Line]:
    """Yield the names of tests, as words."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.lineno, node.name.replace("_", " ")
