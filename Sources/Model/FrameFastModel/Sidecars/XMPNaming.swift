/// Which files get an XMP sidecar, and what it is called.
public enum XMPNaming: String, Hashable, Sendable, CaseIterable {
    /// None does.
    case off
    /// `NAME.xmp`, for RAW files only: what Lightroom, Bridge and Capture One look for.
    case name
    /// `NAME.EXT.xmp`, for every photo and movie: what darktable and Immich look for.
    case nameAndExtension = "name.ext"

    /// How the names of sidecars end.
    public static let ending = ".xmp"

    /// Where a file's sidecar goes; `nil` when it gets none.
    ///
    /// - Parameter path: The file's own.
    public func path(beside path: String, of kind: MediaKind) -> String? {
        switch self {
        case .off: nil
        case .name: kind == .raw ? NamingTemplate.withoutExtension(path) + Self.ending : nil
        case .nameAndExtension: kind == .other ? nil : path + Self.ending
        }
    }
}
