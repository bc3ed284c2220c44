// The description of a key is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Hooks
public import SettingKeys

/// The keys of a hook, which is a program that the daemon runs on an event.
public struct HookKeys: ConfigurationSection {
    public static let section = "hook"
    public static let title = "Programs that are run when something happens, one table each"
    public static let keys = HookKeys()

    public let name = SettingKey(
        "name", required: .name, example: "\"lamp\"",
        "What the hook is called in the log. Required, and different for each.")
    public let on = SettingKey(
        "on", required: .words(Hook.EventKind.allCases), example: "\"saved\"",
        "What it is run for: one word, or a list of them. Required. See the guide to hooks.")
    public let command = SettingKey(
        "command", required: .texts("program and arguments"),
        example: "[\"/usr/local/bin/on-photo\", \"{file}\"]",
        """
        The program, absolute, and its arguments. Required. Never a shell line: `{file}`, `{camera}` and so on \
        stay one argument whatever they stand for. The same facts are in the environment as `FRAMEFAST_FILE`, \
        `FRAMEFAST_CAMERA` and so on.
        """)
    public let timeout = SettingKey(
        "timeout", optional: .duration(max: .seconds(86_400)), example: "\"30 s\"",
        "Longest run; then it is ended with everything that it started. Without it, 1 minute.")
    public let concurrency = SettingKey(
        "concurrency", optional: .number(1...16), example: "2",
        "Runs at a time. Without it, 1: in order, one after the other.")
    public let retries = SettingKey(
        "retries", optional: .number(0...10), example: "3",
        """
        How often a run that failed (an exit code other than 0, or the timeout) is repeated: after 2 s, 6 s, 18 s and so \
        on, at most 1 minute apart. Later events wait for it unless `concurrency` lets them by. Without it, 0.
        """)
    public let types = SettingKey(
        "types", optional: .texts("file types: picture, raw, movie, or extensions"),
        example: "[\"picture\"]", "Only for these files. Without it, all.")
    public let cameras = SettingKey(
        "cameras", optional: .texts("camera names"), example: "[\"studio-a\"]",
        "Only for these cameras and their photos.")
    public let sessions = SettingKey(
        "sessions", optional: .texts("session names"), example: "[\"Wedding\"]",
        "Only for these sessions and their photos.")
    public let destinations = SettingKey(
        "destinations", optional: .texts("names of destinations"), example: "[\"nas\"]",
        "Only for these destinations.")
}
