/// A file of the web page, as the server sends it.
public struct WebAsset: Hashable, Sendable {
    /// The path of the URL, for example `/assets/0123456789abcdef/app.js`.
    public let path: String
    /// The content.
    public let bytes: [UInt8]
    /// The content type.
    public let contentType: String
    /// The value of the header `Cache-Control`.
    public let cacheControl: String
    /// The entity tag with its quotation marks, or `nil` for a file whose path changes with its content.
    public let entityTag: String?
}
