/// Settings that the camera reports by itself.
extension CameraHandle {
    /// The time for which the driver uses a setting that it has read, in milliseconds (`cachetime`, in whole
    /// seconds of the clock).
    public static let settingsCacheMs: UInt64 = 2_000

    /// Returns the settings that the camera has reported since the last call, by property code.
    public borrowing func takeChangedSettings() -> Set<UInt16> { tap.dialogue.polled.takeChanged() }

    /// Selects the properties to watch. When one of them changes, the driver requests its new value. The
    /// driver does not receive changes of other properties.
    public borrowing func watch(_ properties: Set<UInt16>) { tap.dialogue.polled.shown = properties }

    /// Whether a poll for events refreshes all settings in the driver (a Sony's table).
    public var pollsRefreshSettings: Bool { photosInMemory != nil }
    /// Whether the driver answers from the values that it received with events (an EOS).
    public var cachesSettings: Bool { tap.dialogue.operations.contains(PTPOperation.canonGetEvent) }

    /// Reads the clock from the camera itself, in seconds since 1970 as if its local time were UTC. Returns
    /// `nil` if the camera has no such property.
    public borrowing func clock() throws(CameraError) -> Int? {
        guard var answer = try value(PTPProperty.dateTime) else { return nil }
        let text = answer.withUnsafeMutableBytes { bytes in
            var place = 0
            return ObjectInfo.text(bytes, &place)
        }
        return text.flatMap(ObjectInfo.seconds).map { Int($0) }
    }

    /// Reads a number from the camera itself, because it changes faster than the driver's cache. Returns
    /// `nil` if the camera has no such property.
    ///
    /// Over USB each request leaks memory in the driver. Half of the allowed leak is reserved for requests
    /// that find photos.
    public borrowing func number(_ property: UInt16) throws(CameraError) -> Int? {
        guard sockets.isNetwork || tap.leakedBytes < Self.leakedBytesLimit / 2 else { return nil }
        guard let bytes = try value(property), (1...4).contains(bytes.count) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the bytes of a property's value, or `nil` if the camera can't be asked for it.
    private borrowing func value(_ property: UInt16) throws(CameraError) -> [UInt8]? {
        guard tap.dialogue.operations.contains(PTPOperation.getPropertyValue) else { return nil }
        tap.dialogue.isAskingForValue = true
        defer { tap.dialogue.isAskingForValue = false }
        try sendRequest(
            .getConfig, [UInt32(PTPOperation.getPropertyValue), UInt32(property)],
            lossBytes: Self.valueLossBytes)
        return tap.dialogue.propertyValue
    }

    /// Reads the clock of an EOS, which reports it with events. The EOS is asked to report it, and an older
    /// value in the driver is ignored.
    public borrowing func reportedClock() throws(CameraError) -> Int? {
        tap.dialogue.polled.isClockReported = false
        try requestReport(of: PTPProperty.canonClock)
        let entry = try config("datetime")
        return tap.dialogue.polled.isClockReported ? Int(entry.value) : nil
    }

    /// The size of such an answer, in bytes: at most 25 characters of 16 bits.
    private static let valueLossBytes = 64
}
