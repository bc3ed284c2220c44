import FrameFastModel

/// The state of the camera's shutter.
struct ShutterState {
    /// The shutter releases that wait until the camera accepts them.
    var releases = ReleaseQueue()
    /// The schedule that keeps photo transfers from blocking the shutter.
    var rest = ShutterRest(.auto, isKnown: false)
}
