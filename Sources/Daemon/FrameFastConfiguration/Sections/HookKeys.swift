// The description text of each key replaces its doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Hooks
public import SettingKeys

/// The keys of a hook, which is a program that the daemon runs on an event.
public struct HookKeys: ConfigurationSection {
    public static let section = "hook"
    public static let title = "Programs to run on events, one table each"
    public static let keys = HookKeys()

    public let name = SettingKey(
        "name", required: .name, example: "\"lamp\"",
        "The hook's name in the log. Required, and unique.")
    public let on = SettingKey(
        "on", required: .words(Hook.EventKind.allCases), example: "\"saved\"",
        "The events that run the hook: one event or a list of events. Required. See the guide to hooks.")
    public let command = SettingKey(
        "command", required: .texts("program and arguments"),
        example: "[\"/usr/local/bin/on-photo\", \"{file}\"]",
        """
        The absolute path of the program, and its arguments. Required. The program runs without a shell, \
        so `{file}`, `{camera}` and similar facts always stay one argument. The environment has the same \
        facts as `FRAMEFAST_FILE`, `FRAMEFAST_CAMERA` and so on.
        """)
    /// The time limit of a run if `timeout` is not set. The description of `timeout` and the guide state this
    /// limit.
    public static let defaultTimeout: Duration = .seconds(60)
    public let timeout = SettingKey(
        "timeout", optional: .duration(max: .seconds(86_400)), example: "\"30 s\"",
        "Time limit of a run. After this time, FrameFast kills the program and its child processes. Default: 1 minute."
    )
    public let concurrency = SettingKey(
        "concurrency", optional: .number(1...16), example: "2",
        "Number of parallel runs. Default: 1, which runs events in order.")
    public let retries = SettingKey(
        "retries", optional: .number(0...10), example: "3",
        """
        How many times to retry a failed run (an exit code other than 0, or a timeout): after 2 s, 6 s, 18 s \
        and so on, at most 1 minute apart. Later events wait for the retries unless `concurrency` allows \
        more runs. Default: 0.
        """)
    public let types = SettingKey(
        "types", optional: .texts("file types: picture, raw, movie, or extensions"),
        example: "[\"picture\"]", "Only for files of these types. Default: all files.")
    public let cameras = SettingKey(
        "cameras", optional: .texts("camera names"), example: "[\"studio-a\"]",
        "Only for events of these cameras and of their photos.")
    public let sessions = SettingKey(
        "sessions", optional: .texts("session names"), example: "[\"Wedding\"]",
        "Only for events of these sessions and of their photos.")
    public let destinations = SettingKey(
        "destinations", optional: .texts("names of destinations"), example: "[\"nas\"]",
        "Only for events of these destinations.")
}
