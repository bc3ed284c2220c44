/// The number of consecutive refusals to list a folder, for a worker that can't see which object was refused.
struct FolderRefusals {
    /// The number of consecutive refusals with the same text after which the folder itself is treated as
    /// refused. The driver skips an unreadable object on the next try. Fewer refusals can come from different
    /// unreadable objects, because the text does not name the object.
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
