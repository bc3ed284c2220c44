/// `POST /v1/cameras`: adds a network camera, which the daemon keeps connected.
public struct CameraAddRequest: WireRequest {
    /// The address: `192.168.1.5`, `192.168.1.5:15740` or `ptpip:192.168.1.5:15740`.
    public var address: String
    /// The name of the camera, or `nil` to use its model.
    public var name: String?
    /// The id of the maker from `GET /v1/makers`, or `nil` if unknown.
    public var maker: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.address, examples: ["192.168.1.5", "192.168.1.5:15740"]),
            .init(CodingKeys.maker, "Id of a maker from GET /v1/makers"),
        ]
    }

    /// Creates a request.
    public init(address: String, name: String? = nil, maker: String? = nil) {
        self.address = address
        self.name = name
        self.maker = maker
    }
}

/// `POST /v1/cameras/{id}/rename`.
public struct CameraRenameRequest: WireRequest {
    /// The longest name, in characters, also in the configuration. The name becomes part of file names.
    public static let nameLengthMax = 64

    /// The new name.
    public var name: String

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.name, length: 1...nameLengthMax)
        ]
    }

    /// Creates a request.
    public init(name: String) {
        self.name = name
    }
}

/// `POST /v1/cameras/{id}/ignore`.
public struct CameraIgnoreRequest: WireRequest {
    /// Whether the daemon ignores the camera from now on.
    public var ignored: Bool

    /// Creates a request.
    public init(ignored: Bool) {
        self.ignored = ignored
    }
}
