import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The operation of a camera, such as an interval or a movie.
struct OperationView: ComponentPresentation {
    let reply: CameraOperationReply
    let json: Data

    var parts: [any Component] {
        guard let operation = reply.operation else {
            return [BannerView(.neutral, "Idle", "No operation is running on \(reply.camera.name).")]
        }
        let (tone, word) = Self.word(operation.$state, isIncomplete: operation.isIncomplete)
        return [BannerView(tone, word, Self.sentence(operation, of: reply.camera.name))]
    }

    func plain() -> [String] {
        let prefix = "camera \(TerminalText.escaped(reply.camera.name))"
        guard let operation = reply.operation else { return ["\(prefix): idle"] }
        return [
            "\(prefix) operation: \(operation.$kind)", "\(prefix) operation state: \(operation.$state)",
            "\(prefix) photos: \(operation.done)\(operation.total.map { " of \($0)" } ?? "")",
        ] + (operation.reason.map { ["\(prefix) reason: \(TerminalText.escaped($0))"] } ?? [])
    }

    /// Returns the word and the tone of a state.
    ///
    /// - Parameter isIncomplete: Whether the operation ended without carrying out the whole request.
    static func word(_ state: Word<OperationState>, isIncomplete: Bool) -> (tone: Tone, word: String) {
        switch state.known {
        case .running: (.info, "Running")
        case .ended where isIncomplete: (.warning, "Incomplete")
        case .ended: (.success, "Done")
        case .stopped: (.warning, "Stopped")
        case .failed: (.danger, "Failed")
        case nil: (.neutral, state.text)
        }
    }

    /// Returns the running operation, for example `interval 12 of 100`, `bulb 12 s` or `live view`. Returns
    /// `nil` for an idle camera.
    static func summary(_ camera: CameraReply) -> String? {
        guard let operation = camera.operation, operation.state == .running else {
            return camera.isLive ? name(Word(.liveView)) : nil
        }
        return "\(name(operation.$kind)) \(progress(operation))"
    }

    /// Returns the running operation. Adds the time until the next photo, unless the photo is due within a
    /// second.
    ///
    /// For example `interval 12 of 100, next in 8 s`.
    static func summary(_ camera: CameraReply, at now: Date) -> String? {
        let left = camera.operation?.nextAt.map { Int($0.timeIntervalSince(now).rounded(.up)) } ?? 0
        return Self.summary(camera).map { left > 1 ? "\($0), next in \(Formatted.duration(left))" : $0 }
    }

    /// Returns the progress: the seconds of a bulb exposure or movie, or the number of photos.
    private static func progress(_ operation: OperationReply) -> String {
        switch operation.kind {
        case .bulb, .movie: "\(Formatted.count(operation.elapsedMs / 1_000)) s"
        default:
            Formatted.count(operation.done) + (operation.total.map { " of \(Formatted.count($0))" } ?? "")
        }
    }

    /// Returns an operation as a sentence, for example `studio-a: bracket, 2 of 3 photos`.
    static func sentence(_ operation: OperationReply, of cameraName: String) -> String {
        let amount =
            switch operation.kind {
            case .bulb: "open for \(progress(operation))"
            case .movie: progress(operation)
            default: "\(progress(operation)) photos"
            }
        let reason = operation.reason.map { ": \($0)" } ?? ""
        return "\(cameraName): \(name(operation.$kind)), \(amount)\(reason)"
    }

    /// Returns the error for a requested operation that the daemon no longer reports.
    static func unknownEnd(of kind: Word<OperationKind>, on cameraName: String) -> Explanation {
        Explanation(
            status: .failed, code: .notFound,
            message:
                "cannot determine how the \(name(kind)) of \(cameraName) ended: the service may have been restarted",
            nextStep: "Check the camera. `framefast captures` lists the saved photos.")
    }

    private static func name(_ kind: Word<OperationKind>) -> String {
        switch kind.known {
        case .bulb: "bulb"
        case .interval: "interval"
        case .bracket: "bracket"
        case .focusStack: "focus stack"
        case .movie: "movie"
        case .release: "group shot"
        case .liveView: "live view"
        case nil: kind.text
        }
    }
}

extension OperationReply {
    /// Whether the operation ended with fewer photos than requested. Also true for an interval that ended
    /// with a reason, such as a failed setting change.
    var isIncomplete: Bool {
        state == .ended && (!isComplete || (kind == .interval && reason != nil))
    }

    /// Whether the operation ended with all photos that were requested.
    var isComplete: Bool { state == .ended && total.map { done >= $0 } ?? true }
}
