/// The sequence of live-view frames of a camera.
struct LiveViewFrames: Sendable {
    /// The start of live view by the host's clock, in milliseconds, or `nil` while live view is off.
    private var sinceMs: Int64?
    /// The time of the last frame, in milliseconds.
    private var lastMs: Int64 = 0
    /// The number of frames that clients received.
    private(set) var served = 0
    private(set) var refused = 0

    /// The time from the start of live view to the first frame, in milliseconds. During this time, the mirror
    /// goes up and the sensor starts.
    private let startMs: Int64
    /// The time between two frames, in milliseconds: 25 frames a second.
    private static let intervalMs: Int64 = 40

    /// Returns the width and height of a frame in blocks of 8 pixels.
    ///
    /// - Parameter step: 1 small, 2 medium, 3 large. Any other step is medium.
    static func size(_ step: Int64?) -> (columns: Int, rows: Int) {
        step == 1 ? (40, 27) : step == 3 ? (128, 85) : (80, 53)
    }

    init(startMs: Int64 = 200) { self.startMs = startMs }

    /// Turns live view on or off, and returns whether frames are available at this time.
    mutating func updateIsReady(isOn: Bool, at now: WallTime) -> Bool {
        sinceMs = isOn ? sinceMs ?? now.hostMs : nil
        return sinceMs.map { now.hostMs - $0 >= startMs } ?? false
    }

    /// Returns the next frame as a JPEG that shows its number, or `nil` if no frame is available.
    ///
    /// - Parameters:
    ///   - isOn: Whether live view is on.
    ///   - size: The width and height in blocks of 8 pixels.
    mutating func frame(isOn: Bool, size: (columns: Int, rows: Int), at now: WallTime) -> [UInt8]? {
        guard updateIsReady(isOn: isOn, at: now), now.hostMs >= lastMs + Self.intervalMs else {
            refused += 1
            return nil
        }
        lastMs = now.hostMs
        served += 1
        return BlockJPEG.file(BlockPicture(columns: size.columns, rows: size.rows, number: served))
    }

    /// Returns the reply to the control command `frames`.
    ///
    /// - Parameter isOn: Whether live view is on, or `nil` for a body that has no switch.
    func reply(isOn: Bool? = nil) -> String {
        let state = isOn.map { "\"on\":\($0)," } ?? ""
        return "ok {\(state)\"served\":\(served),\"refused\":\(refused)}"
    }
}
