import FrameFastModel

/// A change of a camera's status that a worker reports. The link delivers a change before the worker's later
/// replies, because a client that has received a reply must find the new values in the status.
enum WorkerStatusChange: Sendable {
    /// The progress of an operation.
    case operation(CameraOperationProgress)
    /// Settings that were read, and the source of their changes, as in
    /// ``WorkerEvent/settingsChanged(_:source:)``.
    case settings([CameraSetting], SettingSource?)
}
