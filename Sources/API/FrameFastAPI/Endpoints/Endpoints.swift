/// All endpoints, by resource. Each endpoint is a property. The endpoint's name consists of the resource and
/// the property, for example `camerasRename`.
public struct Endpoints: Sendable {
    /// Endpoints for the daemon as a whole.
    public let service = ServiceEndpoints()
    /// Endpoints for cameras and camera discovery.
    public let cameras = CameraEndpoints()
    /// Endpoints for presets, which are named camera settings.
    public let presets = PresetEndpoints()
    /// Endpoints for long-running camera operations.
    public let operations = OperationEndpoints()
    /// Endpoints for groups of cameras.
    public let groups = GroupEndpoints()
    /// Endpoints for photos.
    public let captures = CaptureEndpoints()
    /// Endpoints for shots and their ratings.
    public let shots = ShotEndpoints()
    /// Endpoints for sessions and file names.
    public let sessions = SessionEndpoints()
    /// Endpoints for destinations, which receive uploads.
    public let destinations = DestinationEndpoints()
    /// Endpoints for the upload queue and its mode.
    public let uploads = UploadEndpoints()
    /// Endpoints for photos on this computer.
    public let storage = StorageEndpoints()
    /// Endpoints for the devices of the web page.
    public let web = WebEndpoints()

    /// The endpoints that all modules share.
    public static let catalog = Endpoints()

    /// All endpoints, in the order of declaration.
    public static let rows: [EndpointRow] = Mirror(reflecting: catalog).children.flatMap { resource in
        Mirror(reflecting: resource.value).children.compactMap { child in
            guard let endpoint = child.value as? any NamedEndpoint else { return nil }
            var row = endpoint.row
            row.name = (resource.label ?? "") + (child.label ?? "").capitalizedFirst
            return row
        }
    }
}

/// An endpoint whose generic types are erased.
private protocol NamedEndpoint {
    var row: EndpointRow { get }
}

extension Endpoint: NamedEndpoint {}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
