"""The commands and settings in a document: its blocks of shell and TOML, by heading."""
import re


class Document:
    def __init__(self, text):
        self.text = text

    def blocks(self, language, heading=None):
        """Returns the blocks of a language in order, or only those below a heading."""
        found, here, block = [], None, None
        for line in self.text.splitlines():
            if block is not None:
                if line.startswith("```"):
                    found += [block] if wanted else []
                    block = None
                else:
                    block.append(line)
            elif line.startswith("```"):
                wanted = line[3:].strip() == language and heading in (None, here)
                block = []
            elif line.startswith("#"):
                here = line.lstrip("#").strip()
        return found

    def commands(self, heading=None):
        """Returns the shell commands, without the comments at their ends."""
        return [re.sub(r"\s+# .*$", "", line) for block in self.blocks("sh", heading) for line in block if line.strip()]

    def line(self, start):
        """Returns the shell command that equals these words, or else the only command that starts with these words.

        Raises: AssertionError if there is no such command, or if several different commands start with the words."""
        lines = {line for line in self.commands() if line.startswith(start)}
        if start in lines:
            return start
        assert len(lines) == 1, f"the document has {len(lines)} different lines that begin with '{start}'"
        return lines.pop()

    def inline(self, start):
        """Returns the first command in inline code that starts with these words."""
        found = re.search(r"`(" + re.escape(start) + r"[^`]*)`", self.text)
        assert found, f"the document has no '{start}' in its text"
        return found[1]

    def toml(self, heading):
        """Returns the first TOML block below a heading."""
        blocks = self.blocks("toml", heading)
        assert blocks, f"the document has no TOML below '{heading}'"
        return "\n".join(blocks[0]) + "\n"
