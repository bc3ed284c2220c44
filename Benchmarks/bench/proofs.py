"""What a session's manifests cost when there are many, beside the reference tool ascmhl on a copy of the same folder."""
import pathlib, shutil, subprocess, tempfile, time

from .machine import BIN, ROOT, median, table, wait_for
from .programs import Daemon, Simulator

TOOL = ROOT / ".build/test-servers/mhl/bin"
GENERATIONS = (10, 100, 500)
LOOKS = 5  # of each program, in turn, at each length
PHOTO_BYTES = 100_000
SESSION = "Long"


def seconds(*command):
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def files(folder):
    return sorted(folder.glob("ascmhl/*.mhl"))


class Proofs:
    def __init__(self, room):
        self.camera = Simulator(room, ["--size", str(PHOTO_BYTES)])
        self.service = Daemon(room, [self.camera.port])
        self.room, self.folder, self.photos, self.generations = room, room / "captures" / SESSION, 0, 0

    def say(self, *words):
        return seconds(BIN / "framefast", "--socket", self.service.socket, *words)

    def take(self):
        self.camera.shoot(1)
        self.photos += 1
        wait_for("the photo", lambda: self.service.saved() == self.photos)

    def seal(self):
        """One more photo, and the generation that has it: seconds of the whole call."""
        self.take()
        took = self.say("session", "seal", SESSION)
        self.generations += 1
        return took

    def look(self):
        """Seconds of one more generation and of a verification, by us and by ascmhl; at a folder of the same length."""
        ours = self.seal()
        verified = self.say("verify", SESSION)
        self.generations += 1
        copy = self.room / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy)
        (copy / "one more.jpg").write_bytes(bytes(PHOTO_BYTES))
        theirs = seconds(TOOL / "ascmhl", "create", "-h", "xxh128", copy)
        their_verified = seconds(TOOL / "ascmhl-debug", "verify", copy)
        return ours, theirs, verified, their_verified

    def end(self):
        self.service.end()
        self.camera.end()


def show():
    results, rows = {}, []
    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as room:
        place = Proofs(pathlib.Path(room))
        try:
            place.service.wait_until_ready()
            place.say("session", "start", SESSION)
            for length in GENERATIONS:
                while place.generations < length - 2 * LOOKS:
                    place.seal()
                looks = [[1000 * s for s in place.look()] for _ in range(LOOKS)]
                ours, theirs, verified, their_verified = (median(column) for column in zip(*looks))
                size = sum(file.stat().st_size for file in files(place.folder))
                results[length] = {"seal_ms": ours, "ascmhl_create_ms": theirs, "verify_ms": verified,
                                   "ascmhl_verify_ms": their_verified, "manifest_bytes": size}
                rows.append([len(files(place.folder)), place.photos, f"{size / 1e6:.1f} MB", f"{ours:.0f} ms",
                             f"{theirs:.0f} ms", f"{ours / theirs:.3f}", f"{verified:.0f} ms", f"{their_verified:.0f} ms",
                             f"{verified / their_verified:.3f}"])
                print(f"  {' | '.join(map(str, rows[-1]))}", flush=True)
        finally:
            place.end()
    print(f"\none more generation, and a verification, of a session with many; each call as a person makes it, {LOOKS} of each"
          " in turn, medians; ascmhl on a copy")
    print(table(["generations", "photos", "manifests", "session seal", "ascmhl create", "ratio", "verify", "ascmhl-debug verify",
                 "ratio"], rows), flush=True)
    return results
