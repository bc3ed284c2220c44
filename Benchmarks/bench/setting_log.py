"""A comparison of the results of setting changes with the camera's own values."""
import collections


class SettingLog:
    """Compares results of setting changes with the camera's own values, without the product's tables.

    After successful changes, equal setting values have equal camera values. A failed change leaves the camera unchanged.
    """

    def __init__(self, maker):
        self.maker, self.entries, self.first, self.left_out = maker, [], {}, set()

    def leave_out_changes_to(self, now):
        """Removes values that change without a set: clocks and photo counters."""
        self.left_out = {code for code in now if now[code] != self.first.get(code)}

    def add(self, result, before, after):
        changed = {code for code in after if after[code] != before.get(code)} - self.left_out
        self.entries.append((result, changed, after))

    def wrong(self):
        changes = collections.defaultdict(collections.Counter)
        for result, changed, _ in self.entries:
            if result["result"] in ("set", "adjusted"):
                changes[result["key"]].update(changed)
        raw, words, lines = {}, {}, []
        for result, changed, after in self.entries:
            key, outcome, value = result["key"], result["result"], result.get("value")
            if outcome not in ("set", "adjusted"):
                if changed and outcome != "busy":
                    lines.append(f"{self.maker}: {key} {outcome}, and {sorted(changed)} changed")
                continue
            if not changes[key]:
                lines.append(f"{self.maker}: {key} {outcome}, and nothing changed")
                continue
            [(code, _)] = changes[key].most_common(1)
            if raw.setdefault((key, value), after[code]) != after[code]:
                lines.append(f"{self.maker}: {key} {outcome} to {value}, and {code} is {after[code]}")
            if words.setdefault((key, after[code]), value) != value:
                lines.append(f"{self.maker}: {key} {outcome} to {value}, and {code} is still {after[code]}")
        return lines
