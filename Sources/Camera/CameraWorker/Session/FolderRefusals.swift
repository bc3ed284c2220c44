/// A count of refusals to list a folder, if the worker does not know which of its objects was refused.
struct FolderRefusals {
    /// The number of consecutive refusals with the same text after which the folder itself counts as refused.
    /// Each refusal may be of another object, which the driver then forgets, and another try gets further.
    /// The text names no object, and a folder can contain many bad objects among good photos.
    static let sameMax = 128

    private var words = ""
    private var count = 0

    /// Records a refusal.
    ///
    /// - Parameter words: The driver's message.
    /// - Returns: Whether to list the folder once more.
    mutating func mayAskAgain(after words: String) -> Bool {
        count = words == self.words ? count + 1 : 1
        self.words = words
        return count < Self.sameMax
    }
}
