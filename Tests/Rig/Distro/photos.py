"""The differences between the photos that a camera took and those that the service has."""

import collections


def differences(taken: list[str], records: list[dict], files: dict[str, str]) -> tuple[list[str], list[str]]:
    """Compares bytes: each photo must have one record and one file with the bytes of the record.

    - taken: SHA-256 of each file that the camera made.
    - records: Rows of `framefast captures --json`.
    - files: SHA-256 of each file in the capture directory, by path.
    - Returns: Sentences about photos that can still arrive, and sentences about photos that are wrong.
    """
    saved = [record for record in records if record["saved_at"]]
    unfinished, wrong = [], []
    for place, found in (("in the ledger", [record["sha256"] for record in saved]), ("on disk", list(files.values()))):
        surplus = collections.Counter(found)
        surplus.subtract(taken)
        missing = sum(-count for count in surplus.values() if count < 0)
        if missing:
            unfinished.append(f"{missing} of {len(taken)} photos are missing {place}")
        wrong += [f"{count} too many {place}: {photo}" for photo, count in surplus.items() if count > 0]
    unfinished += [f"photo {one['id']} ({one['original_name']}) is {one['state']}" for one in records if not one["saved_at"]]
    # A file is renamed shortly before its record is saved.
    unfinished += [f"a file has no record: {path}" for path in files.keys() - {record["path"] for record in saved}]
    wrong += [
        f"the file of {record['path']} has other bytes than its record" for record in saved
        if files.get(record["path"], record["sha256"]) != record["sha256"]]
    return unfinished, wrong
