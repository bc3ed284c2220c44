"""A comparison of the results of setting changes with the camera's own values."""
import collections

CHANGED = ("set", "adjusted")


class SettingLog:
    """Compares results of setting changes with the camera's own values, without the product's tables.

    Expects equal values in the camera if the service confirms equal setting values. Expects that a change that was not
    needed, or that failed, leaves the camera unchanged, except for the result `busy`.
    """

    def __init__(self, maker):
        self.maker, self.entries, self.first, self.left_out = maker, [], {}, set()

    def leave_out_changes_to(self, now):
        """Excludes properties that change although no request changes a setting: clocks and photo counters."""
        self.left_out = {code for code in now if now[code] != self.first.get(code)}

    def add(self, result, before, after):
        changed = {code for code in after if after[code] != before.get(code)} - self.left_out
        self.entries.append((result, changed, after))

    def codes(self):
        """Returns the property code of each changed setting: the code that most changes of the setting share."""
        changes = collections.defaultdict(collections.Counter)
        for result, changed, _ in self.entries:
            if result["result"] in CHANGED:
                changes[result["key"]].update(changed)
        return {key: counter.most_common(1)[0][0] for key, counter in changes.items() if counter}

    def count_unknown(self):
        """Returns the number of results `unchanged` of settings that never changed. Their property code is not known."""
        codes = self.codes()
        return sum(result["result"] == "unchanged" and result["key"] not in codes for result, _, _ in self.entries)

    def wrong(self):
        codes, raw, words, lines = self.codes(), {}, {}, []
        for result, changed, after in self.entries:
            key, outcome, value = result["key"], result["result"], result.get("value")
            if outcome not in CHANGED and changed and outcome != "busy":
                lines.append(f"{self.maker}: {key} {outcome}, and {sorted(changed)} changed")
                continue
            if outcome not in (*CHANGED, "unchanged"):
                continue
            if key not in codes:
                if outcome in CHANGED:
                    lines.append(f"{self.maker}: {key} {outcome}, and nothing changed")
                continue
            code = codes[key]
            if raw.setdefault((key, value), after[code]) != after[code]:
                lines.append(f"{self.maker}: {key} {outcome} to {value}, and {code} is {after[code]}")
            if words.setdefault((key, after[code]), value) != value:
                lines.append(f"{self.maker}: {key} {outcome} to {value}, and {code} is still {after[code]}")
        return lines
