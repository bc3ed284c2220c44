"""Reads a discovery message as Home Assistant does: its fields, and its templates in the sandbox that it runs them in.

usage: home_assistant.py < {"config": …, "status": …, "event": …, "camera": …}; prints what each component shows, or what is wrong.
The fields are those of https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload and of each platform's page.
"""
import datetime, json, sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

COMMON = {"platform", "unique_id", "name", "icon", "device_class", "qos"}
PLATFORMS = {  # fields that a platform needs, and those that it may have besides
    "sensor": ({"state_topic"}, {"value_template", "unit_of_measurement", "state_class"}),
    "binary_sensor": ({"state_topic"}, {"value_template"}),
    "event": ({"state_topic", "event_types"}, {"value_template"}),
    "button": ({"command_topic"}, {"command_template"}),
}
UNITS = {"battery": {"%"}, "data_size": {"B", "kB", "MB", "GB"}, None: {None}}
STATES = {"measurement", "total", "total_increasing"}


def expect(isRight, what):
    if not isRight:
        sys.exit(what)


said = json.load(sys.stdin)
config = said["config"]
expect(set(config) == {"device", "origin", "components", "availability_topic"}, f"fields {sorted(config)}")
expect(config["device"]["identifiers"] and config["origin"]["name"], "who it is and who says so are required")
expect(not any(sign in config["availability_topic"] for sign in "#+"), "a topic with a wildcard")
environment = ImmutableSandboxedEnvironment()
environment.globals.update(
    utcnow=lambda: datetime.datetime.now(datetime.timezone.utc), timedelta=datetime.timedelta)
ids, shown = set(), {}
for key, component in config["components"].items():
    needs, may = PLATFORMS[component["platform"]]
    fields = set(component)
    expect({"unique_id"} | needs <= fields <= COMMON | needs | may, f"{key} has {sorted(fields)}")
    expect(component["unique_id"] not in ids, f"{key}: its id is another's")
    ids.add(component["unique_id"])
    expect(component.get("state_class", "measurement") in STATES, f"{key}: {component.get('state_class')}")
    if component["platform"] == "sensor":
        expect(component.get("unit_of_measurement") in UNITS[component.get("device_class")], f"{key}: its unit")
    template = component.get("value_template") or component.get("command_template")
    value = said["event" if key == "event" else "camera" if key.startswith("battery_") else "status"]
    shown[key] = environment.from_string(template).render(value_json=value)
expect(json.loads(shown["event"])["event_type"] in config["components"]["event"]["event_types"], shown["event"])
print(json.dumps(shown, sort_keys=True))
