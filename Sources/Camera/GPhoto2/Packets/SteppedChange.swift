/// A change of a setting that ends early when a photo in a Sony's memory can be read.
///
/// The driver changes a setting of an older Sony with a loop of steps, in one call. After each step, the
/// driver reads all properties every 200 ms until the value has changed, for at most 4 s (_put_sony_value and
/// _put_Sony_ShutterSpeed in config.c). An error in place of these properties ends the loop. The camera still
/// completes the step that the driver has requested.
struct SteppedChange {
    /// Whether the driver has requested a step. Each change requests at least one step, even if a photo
    /// already waits.
    private var hasStep = false
    /// Whether the change has ended early.
    private(set) var isInterrupted = false

    /// Processes the camera's response to a request of the driver.
    ///
    /// - Parameter isPhotoReady: Whether the oldest photo in the camera's memory can be read.
    /// - Returns: A replacement for the code, or `nil` to leave it unchanged.
    mutating func response(to operation: UInt16, code: UInt16, isPhotoReady: Bool) -> UInt16? {
        guard code == PTPResponse.good, !isInterrupted else { return nil }
        if operation == PTPOperation.sonySetControlDeviceB { hasStep = true }
        guard operation == PTPOperation.sonyGetAllProperties, hasStep, isPhotoReady else { return nil }
        isInterrupted = true
        return PTPResponse.deviceBusy
    }
}
