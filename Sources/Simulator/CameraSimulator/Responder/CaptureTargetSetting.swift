extension Camera {
    /// The destination of new photos: `card`, `host` or `card+host`.
    public var captureTarget: String {
        switch (identity.maker, sonyDestination) {
        case (.sony, .card): "card"
        case (.sony, .both): "card+host"
        case (.sony, .host), (.fuji, _): "host"
        default: memoryIsTarget ? "host" : "card"
        }
    }

    /// Sets the destination as the camera's menu would.
    ///
    /// - Returns: Whether the camera has a setting for the destination.
    public mutating func setCaptureTarget(_ place: String) -> Bool {
        switch (identity.maker, place) {
        case (.sony, "card"): sonyDestination = .card
        case (.sony, "host"): sonyDestination = .host
        case (.sony, "card+host"): sonyDestination = .both
        case (.nikon, "card"), (.canon, "card"): memoryIsTarget = false
        case (.nikon, "host"), (.canon, "host"): memoryIsTarget = true
        default: return false
        }
        return true
    }
}
