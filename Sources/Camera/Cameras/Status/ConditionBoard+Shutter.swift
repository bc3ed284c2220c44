public import FrameFastModel

extension ConditionBoard {
    /// Raises or clears the condition for a shutter that an exposure may have left open.
    ///
    /// - Parameter name: The camera's display name.
    public func reportShutter(of camera: CameraID, name: String, isOpen: Bool) {
        guard isOpen else { return clear(.shutterOpen, subject: .camera(camera)) }
        raise(
            .shutterOpen, subject: .camera(camera),
            sentence: "The shutter of \(name) may be open: a long exposure could not be ended.",
            nextStep:
                "Press the camera's shutter button halfway, or switch the camera off. "
                + "FrameFast closes the shutter when the camera connects again.")
    }
}
