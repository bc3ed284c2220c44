/// The kinds of files that a shot creates.
public enum Recording: Sendable {
    /// A JPEG.
    case jpeg
    /// A raw file.
    case raw
    /// A raw file and a JPEG.
    case pair
}
