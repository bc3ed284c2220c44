/// The subject of a condition: a camera by its id, a destination or a hook by its name, a folder by its path.
public enum ConditionSubject: Codable, Hashable, Sendable {
    case camera(CameraID)
    case destination(DestinationName)
    case hook(String)
    case folder(String)

    /// The id, name or path, for programs.
    public var text: String {
        switch self {
        case .camera(let id): id.rawValue
        case .destination(let name): name.rawValue
        case .hook(let name): name
        case .folder(let path): path
        }
    }

    /// The camera, or `nil` for another subject.
    public var camera: CameraID? { if case .camera(let id) = self { id } else { nil } }
}
