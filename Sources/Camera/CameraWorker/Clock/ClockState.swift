/// The state of the camera's clock.
struct ClockState {
    /// The running change of the clock, or `nil` if no change runs.
    var writing: ClockWriting?
    /// The last published time of the clock and its difference from the host's clock, both in seconds.
    var published: (camera: Int, drift: Int)?
}
