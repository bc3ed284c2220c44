/// An optional server feature that uploads use automatically. Each feature has a fallback for servers that
/// refuse it.
public enum DestinationFeature: String, Codable, CaseIterable, Hashable, Sendable {
    /// Temporary names that begin with a dot. Fallback: names without the dot.
    case hiddenNames = "hidden-names"
    /// Temporary names that end in `.part`. Fallback: names without an extension.
    case partNames = "part-names"
    /// Temporary names without the photo's extension. Fallback: names with the extension.
    case otherNames = "other-names"
    /// A temporary name, and a rename after the transfer. Fallback: uploads store the photo directly under
    /// its final name.
    case rename
    /// A full URL in the `Destination` header of a WebDAV MOVE. Fallback: the URL's path.
    case absoluteDestination = "absolute-destination"
    /// `x-amz-checksum-sha256`. Fallback: `Content-MD5`.
    case checksumHeader = "checksum-header"
    /// `Content-MD5`. Fallback: uploads compare the ETag or the size, or read the photo back.
    case md5Header = "md5-header"
    /// `x-amz-meta-sha256` and `x-amz-meta-mtime`. Fallback: uploads identify photos by their ETags.
    case metadata
    /// `If-None-Match`. Fallback: the upload first checks whether the name exists.
    case condition
    /// `fsync@openssh.com`. Fallback: the server decides when to write the file to its disk.
    case sync
    /// The server's feature list (`FEAT`). Fallback: uploads use only commands that every FTP server
    /// supports.
    case featureList = "feature-list"
    /// `MFMT`, `SSH_FXP_FSETSTAT` or `X-OC-Mtime`. Fallback: the file has the time of its upload.
    case modificationTime = "modification-time"
    /// Resuming a file with `APPE`. Fallback: `REST` and `STOR`.
    case append
    /// Resuming a partly sent file. Fallback: uploads send the photo again from its first byte.
    case resume
    /// The size of a file on the server. Fallback: uploads read the photo back.
    case size
    /// The time of a file on the server (`MDTM`). Fallback: uploads compare the size, or read the photo back.
    case fileTime = "file-time"
    /// A checksum that the server computes (`HASH`, `XSHA256`). Fallback: uploads read the photo back, or
    /// compare the size.
    case serverChecksum = "server-checksum"
    /// Reading a file back. Fallback: uploads compare the size.
    case readBack = "read-back"
    /// Deleting a file. Fallback: uploads avoid creating files that they would have to delete.
    case remove

    /// A phrase for people that names the feature.
    public var title: String {
        switch self {
        case .hiddenNames: "temporary names that start with a dot"
        case .partNames: "temporary names that end in .part"
        case .otherNames: "temporary names without the photo's extension"
        case .rename: "renaming after the transfer"
        case .absoluteDestination: "renaming by full URL"
        case .checksumHeader: "SHA-256 in a header"
        case .md5Header: "MD5 in a header"
        case .metadata: "SHA-256 as metadata"
        case .condition: "refusing existing names"
        case .sync: "flushing to disk"
        case .featureList: "the server's feature list"
        case .modificationTime: "setting the modification time"
        case .append: "resuming a file by appending"
        case .resume: "resuming an interrupted transfer"
        case .size: "the size of a file"
        case .fileTime: "the time of a file on the server"
        case .serverChecksum: "a checksum that the server computes"
        case .readBack: "reading a file back"
        case .remove: "removing a file"
        }
    }

    /// A clause for people that describes the fallback.
    public var fallback: String {
        switch self {
        case .hiddenNames: "temporary names are visible"
        case .partNames: "temporary names have no extension"
        case .otherNames: "temporary names have the photo's extension"
        case .rename: "photos are sent to their final names"
        case .absoluteDestination: "files are renamed by path"
        case .checksumHeader: "the server compares an MD5"
        case .md5Header: "photos are compared by entity tag or size, or read back"
        case .metadata: "photos are identified by their entity tags"
        case .condition: "names are checked before the upload"
        case .sync: "the server decides when it writes to disk"
        case .featureList: "file times and checksums are not used"
        case .modificationTime: "files have the time of their upload"
        case .append: "a file is resumed from an offset"
        case .resume: "an interrupted photo is sent again from its first byte"
        case .size: "photos are read back"
        case .fileTime: "photos are compared by size, or read back"
        case .serverChecksum: "photos are read back, or compared by size"
        case .readBack: "photos are compared by size"
        case .remove: "partial files stay on the server"
        }
    }
}
