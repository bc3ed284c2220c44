import FrameFastModel

/// The whole configuration, checked. What is in here can be used as it is.
struct Configuration: Sendable, Hashable {
    /// Taking photos in.
    struct Capture: Sendable, Hashable {
        /// What to do with photos on the card when a camera is met for the very first time.
        enum Existing: String, Sendable {
            case fetch, skip
        }

        /// What must be known of a photo's bytes before they are relied upon.
        enum Verify: String, Sendable {
            case structure, reread
        }

        /// Absolute path of the capture directory.
        var directory: String
        /// Naming template; its tokens are checked by whoever gave `checkTemplate` to `load`.
        var template: String
        /// Whether photos are deleted on the camera once they are saved.
        var deletesAfterSave: Bool
        /// Below this many free bytes no photo is taken in.
        var minFreeBytes: Int64
        /// How long the other half of a RAW+JPEG shot is waited for.
        var pairSettle: Duration
        /// Where cameras put new photos.
        var captureTarget: CaptureTarget
        /// What to do with photos that were there before us.
        var existing: Existing
        /// What must be known of a photo's bytes before they are relied upon.
        var verify = Verify.structure
    }

    /// One configured camera.
    struct Camera: Sendable, Hashable {
        /// Its name, fit for file names; unique.
        var name: String
        /// libgphoto2's port path, `ptpip:192.168.1.5:15740`; unique.
        var address: String
        /// IANA zone of the camera's clock; `nil` for the host's own.
        var timeZone: String?
        /// Whether photos are deleted on this camera once they are saved (the general key already applied).
        var deletesAfterSave: Bool
        /// Where this camera puts new photos (the general key already applied).
        var captureTarget: CaptureTarget
    }

    /// Cameras on the USB.
    struct USB: Sendable, Hashable {
        /// Whether cameras that nobody named are used.
        var detects: Bool
        /// Serial numbers of phones that are used.
        var phones: Set<String>
    }

    /// The socket for programs.
    struct API: Sendable, Hashable {
        /// Absolute path of the socket.
        var socket: String
        /// Whether every user may look.
        var isStatusPublic: Bool
    }

    /// Taking photos in.
    var capture: Capture
    /// Configured cameras, in order.
    var cameras: [Camera]
    /// Cameras on the USB.
    var usb: USB
    /// What upload modes do.
    var upload: Upload
    /// Configured destinations, in order.
    var destinations: [Destination]
    /// Programs that are run when something happens, in order.
    var hooks: [Hook]
    /// How long photos stay here whose session does not say so itself.
    var keep: RetentionRule
    /// The socket for programs.
    var api: API
    /// Where `/metrics` is served beside the socket; `nil` for nowhere.
    var metrics: LoopbackAddress?
    /// libgphoto2 drivers that may be loaded; never empty.
    var driversAllowed: [String]
    /// Absolute path of the daemon's own files.
    var stateDirectory: String
    /// A `Logger.Level` by its name.
    var logLevel: String
    /// Files that were read, in order.
    var files: [String]
}
