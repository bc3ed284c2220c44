import FrameFastAPI

/// What cameras are called where several are listed: by their names, and where two have the same name by their ids too.
struct CameraLabels {
    private let ids: [String: Set<CameraID>]

    init(_ cameras: some Sequence<(id: CameraID, name: String)>) {
        ids = cameras.reduce(into: [:]) { $0[$1.name, default: []].insert($1.id) }
    }

    init(_ cameras: [CameraReply]) { self.init(cameras.map { ($0.id, $0.name) }) }

    /// The name that tells it from the others.
    func name(_ name: String, id: CameraID) -> String {
        (ids[name]?.count ?? 0) > 1 && id.rawValue != name ? "\(name), \(id)" : name
    }
}
