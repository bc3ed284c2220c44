/// What one condition is about: a camera by its id, a destination, a hook, a group or a notice by its name, a folder by its path.
public enum ConditionSubject: Codable, Hashable, Sendable {
    case camera(CameraID)
    case destination(DestinationName)
    case hook(String)
    case group(GroupName)
    case folder(String)
    case notice(NoticeName)

    /// Id, name or path: what programs are told.
    public var text: String {
        switch self {
        case .camera(let id): id.rawValue
        case .destination(let name): name.rawValue
        case .hook(let name): name
        case .group(let name): name.rawValue
        case .folder(let path): path
        case .notice(let name): name.rawValue
        }
    }

    /// The camera that it is about; `nil` for something else.
    public var camera: CameraID? { if case .camera(let id) = self { id } else { nil } }
}
