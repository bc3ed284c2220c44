public import FrameFastModel

extension CameraConnection {
    /// A part of the camera's object list.
    public struct Portion: Sendable, Hashable {
        /// The objects, in the camera's order.
        public var objects: [CameraObject]
        /// The number of objects on the card, including folders, or `nil` if unknown.
        public var total: Int?
        /// Whether this is the last portion, which completes the list.
        public var isLast: Bool
    }
}
