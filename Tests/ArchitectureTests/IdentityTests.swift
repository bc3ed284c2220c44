import TestRig
import Testing

/// Tests that every identity has its own type. A plain text or number would also accept a different kind of
/// identity, or a name that a user has chosen.
@Suite(.blocking) struct IdentityTests {
    /// A declaration that is named like an identity but has another meaning.
    struct Exception: Hashable, Sendable {
        var path: String
        var word: String
        var reason: String
    }

    static let exceptions =
        [
            Exception(
                path: "Sources/Model/FrameFastModel/Cameras/CameraProfile.swift", word: "body",
                reason: "the name of a setting of the driver"),
            Exception(
                path: "Sources/Model/FrameFastModel/Uploads/UploadRule.swift", word: "cameras",
                reason: "rules contain names"),
            Exception(
                path: "Sources/Model/FrameFastModel/Uploads/UploadRule.swift", word: "sessions",
                reason: "rules contain names"),
            Exception(
                path: "Sources/API/FrameFastAPI/Replies/SmallReplies.swift", word: "camera",
                reason: "the name of a camera on the wire"),
            Exception(
                path: "Sources/Camera/CameraWorker/Card/CardCache.swift", word: "camera",
                reason: "maker, model and serial number that the worker has read"),
            Exception(
                path: "Sources/Camera/CameraWorker/Transfer/ChunkSizeHistory.swift", word: "camera",
                reason: "maker, model and serial number that the worker has read"),
            Exception(
                path: "Sources/Camera/CameraWorker/Connection/SettingsBackup.swift", word: "camera",
                reason: "maker and serial number that the worker has read"),
            Exception(
                path: "Sources/API/FrameFastAPI/Requests/WebRequests.swift", word: "session",
                reason: "a typed number or name, which the daemon resolves"),
            Exception(
                path: "Sources/API/FrameFastAPI/Replies/WebPageReplies.swift", word: "session",
                reason: "the name of a session on the wire"),
            Exception(
                path: "Sources/CLI/TerminalUI/Components/CaptureRowView.swift", word: "camera",
                reason: "a name for the screen"),
            Exception(
                path: "Sources/CLI/FrameFastCLI/Views/StatusView.swift", word: "session",
                reason: "lines for the screen"),
            Exception(
                path: "Sources/CLI/FrameFastCLI/Verbs/Service/LogsVerb.swift", word: "camera",
                reason: "the name of a camera in the journal"),
            Exception(
                path: "Sources/CLI/FrameFastCLI/Verbs/Service/LogsVerb.swift", word: "destination",
                reason: "the value of a journal field"),
            Exception(
                path: "Sources/CLI/FrameFastCLI/Verbs/Cameras/ConnectVerb.swift", word: "session",
                reason: "the name of a new session"),
        ]
        + [
            "Captures/PhotoFilterOptions", "Uploads/QueueAddVerb", "Captures/SessionKeepVerb",
            "Captures/StorageVerbs", "Web/WebVerbs",
        ].map {
            Exception(
                path: "Sources/CLI/FrameFastCLI/Verbs/\($0).swift", word: "session",
                reason: "a typed number or name, which sessionID(_:) resolves")
        }

    @Test func `an identity has its own type instead of String or Int64`() throws {
        let declaration = try LinePattern(
            #"\b(camera|cameras|cameraID|capture|captures|captureID|shot|shotID|job|jobs|jobID|session|sessions|sessionID|destination|destinations|body|bodyID)( \w+)?: *@?(\[|Set<)?(String|Int64)\b"#
        )
        var found: Set<String> = []
        let allowed = Set(Self.exceptions.map { "\($0.path) \($0.word)" })
        for file in try SourceFile.all(under: "Sources") where file.layer != "Simulator" {
            for (_, line) in file.code(matching: declaration) {
                for word in declaration.texts(ofGroup: 1, in: line) {
                    let key = "\(file.path) \(word)"
                    found.insert(key)
                    #expect(allowed.contains(key), "\(file.path): \(line)")
                }
            }
        }
        #expect(allowed.subtracting(found) == [], "an exception without a declaration")
    }

    @Test func `no code creates an identity from a name`() throws {
        let made = try LinePattern(#"\b(CameraID|BodyID)\(rawValue: [^)]*[nN]ame\b"#)
        let allowed = [
            // The name of the camera's table is its stable identity.
            "Sources/Daemon/FrameFastDaemon/Settings/Configuration+Parts.swift"
        ]
        for file in try SourceFile.all(under: "Sources") where !allowed.contains(file.path) {
            for (_, line) in file.lines(matching: made) { Issue.record("\(file.path): \(line)") }
        }
    }
}
