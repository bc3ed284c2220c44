"""Rules by which a server of the rig refuses requests, and what it counts. Shared by nasty_http, nasty_ftp, nasty_sftp.

A rule is a JSON object. It strikes where everything that it names matches:
  verb     the request's verb, or a list of them; without it each request
  name     a regular expression that is searched for in the name
  header   a regular expression that is searched for in "Name: value" of each header (HTTP only)
  above    the least size in bytes
  exists   whether the name is there already
  first    strikes on the first so many matching requests only; without it always
  after    lets so many matching requests pass before it strikes
  each     counts the requests for each name, and not for all of them together
  answer   the status; "drop" ends the connection, "reset" resets it (HTTP only)
  words    the server's words
  partly   the server does what it was asked, and then answers so
  spoils   the server takes the request and does another thing: it stores zeros in place of the bytes (S3), replaces a
           file in place of appending (FTP, APPE), or stores a file under another name (FTP, STOR)
  tells    the server does as asked, and tells this size of a file that is there; -1 for none (HTTP: HEAD and PROPFIND; not
           -1 for FTP: SIZE, and SFTP: lstat, fstat and stat)
No rule strikes once a file "lifted" is in the folder of the counts.
COUNTS is a file with a JSON object a line: verb, name, bytes, answer. Of a transfer that the server breaks there are two more:
"broken" has the bytes that had come, and "kept" those of them that the server has on its disk.
"""
import fcntl
import hashlib
import json
import os
import re


class Rules:
    def __init__(self, folder, rules):
        self.rules = json.loads(rules)
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def strike(self, verb, name, headers=(), size=0, exists=None):
        """The rule that strikes on a request; None where none does."""
        if os.path.exists(f"{self.folder}/lifted"):
            return None
        for index, rule in enumerate(self.rules):
            verbs = rule.get("verb")
            if verbs is not None and verb not in ([verbs] if isinstance(verbs, str) else verbs):
                continue
            if "name" in rule and not re.search(rule["name"], name):
                continue
            if "header" in rule and not any(re.search(rule["header"], f"{k}: {v}", re.I) for k, v in headers):
                continue
            if size < rule.get("above", 0):
                continue
            if "exists" in rule and rule["exists"] != exists:
                continue
            number = self.count(index, name if rule.get("each") else "")
            after = rule.get("after", 0)
            if number <= after or "first" in rule and number > after + rule["first"]:
                continue
            return rule
        return None

    def count(self, index, name):
        """How often a rule matched, with this time; over all processes of the server."""
        mark = hashlib.md5(name.encode(errors="replace")).hexdigest() if name else "all"
        with open(f"{self.folder}/rule-{index}-{mark}", "a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write("x")
            file.flush()
            return os.fstat(file.fileno()).st_size

    def note_broken(self, size, kept):
        """Counts a transfer that ends before its last byte."""
        self.note("broken", "", size, "")
        self.note("kept", "", kept, "")

    def note(self, verb, name, size, answer):
        line = json.dumps({"verb": verb, "name": name, "bytes": size, "answer": str(answer)}) + "\n"
        with open(f"{self.folder}/requests", "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(line)
