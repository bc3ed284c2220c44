/// The number of consecutive refusals to list a folder, for a worker that can't see which object was refused.
struct FolderRefusals {
    /// The number of consecutive refusals with the same text after which the folder itself is treated as
    /// refused. Each refusal may concern another object, which the driver skips on the next try. The text
    /// does not name the object, and one folder can contain many unreadable objects.
    static let sameMax = 128

    private var message = ""
    private var count = 0

    /// Records a refusal.
    ///
    /// - Parameter message: The driver's message.
    /// - Returns: Whether to try to list the folder again.
    mutating func mayRetry(after message: String) -> Bool {
        count = message == self.message ? count + 1 : 1
        self.message = message
        return count < Self.sameMax
    }
}
