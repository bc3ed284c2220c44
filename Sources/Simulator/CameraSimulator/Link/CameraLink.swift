/// The way in which a client reaches the camera: a network, or a cable.
public protocol CameraLink: Sendable {
    /// Makes the camera reachable.
    ///
    /// - Returns: where it is, in words for a terminal.
    /// - Throws: ``SimulatorError`` when it cannot be.
    func open() throws(SimulatorError) -> String

    /// Ends every connection.
    func stop()

    /// Takes the network or the cable away, or gives it back.
    ///
    /// - Throws: ``SimulatorError`` when it cannot be given back.
    func setLink(down isDown: Bool) throws(SimulatorError)

    /// Lets the camera fall silent: it stays connected and answers nothing.
    func setSilent(_ isSilent: Bool)

    /// Changes what the camera's USB menu says.
    ///
    /// - Throws: ``SimulatorError/usage(_:)`` when it is not on a cable, or ``SimulatorError/usb(reason:)``
    func setMode(_ mode: USBMode) throws(SimulatorError)

    /// Works on the camera; events that come of it go out at once.
    func withCamera<Result>(_ body: (inout Camera) -> Result) -> Result

    /// Whether a client has a session open and waits for photos.
    var hasClient: Bool { get }

    /// Whether ``stop()`` was called.
    var isStopped: Bool { get }
}
