import FrameFastModel

/// What one session with a camera leaves for the next.
struct CameraMemory: Hashable, Sendable {
    /// Objects that stayed missing after the last new session: no reason for another one.
    var unlistable = 0
    /// Objects whose facts looked cut short. Said again by a new session they are believed.
    var doubted: Set<CameraObject> = []
    /// Photos that did not come over and cannot be found by listing.
    var left: LeftInCamera?
    /// Whether that was said.
    var isLeftTold = false

    /// Whether an object's facts may be those of a reply that was cut short: the driver keeps such facts for the whole
    /// session, and the same photo would be another one in the next.
    ///
    /// - Parameter givesTimes: whether the camera gave a time for another object.
    static func looksCutShort(_ object: CameraObject, givesTimes: Bool) -> Bool {
        object.isNameless || object.size == 0
            || (object.cameraTime == nil && givesTimes) || looksMisread(folder: object.folder)
    }

    /// Whether a folder's name may come from such a reply: every photo in it would be another one.
    private static func looksMisread(folder: String) -> Bool {
        guard folder != "/" else { return false }
        return folder.dropFirst().split(separator: "/", omittingEmptySubsequences: false).contains { name in
            name.isEmpty || name == CameraObject.namelessName
                || name.unicodeScalars.contains {
                    $0.properties.generalCategory == .control || $0 == "\u{FFFD}"
                }
        }
    }
}
