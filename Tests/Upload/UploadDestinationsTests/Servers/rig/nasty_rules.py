"""Rules for refused requests, and counts of requests. Shared by nasty_http, nasty_ftp and nasty_sftp.

A rule is a JSON object. It applies to a request if all of these keys match:
  verb     the request's verb, or a list of verbs; without this key, every verb
  name     a regular expression that is searched in the name
  header   a regular expression that is searched in "Name: value" of each header (HTTP only)
  above    the smallest size in bytes
  exists   whether the name already exists
  folderExists  whether the folder of the name exists (SFTP only)
  beingWritten  whether a client has the name open for writing (SFTP only)
  first    the number of matching requests to which the rule applies; without this key, all of them
  after    the number of matching requests before the rule applies
  each     whether first and after count the requests of each name separately
The other keys define the reaction:
  answer             the status; "drop" ends the connection, "reset" resets it (HTTP only)
  message            the text of the server's response
  executesFirst      the server executes the request before it sends this answer
  storesIncorrectly  the server accepts the request but executes another one: it stores zeros instead of the bytes (S3),
                     replaces a file instead of appending (FTP, APPE), or stores a file under another name (FTP, STOR)
  otherTags          the server executes the request, and its entity tags look like MD5s but are not MD5s of the bytes (S3)
  reportedSize       the server executes the request and reports this size of an existing file (HTTP: HEAD and PROPFIND;
                     FTP: SIZE; SFTP: lstat, fstat and stat); for HTTP, -1 reports no size
If the folder of the counts contains a file "lifted", no rule applies.
The folder's file "requests" has one JSON object per line: verb, name, bytes, answer. A transfer that the server breaks adds two objects:
"broken" has the number of received bytes, and "kept" the number of bytes on the server's disk.
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

    def matching_rule(self, verb, name, headers=(), size=0, exists=None, being_written=None, folder_exists=None):
        """Returns the rule that applies to a request, or None."""
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
            if "folderExists" in rule and rule["folderExists"] != folder_exists:
                continue
            if "beingWritten" in rule and rule["beingWritten"] != being_written:
                continue
            number = self.count(index, name if rule.get("each") else "")
            after = rule.get("after", 0)
            if number <= after or "first" in rule and number > after + rule["first"]:
                continue
            return rule
        return None

    def count(self, index, name):
        """Returns the number of matches of a rule in all processes of the server, including this one."""
        mark = hashlib.md5(name.encode(errors="replace")).hexdigest() if name else "all"
        with open(f"{self.folder}/rule-{index}-{mark}", "a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write("x")
            file.flush()
            return os.fstat(file.fileno()).st_size

    def record_broken(self, size, kept):
        """Counts a transfer that ended before its last byte."""
        self.record("broken", "", size, "")
        self.record("kept", "", kept, "")

    def record(self, verb, name, size, answer):
        line = json.dumps({"verb": verb, "name": name, "bytes": size, "answer": str(answer)}) + "\n"
        with open(f"{self.folder}/requests", "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(line)
