import FrameFastModel

/// A change of a camera's status that a worker reports. The link delivers the change before the replies that
/// follow it, because a client that has received a reply must find the same values in the status.
enum WorkerStatusChange: Sendable {
    /// The progress of an operation.
    case operation(CameraOperationProgress)
    /// New values of settings, and their source, as in ``WorkerEvent/settingsChanged(_:source:)``.
    case settings([CameraSetting], SettingSource?)
}
