/// The folder and file counters of the DCF standard. After file 9999, numbering continues with 0001 in the
/// next folder. After folder 999, the next folder is 100.
struct FileNumbering: Hashable, Sendable {
    /// The number of the current folder, 100...999.
    private(set) var folder = 100
    /// The number of the next shot, 1...9999.
    private(set) var file: Int

    /// - Parameter first: The number of the first shot.
    init(first: Int = 1) { file = min(max(first, 1), 9999) }

    /// Sets the number of the next shot in the current folder.
    mutating func restart(at number: Int) { file = min(max(number, 1), 9999) }

    /// Returns the current folder and file number, and advances the counters.
    mutating func next() -> (folder: Int, file: Int) {
        let taken = (folder, file)
        file += 1
        if file > 9999 {
            file = 1
            folder = folder == 999 ? 100 : folder + 1
        }
        return taken
    }
}
