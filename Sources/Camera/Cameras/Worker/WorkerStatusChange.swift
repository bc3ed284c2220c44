import FrameFastModel

/// A change of a camera's status that a worker reports. The link delivers a change before the worker's later
/// replies. When a client has received a reply, the status must already contain the new values.
enum WorkerStatusChange: Sendable {
    /// The progress of an operation.
    case operation(CameraOperationProgress)
    /// New values of settings, and their source, as in ``WorkerEvent/settingsChanged(_:source:)``.
    case settings([CameraSetting], SettingSource?)
}
