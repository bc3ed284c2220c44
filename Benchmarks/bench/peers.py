"""Other programs that upload the files of a folder, with their default settings."""
import os, pathlib, resource, shutil, subprocess, time

from .machine import SCRATCH
from .servers import KEY, SECRET

# rclone 1.60 fails if AWS_CA_BUNDLE is set.
PLAIN = {name: value for name, value in os.environ.items() if name != "AWS_CA_BUNDLE"}


def s3(server, port, folder, prefix):
    keys = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": "us-east-1"}
    place = f"{server.bucket}/{prefix}"
    commands = {"rclone": rclone(
        folder, f":s3:{place}", "--s3-provider", "Other", "--s3-env-auth", "--s3-endpoint", f"http://127.0.0.1:{port}",
        "--s3-no-check-bucket")}
    if aws := find_aws():
        commands["aws s3 cp"] = [
            aws, "--endpoint-url", f"http://127.0.0.1:{port}", "s3", "cp", "--recursive", "--only-show-errors", ".",
            f"s3://{place}"]
    return commands, keys


def sftp(server, port, folder, prefix):
    known, key = server.known_at(port), server.scratch / "user_key"
    batch = server.scratch / "batch"
    names = files(folder)
    folders = sorted({str(parent) for name in names for parent in pathlib.PurePath(prefix, name).parents} - {"."})
    batch.write_text("\n".join(
        [f'-mkdir "{name}"' for name in folders] + [f'put "{name}" "{prefix}/{name}"' for name in names]) + "\n")
    user = os.environ.get("USER") or "root"
    return {
        "rclone": rclone(
            folder, f":sftp:{prefix}", "--sftp-host", "127.0.0.1", "--sftp-port", str(port), "--sftp-user", user,
            "--sftp-key-file", key, "--sftp-known-hosts-file", known),
        "sftp -b": ["sftp", "-q", "-b", batch, "-F", "none", "-i", key, f"-oUserKnownHostsFile={known}", "-P",
                    str(port), f"{user}@127.0.0.1"],
    }, {}


def nginx(server, port, folder, prefix):
    (server.folder / prefix).mkdir(exist_ok=True)  # rclone fails if this folder is missing in nginx
    address = f"http://127.0.0.1:{port}/{prefix}"
    lines = "".join(f'upload-file = "{name}"\nurl = "{address}/{name}"\n' for name in files(folder))
    listing = server.folder.parent / "curl.conf"
    listing.write_text(lines)
    return {
        "rclone": rclone(folder, ":webdav:", "--webdav-url", address, "--webdav-vendor", "other"),
        "curl": ["curl", "-sS", "-q", "--fail", "-K", listing],
        "curl -Z": ["curl", "-sS", "-q", "--fail", "-Z", "--parallel-max", "16", "-K", listing],
    }, {}


def rclone(folder, place, *options):
    return ["rclone", "--config", "/dev/null", "copy", ".", place, *options]


def files(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def find_aws():
    """Returns the path of `aws`, or `None`. If this computer has no `aws`, installs it next to the release build."""
    if found := shutil.which("aws"):
        return found
    venv = SCRATCH / "peers"
    if not (venv / "bin/aws").exists():
        subprocess.run(["python3", "-m", "venv", venv], check=False)
        subprocess.run([venv / "bin/pip", "install", "--quiet", "awscli"], check=False)
    return venv / "bin/aws" if (venv / "bin/aws").exists() else None


def run(command, folder, environment, seconds_max):
    """Runs another program in the folder. Returns its duration and processor time, in seconds. Prints its error."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, env={**PLAIN, **environment}, capture_output=True, text=True,
        timeout=seconds_max)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        print(f"  {command[0]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return {"seconds": seconds, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}
