/// Which photos a destination gets. What is not said does not matter.
public struct UploadRule: Hashable, Sendable {
    /// A kind of file, or one extension.
    public enum FileType: Hashable, Sendable {
        /// All files of a kind.
        case kind(MediaKind)
        /// Files with this extension, in lower case.
        case fileExtension(String)

        /// Reads `picture`, `raw`, `movie`, `other`, or an extension with or without its dot.
        public init(_ text: String) {
            let word = text.lowercased()
            self =
                MediaKind(rawValue: word).map(FileType.kind)
                ?? .fileExtension(word.hasPrefix(".") ? String(word.dropFirst()) : word)
        }
    }

    /// Only these types.
    public var types: Set<FileType>?
    /// Only these cameras, by name.
    public var cameras: Set<String>?
    /// Only these sessions, by name.
    public var sessions: Set<String>?
    /// Smallest file, in bytes.
    public var bytesMin: UInt64?
    /// Largest file, in bytes.
    public var bytesMax: UInt64?
    /// Fewest stars, 1...5; a protected photo counts as rated.
    public var minimumRating: Int?

    /// Creates a rule; without arguments it takes every photo.
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

    /// Whether the rating must be looked up in the file.
    public var needsRating: Bool { minimumRating != nil }

    /// Why a photo does not go to the destination, for people; `nil` when it does.
    public func refusal(of photo: Photo) -> String? {
        let record = photo.record
        if let types, !types.contains(.kind(record.kind)), !types.contains(.fileExtension(record.fileType)) {
            return "The destination does not take files of this type."
        }
        if let cameras, !cameras.contains(photo.camera.name) {
            return "The destination does not take photos of this camera."
        }
        if let sessions, !sessions.contains(photo.session?.name ?? "") {
            return "The destination does not take photos of this session."
        }
        if let bytesMin, record.size < bytesMin { return "The file is smaller than the destination takes." }
        if let bytesMax, record.size > bytesMax { return "The file is larger than the destination takes." }
        if let minimumRating, !record.isChosen(minimumRating: minimumRating) {
            return "The photo is neither rated high enough nor protected in the camera."
        }
        return nil
    }
}
