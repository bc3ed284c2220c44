extension CameraProfile {
    /// A driver setting and the value to write.
    public struct Setting: Codable, Hashable, Sendable {
        /// The driver's name for the setting.
        public var setting: String
        /// The value to write.
        public var value: String
    }
}
