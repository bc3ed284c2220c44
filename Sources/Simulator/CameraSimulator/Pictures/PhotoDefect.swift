/// A defect of a photo file that is otherwise a real picture.
enum PhotoDefect: String, Hashable, Sendable, CaseIterable {
    /// The file ends in the middle of a picture.
    case truncated
    /// Directories of the file refer back to the first directory.
    case cycle
    /// The lengths of the pictures extend beyond the end of the file.
    case outside
    /// The picture, or each embedded preview, is a lossless JPEG, which decoders of pictures do not support.
    case lossless
    /// The picture, or each embedded preview, announces 65,500 × 65,500 pixels.
    case huge
    /// The file has the right size and name, but contains random bytes.
    case noise

    /// The description for `--help`.
    var meaning: String {
        switch self {
        case .truncated: "the file ends in the middle of a picture"
        case .cycle: "directories refer back to the first directory"
        case .outside: "embedded pictures extend beyond the end of the file"
        case .lossless: "the pictures are lossless JPEGs, like sensor data"
        case .huge: "the pictures announce 65500 x 65500 pixels"
        case .noise: "the file contains random bytes"
        }
    }
}
