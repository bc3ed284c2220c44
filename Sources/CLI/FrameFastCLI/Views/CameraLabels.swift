import FrameFastAPI

/// The labels of cameras in a list: the name, followed by the id if several cameras have the same name.
struct CameraLabels {
    private let ids: [String: Set<CameraID>]

    init(_ cameras: some Sequence<(id: CameraID, name: String)>) {
        ids = cameras.reduce(into: [:]) { $0[$1.name, default: []].insert($1.id) }
    }

    init(_ cameras: [CameraReply]) { self.init(cameras.map { ($0.id, $0.name) }) }

    /// Returns the unique label of a camera.
    func name(_ name: String, id: CameraID) -> String {
        (ids[name]?.count ?? 0) > 1 && id.rawValue != name ? "\(name), \(id)" : name
    }
}
