import FrameFastModel

/// A limit on how often the progress of each camera is published. The last value is always published.
///
/// This is a value type without a timer. Its owner publishes, waits for ``pause`` and reports the end of each
/// pause.
struct UpdateThrottle {
    /// The minimum interval between two updates of one camera: four updates a second.
    static let pause: Duration = .milliseconds(250)

    /// The cameras that are in a pause. For each camera, whether an update was skipped since the last
    /// published update.
    private var skipped: [CameraID: Bool] = [:]

    /// Decides whether to publish the progress of a camera.
    ///
    /// - Returns: Whether to publish now. If so, the owner starts a pause.
    mutating func admits(_ id: CameraID) -> Bool {
        guard skipped[id] != nil else {
            skipped[id] = false
            return true
        }
        skipped[id] = true
        return false
    }

    /// Records that a camera's whole status was published because of a change other than progress.
    mutating func published(_ id: CameraID) {
        if skipped[id] != nil { skipped[id] = false }
    }

    /// Ends a camera's pause.
    ///
    /// - Returns: Whether to publish the last value. If so, the owner starts another pause.
    mutating func pauseEnded(_ id: CameraID) -> Bool {
        guard skipped[id] == true else {
            skipped[id] = nil
            return false
        }
        skipped[id] = false
        return true
    }
}
