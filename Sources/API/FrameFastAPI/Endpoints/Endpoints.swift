/// Everything that can be asked, by resource. An endpoint is one property, its name is the property's.
public struct Endpoints: Sendable {
    /// The daemon as a whole.
    public let service = ServiceEndpoints()
    /// Cameras, and how they are found.
    public let cameras = CameraEndpoints()
    /// Settings of cameras under a name.
    public let presets = PresetEndpoints()
    /// What cameras do for longer than a moment.
    public let operations = OperationEndpoints()
    /// Groups of cameras.
    public let groups = GroupEndpoints()
    /// Photos.
    public let captures = CaptureEndpoints()
    /// Sessions and names.
    public let sessions = SessionEndpoints()
    /// Places that photos go to.
    public let destinations = DestinationEndpoints()
    /// The upload queue and its mode.
    public let uploads = UploadEndpoints()
    /// Photos on this computer.
    public let storage = StorageEndpoints()

    /// The one catalogue.
    public static let catalogue = Endpoints()

    /// Every endpoint, in the order of declaration.
    public static let rows: [EndpointRow] = Mirror(reflecting: catalogue).children.flatMap { resource in
        Mirror(reflecting: resource.value).children.compactMap { child in
            guard let endpoint = child.value as? any NamedEndpoint else { return nil }
            var row = endpoint.row
            row.name = (resource.label ?? "") + (child.label ?? "").capitalizedFirst
            return row
        }
    }
}

/// An endpoint of any types.
private protocol NamedEndpoint {
    var row: EndpointRow { get }
}

extension Endpoint: NamedEndpoint {}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
