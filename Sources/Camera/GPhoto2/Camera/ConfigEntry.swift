/// A configuration entry that the driver reports for a camera (`CameraWidget`).
public struct ConfigEntry: Hashable, Sendable {
    /// A range of allowed numbers.
    public struct Range: Hashable, Sendable {
        /// The minimum.
        public var least: Float
        /// The maximum.
        public var most: Float
        /// The distance between two allowed numbers.
        public var step: Float
    }

    /// The widget name, for example `capturetarget`.
    public var name: String
    /// The current value as text: seconds since 1970 for a date, and 0 or 1 for a toggle.
    public var value: String
    /// The allowed values. Empty for free text, numbers, dates and toggles.
    public var choices: [String]
    /// The allowed numbers, or `nil` for values that are not numbers.
    public var range: Range?
    /// Whether the camera refuses changes.
    public var isReadOnly: Bool
}
