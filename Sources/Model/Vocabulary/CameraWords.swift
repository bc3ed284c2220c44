/// The state of a camera. The raw values are the words of the API. `DesignTokens` has the words for people.
public enum CameraState: String, Codable, CaseIterable, Sendable {
    /// Not connected. The service is searching for the camera.
    case searching
    /// Present, but in a mode without remote control.
    case wrongMode = "wrong_mode"
    /// In use by another program.
    case inUse = "in_use"
    /// Present, but the service has no permission to open it.
    case noPermission = "no_permission"
    /// The service is opening a connection.
    case connecting
    /// Connected and idle.
    case ready
    /// The service is transferring photos.
    case downloading
    /// The connection was lost, and the service is opening a new connection.
    case reconnecting
    /// No longer present.
    case gone
    /// The installed libgphoto2 does not support the camera, or the camera's worker could not be started. The
    /// service retries a failed start after a pause.
    case failed
}

/// The kind of failure at a network address that was probed for a camera.
public enum ProbeFailureKind: String, Codable, CaseIterable, Sendable {
    /// No response before the timeout.
    case timeout
    /// The host responded, but no program listens on the port.
    case portClosed = "port_closed"
    /// The host is unreachable.
    case hostUnreachable = "host_unreachable"
    /// The network has no route.
    case networkUnreachable = "network_unreachable"
    /// The system refuses the connection attempt.
    case permissionDenied = "permission_denied"
    /// The camera refused the connection: it requires pairing, or another program uses it.
    case refused
    /// The response was not PTP/IP.
    case notPTPIP = "not_ptpip"
    /// Any other failure.
    case other
}

/// A kind of long-running operation of a camera.
public enum OperationKind: String, Codable, CaseIterable, Sendable {
    /// A long exposure (bulb).
    case bulb
    /// Photos at a fixed interval.
    case interval
    /// Photos at several exposures.
    case bracket
    /// Photos at several focus positions.
    case focusStack = "focus-stack"
    /// A movie.
    case movie
    /// One photo at a given time. The cameras of a group receive the same time, so they release at once.
    case release
    /// Live view. Every other operation stops it.
    case liveView = "live-view"
}

/// The state of an operation.
public enum OperationState: String, Codable, CaseIterable, Sendable {
    /// The operation is running.
    case running
    /// The operation completed.
    case ended
    /// A person or an operation with precedence stopped the operation.
    case stopped
    /// The operation failed.
    case failed
}

/// A focus action.
public enum FocusAction: String, Codable, CaseIterable, Sendable {
    /// Starts autofocus.
    case auto
    /// Moves the focus towards the camera.
    case near
    /// Moves the focus away from the camera.
    case far
    /// Stops autofocus.
    case cancel
}

/// The size of a focus step. Each maker defines the three sizes.
public enum FocusStepSize: String, Codable, CaseIterable, CodingKeyRepresentable, Sendable {
    /// The camera's smallest step.
    case small
    /// A step between the smallest and the largest.
    case medium
    /// The camera's largest step.
    case large
}

/// Whether a camera setting can be changed now.
public enum SettingWritability: String, Codable, CaseIterable, Sendable {
    /// The setting can be changed.
    case yes
    /// The setting is read-only in the camera's current mode.
    case no
    /// The camera does not report whether the setting can be changed.
    case unknown
}

/// The source of a setting's new value.
public enum SettingSource: String, Codable, CaseIterable, Sendable {
    /// The camera: a dial or button of the body, or an automatic choice.
    case camera
    /// A request to the service.
    case request
}

/// The outcome of a change of a setting. The camera confirmed the value only for ``set``, ``unchanged`` and
/// ``adjusted``.
public enum SettingOutcome: String, Codable, CaseIterable, Sendable {
    /// The camera confirmed the value. If the request allows the nearest value, the camera confirmed the
    /// nearest value that it offers.
    case set
    /// The camera already had the value. Nothing was sent.
    case unchanged
    /// The camera set a value that differs from the sent value.
    case adjusted
    /// The camera accepted the value, but kept its previous value.
    case ignored
    /// The camera did not report the setting's value in time.
    case unconfirmed
    /// The camera refused the change.
    case refused
    /// The camera was busy for longer than the worker waits.
    case busy
    /// The setting is read-only in the camera's current mode.
    case readOnly = "read-only"
    /// The camera does not have the setting or the value.
    case unsupported
    /// Not tried, because an earlier change failed.
    case skipped
    /// The request was a trial. The worker changed nothing, but a real request would set the value.
    case trial
}
