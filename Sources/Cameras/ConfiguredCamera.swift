import FrameFastModel

/// A camera that the configuration names.
public struct ConfiguredCamera: Hashable, Sendable {
    /// The name that people gave it. Unique.
    public var name: String
    /// libgphoto2 port path, for example `ptpip:192.168.1.5:15740`.
    public var port: String
    /// The camera clock's offset, seconds east of UTC.
    public var zoneOffsetSeconds: Int

    /// Creates a camera.
    public init(name: String, port: String, zoneOffsetSeconds: Int) {
        self.name = name
        self.port = port
        self.zoneOffsetSeconds = zoneOffsetSeconds
    }

    /// Who a connected camera is in the ledger: two bodies that take turns at one address are told apart.
    func identity(_ facts: CameraFacts) -> String {
        guard !facts.serial.isEmpty else { return name }
        let maker = facts.maker.lowercased().split { !$0.isLetter }.first.map(String.init) ?? "camera"
        return "\(maker)-\(facts.serial)"
    }
}
