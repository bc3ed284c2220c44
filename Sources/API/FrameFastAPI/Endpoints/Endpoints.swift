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
    /// Cameras that take photos together.
    public let groups = GroupEndpoints()
    /// Other computers with cameras.
    public let fleet = FleetEndpoints()
    /// Photos.
    public let captures = CaptureEndpoints()
    /// What happened to photos.
    public let history = HistoryEndpoints()
    /// Shots, as a contact sheet shows them.
    public let shots = ShotEndpoints()
    /// The page: who is let in.
    public let web = WebEndpoints()
    /// Sessions and names.
    public let sessions = SessionEndpoints()
    /// What photos are given before they are taken.
    public let fields = FieldEndpoints()
    /// Proof of what was captured.
    public let manifests = ManifestEndpoints()
    /// Places that photos go to.
    public let destinations = DestinationEndpoints()
    /// The upload queue and its mode.
    public let uploads = UploadEndpoints()
    /// Ways of telling a person.
    public let notices = NoticeEndpoints()
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
