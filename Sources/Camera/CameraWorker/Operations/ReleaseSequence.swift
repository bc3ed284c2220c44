import FrameFastModel

/// The settings that take one photo: some press the shutter button, and the others release it.
///
/// The worker retries only the setting that the camera refused. The accepted settings have already moved the
/// button, and a second press would take another photo.
struct ReleaseSequence {
    let method: CameraProfile.Toggle
    /// The number of settings that the camera has accepted.
    private var accepted = 0
    /// Whether at least one setting was sent.
    private var isSent = false

    init(_ method: CameraProfile.Toggle) { self.method = method }

    /// The next setting to send, or `nil` if the camera has accepted all settings.
    var next: CameraProfile.Setting? {
        let settings = method.settings
        return settings.indices.contains(accepted) ? settings[accepted] : nil
    }

    /// Whether the button is possibly pressed. Even a refused setting may have pressed the button halfway.
    /// The first setting in `end` releases the button.
    var mayBePressed: Bool { isSent && accepted <= method.begin.count }

    /// Records that the next setting is sent.
    mutating func recordSent() { isSent = true }

    /// Records that the camera has accepted the next setting.
    mutating func recordAccepted() { accepted += 1 }
}
