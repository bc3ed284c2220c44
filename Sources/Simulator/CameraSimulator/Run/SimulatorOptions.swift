/// Everything that can be said on the command line of `framefast-simcam`.
public struct SimulatorOptions: Sendable {
    /// Who the camera is.
    public var identity = CameraIdentity(.generic)
    /// Link: address, port, packet size, speed.
    public var server = CameraServer.Options()
    /// The cable that it is on; `nil` for the network.
    public var cable: USBCable.Options?
    /// Folder that keeps the card's photos from run to run; `nil` for a card in memory.
    public var cardFolder: String?
    /// Directory whose files are the photos; `nil` makes photos.
    public var photos: String?
    /// Bytes of a made JPEG, from the smallest to the largest.
    public var sizes = 2_000_000...2_000_000
    /// What a shot consists of.
    public var recording = Recording.jpeg
    /// Size of the card in bytes.
    public var cardBytes = 64_000_000_000
    /// Shots that a Fujifilm's memory takes before they are deleted; `nil` for no bound.
    public var bufferShots: Int?
    /// How long a Sony takes for a step of a dial, or for another quality or focus mode, in milliseconds.
    public var sonyStepMs = 0
    /// How long the body takes no shot after something of a photo was read, in milliseconds; `nil` when it does not mind.
    public var shutterHeldMs: Int?
    /// Photos on the card before the first shot.
    public var existing = 0
    /// Number of the first photo, 1...9999.
    public var firstNumber = 1
    /// Battery level in percent.
    public var battery = 80
    /// How far the camera's clock is ahead, in seconds.
    public var clockOffsetSeconds = 0
    /// Times the script presses the shutter.
    public var shots = 0
    /// Time between two presses, in milliseconds.
    public var intervalMs = 1000
    /// Photos taken at each press.
    public var burst = 1
    /// Whether the script waits for a client with a session and an event connection.
    public var waitsForClient = false
    /// Whether the program ends when the script has run and everything was fetched.
    public var exitsWhenDone = false
    /// How long it stays after that, in milliseconds.
    public var lingerMs = 500
    /// File that gets a line of JSON for each photo.
    public var truth: String?
    /// Path of the control socket.
    public var control: String?
    /// Faults set from the start.
    public var faults: [Fault] = []
    /// Names for the first photos.
    public var names: [CameraText] = []
    /// Seed of everything that looks random.
    public var seed: UInt64 = 1

    /// The usual options.
    public init() {}

    /// What a shot consists of.
    public enum Recording: Sendable {
        /// A JPEG.
        case jpeg
        /// A raw file.
        case raw
        /// A raw file and a JPEG.
        case pair
    }
}
