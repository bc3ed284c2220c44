/// Codes of the conditions that a camera can bring about. Stable; they are the `code` of a ``Condition``.
public enum CameraCondition: String, Codable, CaseIterable, Hashable, Sendable {
    /// The camera is there, but another answer is needed in its USB menu.
    case wrongMode = "wrong-mode"
    /// Another program, or the kernel, holds the camera's USB interface.
    case held = "camera-held"
    /// This process may not open the device's node.
    case noPermission = "no-permission"
    /// Nothing answers: asleep, switched off or unplugged.
    case asleep = "camera-asleep"
    /// The card, or the camera's buffer, is full.
    case cardFull = "card-full"
    /// There is no card to write to.
    case noCard = "no-card"
    /// The camera is doing something else for long.
    case busy = "camera-busy"
    /// The camera, or its present mode, is not supported by the installed libgphoto2 or by any.
    case notSupported = "not-supported"
    /// The camera waits for this computer to be accepted on its screen.
    case pairingWanted = "pairing-wanted"
    /// The camera cannot be reached.
    case unreachable = "camera-unreachable"
}
