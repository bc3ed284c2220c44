public import FrameFastAPI

extension Samples {
    /// The optional features by kind of destination. Kinds without optional features are omitted. In each
    /// list, the first feature is refused, and the last feature is unknown.
    ///
    /// `DestinationFeatureTests` compares these names with the names that the destinations use.
    public static let features: [(kind: String, features: [DestinationFeatureReply])] = [
        ("s3", ["checksum-header", "md5-header", "metadata", "condition", "size"]),
        (
            "sftp",
            [
                "hidden-names", "part-names", "other-names", "rename", "sync", "modification-time", "resume",
                "size", "read-back", "remove",
            ]
        ),
        (
            "ftp",
            [
                "hidden-names", "part-names", "other-names", "rename", "feature-list", "modification-time",
                "append", "resume", "size", "file-time", "server-checksum", "read-back", "remove",
            ]
        ),
        (
            "webdav",
            [
                "hidden-names", "part-names", "other-names", "rename", "absolute-destination",
                "modification-time", "size", "read-back", "remove",
            ]
        ),
        ("http", ["md5-header", "condition", "size", "read-back"]),
        ("rclone", ["hidden-names", "part-names", "other-names", "rename", "remove"]),
    ].map { kind, words in
        (
            kind,
            words.enumerated().map { index, word in
                let (title, fallback) = featureWords[word] ?? ("", "")
                let state: DestinationFeatureReply.State =
                    index == 0 ? .refused : index == words.count - 1 ? .unknown : .offered
                return DestinationFeatureReply(
                    feature: word, title: title, state: state, fallback: fallback,
                    reason: index == 0 ? "The server answered 400: not supported." : nil,
                    since: state == .unknown ? nil : time)
            }
        )
    }

    /// The title and the fallback of each feature.
    private static let featureWords: [String: (String, String)] = [
        "hidden-names": ("temporary names that start with a dot", "temporary names are visible"),
        "part-names": ("temporary names that end in .part", "temporary names have no extension"),
        "other-names": (
            "temporary names without the photo's extension", "temporary names have the photo's extension"
        ),
        "rename": ("renaming after the transfer", "photos are sent to their final names"),
        "absolute-destination": ("renaming by full URL", "files are renamed by path"),
        "checksum-header": ("SHA-256 in a header", "the server compares an MD5"),
        "md5-header": ("MD5 in a header", "photos are compared by entity tag or size, or read back"),
        "metadata": ("SHA-256 as metadata", "photos are identified by their entity tags"),
        "condition": ("refusing existing names", "names are checked before the upload"),
        "sync": ("flushing to disk", "the server decides when it writes to disk"),
        "feature-list": ("the server's feature list", "file times and checksums are not used"),
        "modification-time": (
            "setting the modification time", "files have the time of their upload"
        ),
        "append": ("resuming a file by appending", "a file is resumed from an offset"),
        "resume": (
            "resuming an interrupted transfer", "an interrupted photo is sent again from its first byte"
        ),
        "size": ("the size of a file", "photos are read back"),
        "file-time": ("the time of a file on the server", "photos are compared by size, or read back"),
        "server-checksum": (
            "a checksum that the server computes", "photos are read back, or compared by size"
        ),
        "read-back": ("reading a file back", "photos are compared by size"),
        "remove": ("removing a file", "partial files stay on the server"),
    ]
}
