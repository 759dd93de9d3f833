#!/usr/bin/env python3
"""The manual as a site: what mdBook itself does not do.

Usage: .ci/book.py --check DIR     exits with 1 where a link of the built site in DIR leads nowhere, and names it
       .ci/book.py                 a preprocessor of mdBook, called by it (book.toml)

Pages link to files outside of docs/, such as ../ARCHITECTURE.md, which the site does not have. With the repository's address
(MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL, or git-repository-url in book.toml) such a link leads there; without, its words stay.
"""
import html.parser, json, pathlib, posixpath, re, sys, urllib.parse

# An inline link, but no image; its words may be code.
LINK = re.compile(r"(?<!!)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"^(?:```.*?^```|    .*?$)", re.M | re.S)


def main():
    if sys.argv[1:2] == ["--check"]:
        sys.exit(check(pathlib.Path(sys.argv[2])))
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0 if sys.argv[2] == "html" else 1)
    context, book = json.load(sys.stdin)
    repository = context["config"].get("output", {}).get("html", {}).get("git-repository-url")
    for chapter in chapters(book.get("items") or book["sections"]):
        chapter["content"] = inside(chapter["content"], chapter["path"], repository)
    json.dump(book, sys.stdout)


def chapters(items):
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def inside(text, page, repository):
    """A page's text without links that leave the folder."""
    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [replaced(text[end:code.start()], page, repository), code[0]]
        end = code.end()
    return "".join([*parts, replaced(text[end:], page, repository)])


def replaced(prose, page, repository):
    def one(found):
        words, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found[0]
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        if path.startswith("docs/"):
            return found[0]
        return f"[{words}]({repository.rstrip('/')}/blob/HEAD/{path})" if repository else words

    return LINK.sub(one, prose)


class Page(html.parser.HTMLParser):
    """What a page of the site links to, and what in it can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.links += [values[name] for name in ("href", "src") if values.get(name)]
        self.ids |= {values[name] for name in ("id", "name") if values.get(name)}


def check(folder):
    # The page for printing holds all others, whose links are looked at where they are; that of "not found" is served from
    # anywhere, and has addresses from the root.
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html")) if path.name not in ("print.html", "404.html")}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path.resolve()
            known = next((other for other in pages if other.resolve() == target), None)
            if not target.is_file() or (known and url.fragment and url.fragment not in pages[known].ids):
                dead.append(f"{path.relative_to(folder)}: the link to {link} leads nowhere")
    for line in dead:
        print(line, file=sys.stderr)
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(dead)} of them dead")
    return 1 if dead or not pages else 0


if __name__ == "__main__":
    main()
