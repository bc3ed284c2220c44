/// A filter that selects photos for a destination or a hook. A property that is `nil` matches every photo.
public struct UploadRule: Hashable, Sendable {
    /// A kind of file, or one extension.
    public enum FileType: Hashable, Sendable {
        /// All files of this kind.
        case kind(MediaKind)
        /// Files with this extension, in lower case.
        case fileExtension(String)

        /// Creates a type from `picture`, `raw`, `movie`, `other`, or an extension with or without a leading
        /// dot.
        public init(_ text: String) {
            let word = text.lowercased()
            self =
                MediaKind(rawValue: word).map(FileType.kind)
                ?? .fileExtension(word.hasPrefix(".") ? String(word.dropFirst()) : word)
        }
    }

    /// The matching file types.
    public var types: Set<FileType>?
    /// The names of the matching cameras.
    public var cameras: Set<String>?
    /// The names of the matching sessions.
    public var sessions: Set<String>?
    /// The minimum file size, in bytes.
    public var bytesMin: UInt64?
    /// The maximum file size, in bytes.
    public var bytesMax: UInt64?
    /// The lowest rating of a shot, 1...5 stars. A protected photo matches every rating. A shot that an owner
    /// rejected matches no rating.
    public var minimumRating: Int?

    /// Creates a rule. Without arguments, the rule matches every photo.
    public init(
        types: Set<FileType>? = nil, cameras: Set<String>? = nil, sessions: Set<String>? = nil,
        bytesMin: UInt64? = nil, bytesMax: UInt64? = nil, minimumRating: Int? = nil
    ) {
        self.types = types
        self.cameras = cameras
        self.sessions = sessions
        self.bytesMin = bytesMin
        self.bytesMax = bytesMax
        self.minimumRating = minimumRating
    }

    /// Whether the rule needs the rating from the photo's file.
    public var needsRating: Bool { minimumRating != nil }

    /// Returns the reason why a photo does not match, for people, or `nil` if it matches.
    ///
    /// - Parameter verdict: The rating of the photo's shot, for ``minimumRating``.
    public func refusal(of photo: Photo, verdict: ShotVerdict = ShotVerdict()) -> String? {
        if let refusal = permanentRefusal(of: photo) { return refusal }
        guard let minimumRating else { return nil }
        return switch verdict.hold(of: photo.record, minimumRating: minimumRating) {
        case nil: nil
        case .rejected: "An owner rejected the photo."
        default: "The photo's rating is too low, and the photo is not protected in the camera."
        }
    }

    /// Returns the reason why a photo does not match, or `nil` if it matches. Ignores the rating, because the
    /// rating of a saved photo can still change.
    public func permanentRefusal(of photo: Photo) -> String? {
        let record = photo.record
        if let types, !types.contains(.kind(record.kind)), !types.contains(.fileExtension(record.fileType)) {
            return "The destination does not accept files of this type."
        }
        if let cameras, !cameras.contains(photo.camera.name) {
            return "The destination does not accept photos from this camera."
        }
        if let sessions, !sessions.contains(photo.session?.name ?? "") {
            return "The destination does not accept photos of this session."
        }
        if let bytesMin, record.size < bytesMin {
            return "The file is smaller than the destination's minimum size."
        }
        if let bytesMax, record.size > bytesMax {
            return "The file is larger than the destination's maximum size."
        }
        return nil
    }
}
