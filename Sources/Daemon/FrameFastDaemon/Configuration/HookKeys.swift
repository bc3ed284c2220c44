import UploadDestinations

/// The keys about hooks, in the order of the commented file and the reference.
enum HookKeys {
    /// What can happen.
    static let moments = Hook.Moment.allCases.map(\.rawValue)

    static let all: [ConfigurationKey] = [
        .init(
            section: "hook", name: "name", kind: .cameraName, defaultTOML: nil, exampleTOML: "\"lamp\"",
            doc: "What the hook is called in the log. Required, and different for each."),
        .init(
            section: "hook", name: "on", kind: .words(moments), defaultTOML: nil, exampleTOML: "\"saved\"",
            doc: "What it is run for: one word, or a list of them. Required. See the guide to hooks."),
        .init(
            section: "hook", name: "command", kind: .texts("program and arguments"), defaultTOML: nil,
            exampleTOML: "[\"/usr/local/bin/on-photo\", \"{file}\"]",
            doc: """
                The program, absolute, and its arguments. Required. Never a shell line: `{file}`, `{camera}` and so on \
                stay one argument whatever they stand for. The same facts are in the environment as `FRAMEFAST_FILE`, \
                `FRAMEFAST_CAMERA` and so on.
                """),
        .init(
            section: "hook", name: "timeout", kind: .duration(max: .seconds(86_400)), defaultTOML: nil,
            exampleTOML: "\"30 s\"",
            doc: "Longest run; then it is ended with everything that it started. Without it, 1 minute."),
        .init(
            section: "hook", name: "concurrency", kind: .number(1...16), defaultTOML: nil, exampleTOML: "2",
            doc: "Runs at a time. Without it, 1: in order, one after the other."),
        .init(
            section: "hook", name: "types", kind: .texts("file types: picture, raw, movie, or extensions"),
            defaultTOML: nil, exampleTOML: "[\"picture\"]", doc: "Only for these files. Without it, all."),
        .init(
            section: "hook", name: "cameras", kind: .texts("camera names"), defaultTOML: nil,
            exampleTOML: "[\"studio-a\"]", doc: "Only for these cameras and their photos."),
        .init(
            section: "hook", name: "sessions", kind: .texts("session names"), defaultTOML: nil,
            exampleTOML: "[\"Wedding\"]", doc: "Only for these sessions and their photos."),
        .init(
            section: "hook", name: "destinations", kind: .texts("names of destinations"), defaultTOML: nil,
            exampleTOML: "[\"nas\"]", doc: "Only for these destinations."),
    ]
}
