"""A subsystem of sshd that forwards to OpenSSH's sftp-server, with rules; see nasty_rules.py.

usage: nasty_sftp.py SFTP_SERVER FOLDER
The rules are in FOLDER/rules.json, and the counts in FOLDER/counts. Verbs: open-write, open-read, write, rename,
remove, lstat, fstat, stat, mkdir, setstat, read, close, and each extension's name before "@" (fsync). An
answer is an SFTP status. "drop" ends the session after all earlier requests have received their replies.
"""
import os
import struct
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
from nasty_rules import Rules  # noqa: E402

STATUS, HANDLE, ATTRIBUTES, OPEN, EXTENDED, WRITE, CLOSE = 101, 102, 105, 3, 200, 6, 4
# The flag for attributes that begin with the size.
HAS_SIZE = 1
VERBS = {CLOSE: "close", 5: "read", WRITE: "write", 7: "lstat", 8: "fstat", 9: "setstat", 10: "setstat", 13: "remove",
         14: "mkdir", 17: "stat", 18: "rename"}
server = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
folder = sys.argv[2]
with open(f"{folder}/rules.json") as file:
    rules = Rules(f"{folder}/counts", file.read())
answering = threading.Condition()
waiting = set()
refused = {}
told = {}
ANSWER_SECONDS = 5
# The number of bytes written to each open file, by handle.
written = {}
# The names of the files that are open for writing, by handle.
writers = {}
# The names in requests to open a file for writing, by the request's number.
opening = {}


def read(file, count):
    data = b""
    while len(data) < count:
        more = file.read(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def packet(file):
    return read(file, struct.unpack(">I", read(file, 4))[0])


def write(file, packet):
    file.write(struct.pack(">I", len(packet)) + packet)
    file.flush()


def text(packet, at):
    length = struct.unpack(">I", packet[at:at + 4])[0]
    return packet[at + 4:at + 4 + length].decode(errors="replace"), at + 4 + length


def meaning(packet):
    """Returns the verb, the name, the bytes, and whether the name exists."""
    kind = packet[0]
    if kind == OPEN:
        name, end = text(packet, 5)
        flags = struct.unpack(">I", packet[end:end + 4])[0]
        return "open-write" if flags & 2 else "open-read", name, 0, os.path.exists(name)
    if kind == EXTENDED:
        name, end = text(packet, 5)
        return name.split("@")[0], "", 0, None
    if kind == WRITE:
        _, end = text(packet, 5)
        return "write", "", struct.unpack(">I", packet[end + 8:end + 12])[0], None
    verb = VERBS.get(kind, str(kind))
    name = text(packet, 5)[0] if verb in ("lstat", "stat", "remove", "mkdir", "rename", "setstat") else ""
    return verb, name, 0, os.path.exists(name)


def count_written(asked):
    """Adds the bytes of a write to the count of its open file. Removes the count if the file is closed."""
    handle = text(asked, 5)[0] if asked[0] in (WRITE, CLOSE) else None
    if asked[0] == WRITE:
        written[handle] = written.get(handle, 0) + meaning(asked)[2]
    elif asked[0] == CLOSE:
        written.pop(handle, None)


def count_writers(asked, verb, name):
    """Records a request to open a file for writing. Removes the name of a file that is closed."""
    with answering:
        if verb == "open-write":
            opening[asked[1:5]] = name
        elif verb == "close":
            writers.pop(text(asked, 5)[0], None)


def refusal(asked, rule):
    """Returns the packet that refuses a request, or an empty packet if the session ends instead."""
    if rule["answer"] == "drop":
        return b""
    message = rule.get("message", "refused by the rig").encode()
    return (struct.pack(">B", STATUS) + asked[1:5] + struct.pack(">I", rule["answer"])
            + struct.pack(">I", len(message)) + message + struct.pack(">I", 0))


def with_size(answer, size):
    """Returns attributes with a different size. Does not change other replies."""
    if size is None or answer[0] != ATTRIBUTES or not answer[8] & HAS_SIZE:
        return answer
    return answer[:9] + struct.pack(">Q", size) + answer[17:]


def upward():
    try:
        while True:
            asked = packet(sys.stdin.buffer)
            if asked[0] == 1:
                write(server.stdin, asked)
                continue
            verb, name, size, exists = meaning(asked)
            with answering:
                being_written = name in writers.values()
            folder_exists = os.path.isdir(os.path.dirname(name) or ".")
            rule = rules.matching_rule(verb, name, (), size, exists, being_written, folder_exists)
            if rule and "reportedSize" in rule:
                with answering:
                    told[asked[1:5]] = rule["reportedSize"]
                rule = None
            rules.record(verb, name, size, rule["answer"] if rule else "")
            count_written(asked)
            count_writers(asked, verb, name)
            if verb == "write" and rule and rule["answer"] == "drop":
                # The end of the session interrupts the transfers of all open files.
                rules.record_broken(sum(written.values()), sum(written.values()) - size)
            if rule is None or rule.get("executesFirst"):
                with answering:
                    waiting.add(asked[1:5])
                    if rule:
                        refused[asked[1:5]] = refusal(asked, rule)
                write(server.stdin, asked)
            elif rule["answer"] != "drop":
                with answering:
                    write(sys.stdout.buffer, refusal(asked, rule))
            if rule and rule["answer"] == "drop":
                with answering:
                    answering.wait_for(lambda: not waiting, ANSWER_SECONDS)
                break
    except (EOFError, OSError):
        pass
    server.kill()


threading.Thread(target=upward, daemon=True).start()
try:
    while True:
        answer = packet(server.stdout)
        with answering:
            number = answer[1:5]
            name = opening.pop(number, None)
            if name is not None and answer[0] == HANDLE:
                writers[text(answer, 5)[0]] = name
            answer = refused.pop(number, with_size(answer, told.pop(number, None)))
            if answer:
                write(sys.stdout.buffer, answer)
            waiting.discard(number)
            answering.notify_all()
except (EOFError, OSError):
    pass
server.kill()
os._exit(0)
