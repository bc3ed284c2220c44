/// The folder and file counters of the DCF standard: 9999 is followed by 0001 in a new folder.
public struct FileNumbering: Hashable, Sendable {
    /// Number of the current folder, 100...999.
    public private(set) var folder = 100
    /// Number that the next shot gets, 1...9999.
    public private(set) var file: Int

    /// - Parameter first: number of the first shot.
    public init(first: Int = 1) { file = min(max(first, 1), 9999) }

    /// Sets the number of the next shot, in the current folder.
    public mutating func restart(at number: Int) { file = min(max(number, 1), 9999) }

    /// Takes the next number.
    public mutating func next() -> (folder: Int, file: Int) {
        let taken = (folder, file)
        file += 1
        if file > 9999 {
            file = 1
            folder = folder == 999 ? 100 : folder + 1
        }
        return taken
    }
}
