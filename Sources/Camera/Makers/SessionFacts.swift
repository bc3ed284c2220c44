/// The facts about a camera that are known in an open PTP session.
public struct SessionFacts: Codable, Hashable, Sendable {
    /// A storage of the camera.
    public struct Storage: Codable, Hashable, Sendable {
        /// The storage description or the volume label.
        public var label: String

        /// Creates a storage.
        public init(label: String) { self.label = label }
    }

    /// The manufacturer from DeviceInfo.
    public var manufacturer: String
    /// The model from DeviceInfo.
    public var model: String
    /// The storages.
    public var storages: [Storage]
    /// The driver's summary in the locale C. The rules search the summary for phrases such as "Sony Capture"
    /// and "Generic Image Capture".
    public var summary: String

    /// Creates facts.
    public init(manufacturer: String, model: String, storages: [Storage] = [], summary: String) {
        self.manufacturer = manufacturer
        self.model = model
        self.storages = storages
        self.summary = summary
    }
}
