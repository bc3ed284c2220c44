/// Settings that the camera reports without a request, and values that are read without the driver's cache.
extension CameraHandle {
    /// The time during which the driver uses the last read value of a setting (`cachetime`). The driver
    /// measures this time in whole seconds.
    public static let settingsCache = Duration.milliseconds(2_000)

    /// Returns and clears the property codes of the settings that the camera has reported since the last
    /// call.
    public borrowing func takeChangedSettings() -> Set<UInt16> { tap.dialogue.polled.takeChanged() }

    /// Selects the properties whose changes the driver receives. The driver then requests their new values.
    /// Changes of other properties are hidden from the driver.
    public borrowing func watch(_ properties: Set<UInt16>) { tap.dialogue.polled.shown = properties }

    /// Whether a poll for events refreshes all settings in the driver (Sony).
    public var pollsRefreshSettings: Bool { photosInMemory != nil }
    /// Whether the driver returns the values that it received with events (EOS).
    public var cachesSettings: Bool { tap.dialogue.operations.contains(PTPOperation.canonGetEvent) }

    /// Reads the clock directly from the camera, in seconds since 1970. Treats the camera's local time as
    /// UTC. Returns `nil` if the camera does not have this property.
    public borrowing func clock() throws(CameraError) -> Int? {
        guard var answer = try value(PTPProperty.dateTime) else { return nil }
        let text = answer.withUnsafeMutableBytes { bytes in
            var place = 0
            return ObjectInfo.text(bytes, &place)
        }
        return text.flatMap(ObjectInfo.seconds).map { Int($0) }
    }

    /// Reads a number directly from the camera instead of the driver's cache, because the number changes
    /// quickly. Returns `nil` if the camera does not have this property, or its value has more than four
    /// bytes.
    ///
    /// Over USB, the driver leaks memory for each direct request. This method returns `nil` after half of the
    /// allowed memory has leaked. The other half is reserved for requests that find photos.
    public borrowing func number(_ property: UInt16) throws(CameraError) -> Int? {
        guard sockets.isNetwork || tap.leakedBytes < Self.leakedBytesLimit / 2 else { return nil }
        guard let bytes = try value(property), (1...4).contains(bytes.count) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the bytes of a property's value, or `nil` if the camera does not support the request.
    private borrowing func value(_ property: UInt16) throws(CameraError) -> [UInt8]? {
        guard tap.dialogue.operations.contains(PTPOperation.getPropertyValue) else { return nil }
        tap.dialogue.isAskingForValue = true
        defer { tap.dialogue.isAskingForValue = false }
        try sendRequest(
            .getConfig, [UInt32(PTPOperation.getPropertyValue), UInt32(property)],
            leakBytes: Self.valueLeakBytes)
        return tap.dialogue.propertyValue
    }

    /// Requests the time of an EOS's clock. The EOS reports the time in an event. Returns `nil` if the EOS
    /// does not report the time. Ignores an older value in the driver.
    public borrowing func reportedClock() throws(CameraError) -> Int? {
        tap.dialogue.polled.isClockReported = false
        try requestReport(of: PTPProperty.canonClock)
        let entry = try config("datetime")
        return tap.dialogue.polled.isClockReported ? Int(entry.value) : nil
    }

    /// The maximum memory that the driver leaks for one property value, in bytes. A text has at most 25
    /// characters of 16 bits.
    private static let valueLeakBytes = 64
}
