/// The refusals to list one folder, where it is not known which of its objects was refused.
struct FolderRefusals {
    /// Refusals in a row with the same words after which the folder itself counts as refused. Each may be that of another
    /// object, which the driver forgets: one more question gets further then. The words name no object, and a folder can hold
    /// many bad ones beside good photos.
    static let sameMax = 128

    private var words = ""
    private var count = 0

    /// Counts a refusal.
    ///
    /// - Parameter words: The driver's words.
    /// - Returns: Whether to list the folder once more.
    mutating func mayAskAgain(after words: String) -> Bool {
        count = words == self.words ? count + 1 : 1
        self.words = words
        return count < Self.sameMax
    }
}
