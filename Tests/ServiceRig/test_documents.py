"""Tests that compare the commands that the newcomer types with README and the guides."""
import inspect, re, unittest
from rig.documents import Document
from rig.newcomer import PAGES, Newcomer
from rig.place import ROOT
from scenarios import newcomer

TEXT = """# A

```sh
one --x 'a #b'    # a remark
two
```

## B

Say `two again` here.

```toml
[table]
key = 1   # a remark that belongs to it
```

```sh
two
```

```text
three
```
"""


class DocumentTests(unittest.TestCase):
    document = Document(TEXT)

    def test_reads_commands_below_a_heading(self):
        self.assertEqual(self.document.commands("A"), ["one --x 'a #b'", "two"])
        self.assertEqual(self.document.commands("B"), ["two"])
        self.assertEqual(len(self.document.commands()), 3)

    def test_finds_a_line_by_its_first_words(self):
        self.assertEqual(self.document.line("two"), "two")
        for start in ("three", "t3", ""):
            with self.assertRaises(AssertionError):
                self.document.line(start)

    def test_reads_inline_commands_and_toml_unchanged(self):
        self.assertEqual(self.document.inline("two"), "two again")
        self.assertEqual(self.document.toml("B"), "[table]\nkey = 1   # a remark that belongs to it\n")
        with self.assertRaises(AssertionError):
            self.document.toml("A")


class NewcomerTests(unittest.TestCase):
    documents = {page: Document((ROOT / path).read_text()) for page, path in PAGES.items()}
    source = inspect.getsource(newcomer) + inspect.getsource(Newcomer)

    def starts(self, page):
        """Returns the first words of the lines of a document that the newcomer types."""
        read = re.findall(r'reads\("([^"]+)"[^)\n]*?(?:of=person\.(\w+))?\)', self.source)
        return [start for start, of in read if (of or "readme") == page] + re.findall(rf'\.{page}\.line\("([^"]+)"', self.source)

    def test_newcomer_types_every_command_of_its_headings(self):
        for page, headings in newcomer.HEADINGS.items():
            starts = self.starts(page)
            whole = re.findall(rf'\.{page}\.commands\("?([^")]+)"?\)', self.source)
            whole = [newcomer.FOLDERS if name == "FOLDERS" else name for name in whole]
            for heading in headings:
                lines = self.documents[page].commands(heading)
                self.assertTrue(lines, f"{PAGES[page]} has no commands below '{heading}'")
                for line in lines:
                    if not line.startswith(newcomer.BUILDS):
                        self.assertTrue(heading in whole or any(line.startswith(start) for start in starts), f"the newcomer does not type: {line}")

    def test_documents_have_every_line_that_the_newcomer_types(self):
        for page, document in self.documents.items():
            for start in self.starts(page):
                document.line(start)
            for start in re.findall(rf'\.{page}\.inline\("([^"]+)"', self.source):
                document.inline(start)
        for heading in (newcomer.FOLDERS, "Uploads"):
            self.documents["guide"].toml(heading)

    def test_guides_have_every_line_that_the_newcomer_types(self):
        keys = Document((ROOT / "docs/raspberry-pi.md").read_text())
        for start in re.findall(r'keys\.line\("([^"]+)"', self.source):
            keys.line(start)
        self.assertEqual(sum(line.startswith(("user =", "key_file =", "host_keys =")) for line in keys.text.splitlines()), 3)
        Document((ROOT / "docs/remote-control.md").read_text()).inline("framefast preset save")


if __name__ == "__main__":
    unittest.main()
