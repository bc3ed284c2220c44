"""pyftpdlib with rules; see nasty_rules.py. A rule's verb is the command, and its name is the argument. The verb
"data" matches received bytes of a file. Its size is the number of bytes so far, and its only answer is "drop".

usage: nasty_ftp.py PORT FOLDER RULES
Files are in FOLDER/files, and the counts in FOLDER/counts. User ff, password ff. The server computes checksums if a rule has the
verb XSHA256.
"""
import hashlib
import os
import sys

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import DTPHandler, FTPHandler
from pyftpdlib.servers import FTPServer

sys.dont_write_bytecode = True
from nasty_rules import Rules  # noqa: E402

folder = sys.argv[2]
files = os.path.join(folder, "files")
rules = Rules(os.path.join(folder, "counts"), sys.argv[3])


class Data(DTPHandler):
    def recv(self, size):
        data = super().recv(size)
        rules.record("data", "", len(data), "")
        self.total = getattr(self, "total", 0) + len(data)
        if rules.matching_rule("data", "", size=self.total):
            # The last chunk is not stored.
            self.file_obj.flush()
            rules.record_broken(self.total, self.total - len(data))
            self.cmd_channel.close()
        return data


class Handler(FTPHandler):
    proto_cmds = FTPHandler.proto_cmds.copy()

    def __init__(self, *arguments, **words):
        super().__init__(*arguments, **words)
        if "XSHA256" in self.proto_cmds:
            self._extra_feats = [*self._extra_feats, "XSHA256"]

    def ftp_XSHA256(self, path):
        with open(path, "rb") as file:
            self.respond("250 " + hashlib.sha256(file.read()).hexdigest().upper())
        return path

    def pre_process_command(self, line, verb, argument):
        # Before the login, there is no user folder.
        exists = bool(argument and self.fs) and os.path.exists(self.fs.ftp2fs(argument))
        rule = rules.matching_rule(verb, argument, exists=exists)
        if rule and rule.get("storesIncorrectly"):
            name = argument if verb == "APPE" else argument + ".1"
            line, verb, argument, rule = f"STOR {name}", "STOR", name, None
        if rule and "reportedSize" in rule:
            if exists:
                rules.record(verb, argument, 0, "213")
                return self.respond(f"213 {rule['reportedSize']}")
            rule = None
        if rule is None:
            rules.record(verb, argument, 0, "")
            return super().pre_process_command(line, verb, argument)
        rules.record(verb, argument, 0, rule["answer"])
        if rule.get("executesFirst"):
            self.respond, respond = lambda *_, **__: None, self.respond
            super().pre_process_command(line, verb, argument)
            self.respond = respond
        if rule["answer"] == "drop":
            return self.close()
        return self.respond(f"{rule['answer']} {rule.get('message', 'Refused by the rig.')}")


if "XSHA256" in sys.argv[3]:
    Handler.proto_cmds["XSHA256"] = dict(perm="r", auth=True, arg=True, help="Syntax: XSHA256 <SP> name.")
os.makedirs(files, exist_ok=True)
users = DummyAuthorizer()
users.add_user("ff", "ff", files, perm="elradfmwMT")
Handler.authorizer = users
Handler.dtp_handler = Data
Handler.auth_failed_timeout = 0
Handler.timeout = 60
FTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
