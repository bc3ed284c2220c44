/// What the camera tells of its settings by itself.
extension CameraHandle {
    /// For how long the driver may believe what it has read of a setting, in milliseconds (`cachetime`, whole seconds by
    /// the clock).
    public static let settingsBelievedMs: UInt64 = 2_000

    /// Settings of which the camera told since this was asked last, by their numbers.
    public borrowing func takeChangedSettings() -> Set<UInt16> { tap.dialogue.polled.takeChanged() }

    /// The settings that matter: when the camera tells of one, the driver asks for its new value. Of the others the driver
    /// does not hear.
    public borrowing func watch(_ properties: Set<UInt16>) { tap.dialogue.polled.shown = properties }

    /// Whether a look for events renews what the driver knows of all settings (a Sony's table).
    public var looksRenewSettings: Bool { photosInMemory != nil }
    /// Whether the driver answers for the camera from what events told it (an EOS).
    public var keepsSettings: Bool { tap.dialogue.operations.contains(PTPOperation.canonGetEvent) }

    /// The camera's clock, asked of the camera itself, in seconds since 1970 as if its wall time were UTC; `nil` where it
    /// has none that can be read so.
    public borrowing func clock() throws(CameraError) -> Int? {
        guard var answer = try value(PTPProperty.dateTime) else { return nil }
        let text = answer.withUnsafeMutableBytes { bytes in
            var place = 0
            return ObjectInfo.text(bytes, &place)
        }
        return text.flatMap(ObjectInfo.seconds).map { Int($0) }
    }

    /// A number that changes faster than the driver believes it, asked of the camera itself; `nil` where it has none.
    ///
    /// Over USB each question costs memory that the driver loses: half of what it may lose is left to those that find photos.
    public borrowing func number(_ property: UInt16) throws(CameraError) -> Int? {
        guard sockets.isNetwork || tap.censusLoss < Self.censusLossLimit / 2 else { return nil }
        guard let bytes = try value(property), (1...4).contains(bytes.count) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The bytes of a property's value; `nil` where the camera cannot be asked for them.
    private borrowing func value(_ property: UInt16) throws(CameraError) -> [UInt8]? {
        guard tap.dialogue.operations.contains(PTPOperation.getPropertyValue) else { return nil }
        tap.dialogue.isAskingForValue = true
        defer { tap.dialogue.isAskingForValue = false }
        try ask(
            .getConfig, [UInt32(PTPOperation.getPropertyValue), UInt32(property)],
            lossBytes: Self.valueLossBytes)
        return tap.dialogue.propertyValue
    }

    /// The clock of an EOS, which tells of it when it likes: it is asked to, and what the driver has from before counts for
    /// nothing.
    public borrowing func toldClock() throws(CameraError) -> Int? {
        tap.dialogue.polled.isClockTold = false
        try askAgain(PTPProperty.canonClock)
        let entry = try config("datetime")
        return tap.dialogue.polled.isClockTold ? Int(entry.value) : nil
    }

    /// Bytes of such an answer: at most 25 characters of 16 bits.
    private static let valueLossBytes = 64
}
