"""Markdown of the repository as HTML: links to pages of the site, code with colours, anchors."""

import html
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

Resolve = Callable[[str], str]
"""From a link in a page to the address on the site."""

_FORMATTER = HtmlFormatter(nowrap=True)
_EXTERNAL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


@dataclass(frozen=True)
class PageSection:
    """A part of a page below a heading, for the search."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True)
class HtmlPage:
    """A page as HTML; `title` is its first heading's.

    `diagrams` are the sources of its diagrams by the anchor of the heading above them, `images`
    the links of its images, as the page has them.
    """

    title: str
    body: str
    sections: list[PageSection]
    diagrams: Mapping[str, list[str]]
    images: list[str]


def place(path: str) -> str:
    """Return the address of the page for a Markdown file of the repository."""
    if path == "README.md":
        return "about.html"
    folder, name = posixpath.split(path)
    stem = "index" if name == "README.md" else name.removesuffix(".md").lower()
    return posixpath.join(folder, f"{stem}.html")


def relative(address: str, page: str) -> str:
    """Return how `page` links to `address`, both from the root of the site."""
    path, mark, anchor = address.partition("#")
    return posixpath.relpath(path, posixpath.dirname(page) or ".") + mark + anchor


def target_of(link: str, source: str) -> tuple[str, str] | None:
    """Return the path in the repository that a link in the file `source` names, and its anchor.

    None for a link to elsewhere.
    """
    if _EXTERNAL.match(link) or link.startswith("//"):
        return None
    path, _, anchor = unquote(link).partition("#")
    if not path:
        return source, anchor
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)), anchor


def slug(text: str, taken: dict[str, int]) -> str:
    """Return the anchor of a heading as GitHub makes it; `taken` counts those of the page."""
    plain = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    count = taken.get(plain, 0)
    taken[plain] = count + 1
    return plain if count == 0 else f"{plain}-{count}"


def coloured(code: str, language: str) -> str:
    """Return code as HTML, with classes for its colours where the language is one of Pygments'."""
    try:
        lexer = get_lexer_by_name(language) if language else TextLexer()
    except ClassNotFound:
        lexer = TextLexer()
    return str(highlight(code, lexer, _FORMATTER))


def coloured_file(name: str, text: str) -> str:
    """Return a file as HTML by the language that its name says."""
    try:
        lexer = get_lexer_for_filename(name)
    except ClassNotFound:
        lexer = TextLexer()
    return str(highlight(text, lexer, _FORMATTER))


def colours() -> str:
    """Return the style of code, for light pages and for dark ones."""
    light = HtmlFormatter(style="default").get_style_defs(".code")
    dark = HtmlFormatter(style="github-dark").get_style_defs('[data-theme="dark"] .code')
    return f"{light}\n{dark}\n"


def _fence(code: str, language: str, _: str) -> str:
    if language == "mermaid":
        return f'<pre class="mermaid">{html.escape(code)}</pre>'
    return f'<pre class="code"><code>{coloured(code, language)}</code></pre>'


def render(text: str, resolve: Resolve) -> HtmlPage:
    """Render a page; `resolve` rewrites the links and the addresses of images in it."""
    parser = MarkdownIt("commonmark", {"html": True, "highlight": _fence})
    parser.enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    taken: dict[str, int] = {}
    title, anchor, heading = "", "", ""
    sections: list[PageSection] = []
    words: list[str] = []
    diagrams: dict[str, list[str]] = {}
    images: list[str] = []

    def close() -> None:
        if words or heading:
            sections.append(PageSection(anchor, heading, " ".join(" ".join(words).split())))
        words.clear()

    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            close()
            heading = _plain(tokens[index + 1])
            anchor = slug(heading, taken)
            token.attrSet("id", anchor)
            title = title or heading
        elif token.type == "inline":
            if tokens[index - 1].type != "heading_open":
                words.append(_plain(token))
            images += _relink(token, resolve)
        elif token.type == "fence":
            if token.info.strip() == "mermaid":
                diagrams.setdefault(anchor, []).append(token.content)
            else:
                words.append(token.content)
    close()
    body = str(parser.renderer.render(tokens, parser.options, {}))
    body = body.replace("<table>", '<div class="wide"><table>')
    body = body.replace("</table>", "</table></div>")
    return HtmlPage(title, body, sections, diagrams, images)


def _plain(inline: Token) -> str:
    """Return the text of a line without its marks."""
    said = [
        " " if part.type in ("softbreak", "hardbreak") else part.content
        for part in inline.children or []
        if part.type in ("text", "code_inline", "softbreak", "hardbreak", "image")
    ]
    return "".join(said)


def _relink(inline: Token, resolve: Resolve) -> list[str]:
    """Rewrite the addresses in a line; return those of its images, as they were."""
    images = []
    for part in inline.children or []:
        key = {"link_open": "href", "image": "src"}.get(part.type)
        if key is None:
            continue
        address = str(part.attrGet(key))
        if part.type == "image":
            images.append(address)
            part.attrSet("loading", "lazy")
        part.attrSet(key, resolve(address))
    return images


def inline(text: str) -> Markup:
    """Return a line of a comment as HTML: what is in backticks is code."""
    parts = (html.escape(part) for part in text.split("`"))
    pieces = [f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts)]
    return Markup("".join(pieces))


def links(text: str) -> list[str]:
    """Return the links in a Markdown text."""
    return re.findall(r"\]\(([^)\s]+)\)", text)


def read_pages(root: Path, first: list[str]) -> dict[str, str]:
    """Return the text of the Markdown files `first` and of all that they link to, by path."""
    texts: dict[str, str] = {}
    rest = list(first)
    while rest:
        path = rest.pop(0)
        if path in texts:
            continue
        texts[path] = (root / path).read_text(encoding="utf-8")
        for link in links(texts[path]):
            found = target_of(link, path)
            if found is not None and found[0].endswith(".md") and (root / found[0]).is_file():
                rest.append(found[0])
    return texts
