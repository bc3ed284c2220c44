import FoundationEssentials

/// The name of a value that hooks, commands, URLs and headers can use. Environment variables have the prefix
/// `FRAMEFAST_`.
public enum FactName: String, CaseIterable, Sendable {
    // A photo.
    case file = "FILE"
    case name = "NAME"
    case original = "ORIGINAL"
    case bytes = "BYTES"
    case sha256 = "SHA256"
    case kind = "KIND"
    case camera = "CAMERA"
    case session = "SESSION"
    case capturedAt = "CAPTURED_AT"
    case capture = "CAPTURE"

    // An upload.
    case destination = "DESTINATION"
    case job = "JOB"
    case evidence = "EVIDENCE"
    case bandwidth = "BANDWIDTH"
    case probe = "PROBE"

    // A camera.
    case cameraID = "CAMERA_ID"
    case state = "STATE"
    case maker = "MAKER"
    case model = "MODEL"
    case serial = "SERIAL"

    // A session.
    case sessionNumber = "SESSION_NUMBER"
    case shots = "SHOTS"
    case photos = "PHOTOS"

    // A condition.
    case code = "CODE"
    case severity = "SEVERITY"
    case subject = "SUBJECT"
    case sentence = "SENTENCE"
    case nextStep = "NEXT_STEP"

    // A hook.
    case event = "EVENT"
    case hook = "HOOK"

    /// The meaning, for people.
    public var meaning: String {
        switch self {
        case .file: "absolute path of the photo's file"
        case .name:
            "the photo's name at the destination; for a hook on `saved`, its path relative to the capture directory"
        case .original: "the camera's own file name"
        case .bytes: "size of the file in bytes"
        case .sha256: "SHA-256 of the file, in lower-case hex"
        case .kind: "`picture`, `raw`, `movie` or `other`"
        case .camera: "the camera's name in FrameFast"
        case .session: "name of the session; not set without a session"
        case .capturedAt:
            "capture time in UTC, from the camera's clock and time zone; if the camera reports no time, the time of the announcement"
        case .capture: "number of the photo"
        case .destination: "name of the destination"
        case .job: "number of the upload; the same for every attempt"
        case .evidence: "the value that was compared to verify the copy, for example a checksum"
        case .bandwidth: "speed limit in bytes per second; not set without a limit"
        case .probe: "`1` if the file is a small test file instead of a photo"
        case .cameraID: "the camera's id, which does not change when the camera is renamed"
        case .state: "state of the camera"
        case .maker: "the camera's maker"
        case .model: "the camera's model"
        case .serial: "the camera's serial number"
        case .sessionNumber: "number of the session"
        case .shots: "number of shots saved in the session; a RAW+JPEG pair is one shot"
        case .photos: "number of files saved in the session"
        case .code: "code of the condition"
        case .severity: "`info`, `warning` or `danger`"
        case .subject: "subject of the condition: a camera's id, the name of a destination or hook, or a path"
        case .sentence: "description of the problem, as a sentence"
        case .nextStep: "the next step, as a sentence"
        case .event: "event for which the hook runs"
        case .hook: "name of the hook"
        }
    }

    /// Returns the fact's value for a photo, or `nil` if the photo does not determine it.
    public func text(of photo: Photo) -> String? {
        let record = photo.record
        return switch self {
        case .file: record.path ?? ""
        case .original: record.object.name
        case .bytes: String(record.size)
        case .sha256: record.sha256 ?? ""
        case .kind: record.kind.rawValue
        case .camera: photo.camera.name
        case .session: photo.session?.name
        case .capturedAt: photo.takenAt.formatted(.iso8601)
        case .capture: record.id.description
        // The name depends on the destination.
        case .name: nil
        case .destination, .job, .evidence, .bandwidth, .probe, .cameraID, .state, .maker, .model, .serial,
            .sessionNumber, .shots, .photos, .code, .severity, .subject, .sentence, .nextStep, .event, .hook:
            nil
        }
    }

    /// The names of all facts.
    public static let all = Set(allCases.map(\.rawValue))

    /// Returns an error text for each unknown placeholder, such as `{SESION}`, in the arguments of a program.
    /// Ignores other text in braces, such as `{"a": 1}`.
    public static func faults(in arguments: [String]) -> [String] {
        arguments.flatMap { argument in
            argument.matches(of: /(\$?)\{([A-Za-z][A-Za-z0-9_]*)\}/).compactMap { match -> String? in
                // Ignores shell variables.
                guard match.1.isEmpty, FactName(rawValue: match.2.uppercased()) == nil else { return nil }
                return "Unknown placeholder {\(match.2)}. Use a fact such as {file} or "
                    + "{camera}. To keep the braces as text, put a space after '{'."
            }
        }
    }
}
