/// `POST /v1/cameras`: a camera on the network that is to be kept connected.
public struct CameraAddRequest: WireRequest {
    /// Where it is: `192.168.1.5`, `192.168.1.5:15740` or `ptpip:192.168.1.5:15740`.
    public var address: String
    /// What to call it; its model when left out.
    public var name: String?
    /// Maker's id from the picker; `nil` when not known.
    public var maker: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.address, examples: ["192.168.1.5", "192.168.1.5:15740"]),
            .init(CodingKeys.maker, "Id of a maker in the picker"),
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
    /// Longest name, in characters: it becomes part of file names.
    public static let nameLengthMax = 60

    /// The new name.
    public var name: String

    /// What the document says of its fields.
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
    /// Whether the camera is left alone from now on.
    public var ignored: Bool

    /// Creates a request.
    public init(ignored: Bool) {
        self.ignored = ignored
    }
}
