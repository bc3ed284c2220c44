/// A feature that uploads use of their own accord, and that a server may refuse. Each has a fallback.
public enum DestinationFeature: String, Codable, CaseIterable, Hashable, Sendable {
    /// Names that begin with a dot, for photos on their way. Fallback: names that don't.
    case hiddenNames = "hidden-names"
    /// Names that end in `.part`, for photos on their way. Fallback: names without an extension.
    case partNames = "part-names"
    /// Names without the photo's extension. Fallback: temporary names with it.
    case otherNames = "other-names"
    /// Any temporary name, with a rename after the transfer. Fallback: the photo is sent to its final name.
    case rename
    /// A whole address in the `Destination` header of a WebDAV MOVE. Fallback: its path.
    case absoluteDestination = "absolute-destination"
    /// `x-amz-checksum-sha256`. Fallback: `Content-MD5`.
    case checksumHeader = "checksum-header"
    /// `Content-MD5`. Fallback: the tag, the size, or reading back.
    case md5Header = "md5-header"
    /// `x-amz-meta-sha256` and `x-amz-meta-mtime`. Fallback: photos are known again by their tags.
    case metadata
    /// `If-None-Match`. Fallback: a look at the name before the upload.
    case condition
    /// `fsync@openssh.com`. Fallback: the server writes to its disk when it likes.
    case sync
    /// The server's list of its features (`FEAT`). Fallback: only commands that every FTP server knows.
    case featureList = "feature-list"
    /// `MFMT`, `SSH_FXP_FSETSTAT` or `X-OC-Mtime`. Fallback: the server sets the time.
    case modificationTime = "modification-time"
    /// Continuing a file by `APPE`. Fallback: `REST` and `STOR`.
    case append
    /// Continuing a file that was begun. Fallback: the photo is sent from its first byte.
    case resume
    /// The size of a file at the server. Fallback: reading back.
    case size
    /// The time of a file at the server (`MDTM`). Fallback: its size, or reading back.
    case fileTime = "file-time"
    /// A checksum that the server computes (`HASH`, `XSHA256`). Fallback: reading back, or the size.
    case serverChecksum = "server-checksum"
    /// Reading a file back. Fallback: its size.
    case readBack = "read-back"
    /// Removing a file. Fallback: nothing is left behind that would have to be removed.
    case remove

    /// The feature, for people.
    public var title: String {
        switch self {
        case .hiddenNames: "temporary names that begin with a dot"
        case .partNames: "temporary names that end in .part"
        case .otherNames: "temporary names without the photo's extension"
        case .rename: "renaming after the transfer"
        case .absoluteDestination: "renaming by a whole address"
        case .checksumHeader: "SHA-256 in a header"
        case .md5Header: "MD5 in a header"
        case .metadata: "SHA-256 as metadata"
        case .condition: "refusing a name that is taken"
        case .sync: "writing through to the disk"
        case .featureList: "the server's list of its features"
        case .modificationTime: "the time of capture as the file's time"
        case .append: "continuing a file by appending"
        case .resume: "continuing a broken transfer"
        case .size: "the size of a file"
        case .fileTime: "the time of a file at the server"
        case .serverChecksum: "a checksum that the server computes"
        case .readBack: "reading a file back"
        case .remove: "removing a file"
        }
    }

    /// The fallback, for people.
    public var fallback: String {
        switch self {
        case .hiddenNames: "temporary names are visible"
        case .partNames: "temporary names have no extension"
        case .otherNames: "temporary names have the photo's extension"
        case .rename: "photos are sent to their final names"
        case .absoluteDestination: "renaming by path"
        case .checksumHeader: "the server compares an MD5"
        case .md5Header: "photos are compared by tag, size or reading back"
        case .metadata: "photos are known again by their tags"
        case .condition: "names are looked at before the upload"
        case .sync: "the server decides when it writes to its disk"
        case .featureList: "no times or checksums are asked for"
        case .modificationTime: "files have the time of their upload"
        case .append: "a file is continued from an offset"
        case .resume: "a broken transfer starts over"
        case .size: "photos are read back"
        case .fileTime: "photos are compared by size, or read back"
        case .serverChecksum: "photos are read back, or compared by size"
        case .readBack: "photos are compared by size"
        case .remove: "nothing is removed there"
        }
    }
}
