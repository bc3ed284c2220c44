extension StructureCheck {
    /// The result of the check.
    public enum Outcome: Hashable, Sendable {
        /// The check found no damage, or does not support the format.
        case whole
        /// The file is damaged. The text is the reason, for people.
        case damaged(String)

        /// The offset and the length of the image data exceed the size of the file.
        static let pictureOutside = damaged(
            "its image data extends beyond the end of the file: the file is truncated")
    }
}
