/// The live view's pictures, one after the other.
struct LiveViewPictures: Sendable {
    /// When it came on, by the host's clock; `nil` while it is off.
    private var sinceMs: Int64?
    /// When the last picture was handed out.
    private var lastMs: Int64 = 0
    /// Pictures handed out, and requests that got none.
    private(set) var served = 0
    private(set) var refused = 0

    /// The mirror goes up and the sensor starts first, in milliseconds.
    private let startMs: Int64
    /// 25 pictures a second.
    private static let intervalMs: Int64 = 40

    init(startMs: Int64 = 200) { self.startMs = startMs }

    /// Whether pictures are made by now; the first request for one starts it.
    mutating func isStarted(isOn: Bool, at now: WallTime) -> Bool {
        sinceMs = isOn ? sinceMs ?? now.hostMs : nil
        return sinceMs.map { now.hostMs - $0 >= startMs } ?? false
    }

    /// The next picture as a JPEG with its number on it; `nil` while there is none.
    ///
    /// - Parameters:
    ///   - isOn: whether the camera makes pictures.
    ///   - size: width and height in blocks of 8 pixels.
    mutating func frame(isOn: Bool, size: (columns: Int, rows: Int), at now: WallTime) -> [UInt8]? {
        guard isStarted(isOn: isOn, at: now), now.hostMs >= lastMs + Self.intervalMs else {
            refused += 1
            return nil
        }
        lastMs = now.hostMs
        served += 1
        return BlockJPEG.file(BlockPicture(columns: size.columns, rows: size.rows, number: served))
    }
}
