"""A subsystem of sshd that forwards to OpenSSH's sftp-server, with faults for some requests.

usage: sftp_faults.py SFTP_SERVER FOLDER FAULT...
FAULT is `REQUEST:WHAT`. It applies to the first matching request in all sessions.
  REQUEST  fsync, remove
  WHAT     lose: the session ends before the request reaches the server
           refuse: the server does not receive the request, and the client receives a failure
FOLDER contains a file for each fault that has occurred.
"""
import os
import struct
import subprocess
import sys
import threading

OPEN, CLOSE, REMOVE, EXTENDED, STATUS, HANDLE, FAILURE = 3, 4, 13, 200, 101, 102, 4
FSYNC = b"fsync@openssh.com"
server = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
folder = sys.argv[2]
faults = [fault.split(":") for fault in sys.argv[3:]]
answering = threading.Lock()
# The IDs of requests that open the small files of trials, and the handles of these files.
trials, trial_handles = set(), set()


def read(file, count):
    data = b""
    while len(data) < count:
        more = file.read(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def packet(file):
    length = read(file, 4)
    return read(file, struct.unpack(">I", length)[0])


def write(file, packet):
    file.write(struct.pack(">I", len(packet)) + packet)
    file.flush()


def name(packet):
    # The faults do not apply to the small files of trials.
    if packet[0] == OPEN and b"framefast-trial" in packet:
        trials.add(packet[1:5])
    if packet[0] == CLOSE:
        trial_handles.discard(packet[5:])
    if packet[0] == REMOVE and b"framefast-trial" not in packet:
        return "remove"
    if packet[0] == EXTENDED and packet[9:].startswith(FSYNC) and packet[9 + len(FSYNC):] not in trial_handles:
        return "fsync"
    return None


def strikes(request):
    """Returns the fault for a request. Each fault occurs once in all sessions."""
    for wanted, what in faults:
        if wanted != request:
            continue
        try:
            os.close(os.open(f"{folder}/struck-{wanted}-{what}", os.O_CREAT | os.O_EXCL))
            return what
        except FileExistsError:
            pass
    return None


def upward():
    try:
        while True:
            asked = packet(sys.stdin.buffer)
            what = strikes(name(asked))
            if what == "lose":
                break
            if what == "refuse":
                text = b"out of luck"
                with answering:
                    write(sys.stdout.buffer, struct.pack(">BII", STATUS, *struct.unpack(">I", asked[1:5]), FAILURE)
                          + struct.pack(">I", len(text)) + text + struct.pack(">I", 0))
            else:
                write(server.stdin, asked)
    except (EOFError, OSError):
        pass
    server.kill()


threading.Thread(target=upward, daemon=True).start()
try:
    while True:
        answer = packet(server.stdout)
        if answer[0] == HANDLE and answer[1:5] in trials:
            trials.discard(answer[1:5])
            trial_handles.add(answer[5:])
        with answering:
            write(sys.stdout.buffer, answer)
except (EOFError, OSError):
    pass
server.kill()
os._exit(0)
