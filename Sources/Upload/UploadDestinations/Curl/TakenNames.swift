/// The small files by which a server is tried out.
enum TakenNames {
    /// The text of the files.
    static let text = "FrameFast finds out how this server treats a taken name, and removes this.\n"
    /// The size of the files.
    static let bytes = UInt64(text.utf8.count)
}
