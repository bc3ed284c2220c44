/// The media types of camera files, by extension. Viewers for S3 and HTTP servers use these types.
enum MediaType {
    private static let known = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "heic": "image/heic", "heif": "image/heif",
        "hif": "image/heif",
        "png": "image/png", "tif": "image/tiff", "tiff": "image/tiff", "dng": "image/x-adobe-dng",
        "mp4": "video/mp4", "mov": "video/quicktime", "avi": "video/x-msvideo", "wav": "audio/wav",
        "xmp": "application/rdf+xml", "txt": "text/plain",
    ]

    /// Returns the media type for a file name. The result for RAW files is `application/octet-stream`,
    /// because they have no registered type.
    static func of(_ name: String) -> String {
        let ext = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return known[ext] ?? "application/octet-stream"
    }
}
