extension CameraProfile {
    /// A setting of the driver with a value.
    public struct Setting: Codable, Hashable, Sendable {
        /// The driver's name for the setting.
        public var setting: String
        /// The value to write.
        public var value: String
    }
}
