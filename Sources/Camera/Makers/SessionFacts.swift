/// What an open session says of a camera.
public struct SessionFacts: Codable, Hashable, Sendable {
    /// A storage as the session shows it.
    public struct Storage: Codable, Hashable, Sendable {
        /// Kinds of storage of PTP.
        public enum Kind: String, Codable, Hashable, Sendable {
            case fixedROM, removableROM, fixedRAM, removableRAM, unknown
        }

        /// Description or volume label.
        public var label: String
        /// What it is.
        public var kind: Kind

        /// Creates a storage.
        public init(label: String, kind: Kind = .unknown) {
            self.label = label
            self.kind = kind
        }
    }

    /// Manufacturer as in DeviceInfo.
    public var manufacturer: String
    /// Model as in DeviceInfo.
    public var model: String
    /// The text of the vendor extension in DeviceInfo, for example `Sony PTP Extensions`.
    public var vendorExtension: String
    /// The storages.
    public var storages: [Storage]
    /// The driver's summary text (locale C); the words "Sony Capture", "Generic Image Capture" are looked for.
    public var summary: String

    /// Creates facts.
    public init(
        manufacturer: String, model: String, vendorExtension: String = "", storages: [Storage] = [],
        summary: String
    ) {
        self.manufacturer = manufacturer
        self.model = model
        self.vendorExtension = vendorExtension
        self.storages = storages
        self.summary = summary
    }
}
