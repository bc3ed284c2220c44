/// The property codes of a Nikon, as libgphoto2 names them.
enum NikonProperty {
    static let autoISO: UInt16 = 0xD054
    static let movieProhibited: UInt16 = 0xD0A4
    static let shutterSpeed: UInt16 = 0xD100
    static let maximumShots: UInt16 = 0xD103
    static let recordingMedia: UInt16 = 0xD10B
    static let focusModeOfBody: UInt16 = 0xD161
    static let liveViewStatus: UInt16 = 0xD1A2
    static let liveViewProhibited: UInt16 = 0xD1A4
    static let liveViewSize: UInt16 = 0xD1AC
    static let applicationMode: UInt16 = 0xD1F0
    static let exposuresRemaining: UInt16 = 0xD1F1
}

/// The codes of Nikon's own events.
enum NikonEvent {
    static let movieComplete: UInt16 = 0xC108
    static let movieStarted: UInt16 = 0xC10A
    static let all = [movieComplete, movieStarted]
}
