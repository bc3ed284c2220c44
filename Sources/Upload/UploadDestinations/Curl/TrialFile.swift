/// The contents and the modification time of the small files that test a server's behavior.
enum TrialFile {
    /// The text of the files.
    static let text = "FrameFast tests how this server handles existing names, and removes this file.\n"
    /// The size of each file, in bytes.
    static let bytes = UInt64(text.utf8.count)
    /// A different text of the same size.
    static let otherText = String(text.reversed())
    /// A modification time for the files, in seconds since 1970: the start of 2020.
    static let time: Int64 = 1_577_836_800
}
