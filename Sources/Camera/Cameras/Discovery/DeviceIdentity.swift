/// A camera's maker, model and serial number from its DeviceInfo dataset (PIMA 15740, section 5.5.1).
struct DeviceIdentity: Hashable, Sendable {
    var maker: String
    var model: String
    /// The serial number, or an empty string if the camera reports none.
    var serial: String

    init(maker: String, model: String, serial: String) {
        self.maker = maker
        self.model = model
        self.serial = serial
    }

    /// Parses the dataset. Returns `nil` if the dataset ends before the model. Later fields may be missing.
    init?(dataset: [UInt8]) {
        var reader = LittleEndianReader(dataset)
        // Skips the standard version, the vendor extension with its version and description, and the
        // functional mode.
        guard reader.readBytes(2 + 4 + 2) != nil, reader.text() != nil, reader.readBytes(2) != nil else {
            return nil
        }
        // Skips the operations, events, properties, capture formats and image formats.
        for _ in 0..<5 { guard reader.skipArray16() else { return nil } }
        guard let maker = reader.text(), let model = reader.text() else { return nil }
        self.maker = maker
        self.model = model
        _ = reader.text()
        serial = reader.text() ?? ""
    }
}
