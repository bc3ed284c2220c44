/// The transport between a client and the camera: a network or a USB cable.
protocol CameraLink: Sendable {
    /// Makes the camera reachable.
    ///
    /// - Returns: The camera's address, as text for the terminal.
    /// - Throws: ``SimulatorError`` if the camera cannot be made reachable.
    func open() throws(SimulatorError) -> String

    /// Closes all connections.
    func stop()

    /// Disconnects the network or the cable, or reconnects it.
    ///
    /// - Throws: ``SimulatorError`` if reconnecting fails.
    func setLink(down isDown: Bool) throws(SimulatorError)

    /// Makes the camera unresponsive or responsive. An unresponsive camera stays connected and postpones all
    /// replies.
    func setSilent(_ isSilent: Bool)

    /// Changes the setting of the camera's USB menu.
    ///
    /// - Throws: ``SimulatorError/usage(_:)`` if the camera is not on a cable, or
    ///   ``SimulatorError/usb(reason:)``.
    func setMode(_ mode: USBMode) throws(SimulatorError)

    /// Calls `body` with exclusive access to the camera, then sends the resulting events.
    func withCamera<Result>(_ body: (inout Camera) -> Result) -> Result

    /// Whether a client has an open session and waits for photos.
    var hasClient: Bool { get }

    /// Whether ``stop()`` was called.
    var isStopped: Bool { get }
}
