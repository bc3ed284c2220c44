/// The options of the simulator, from the command line of `framefast-simcam`.
public struct SimulatorOptions: Sendable {
    /// The identity of the camera.
    public var identity = CameraIdentity(.generic)
    /// The options of the network link: address, port, packet size and speed.
    public var server = CameraServer.Options()
    /// The options of the USB cable, or `nil` for a camera on the network.
    public var cable: USBCable.Options?
    /// The path of the folder that stores the card's photos between runs, or `nil` for a card in memory.
    public var cardFolder: String?
    /// The path of a directory with the photos to use, or `nil` to generate photos.
    public var photos: String?
    /// The range of sizes of a generated JPEG, in bytes.
    public var sizes = 2_000_000...2_000_000
    /// The options of real pictures in generated photos, or `nil` for padded photos of an exact size.
    public var pictures: RealPhotoOptions?
    /// The kinds of files that a shot creates.
    public var recording = Recording.jpeg
    /// The size of the card, in bytes.
    public var cardBytes = 64_000_000_000
    /// The number of shots that a Fujifilm's memory holds until a client deletes them, or `nil` for no limit.
    public var bufferShots: Int?
    /// The time for which the body refuses shots after a client has read a part of a photo, in milliseconds.
    /// If `nil`, the body never refuses a shot.
    public var shutterHeldMs: Int?
    /// The number of shots that are on the card at the start, in addition to the photos in the card's folder.
    public var existing = 0
    /// The number of the first photo, 1...9999.
    public var firstNumber = 1
    /// The battery level, in percent.
    public var battery = 80
    /// The offset of the camera's clock from the host's clock, in seconds. A positive offset is ahead.
    public var clockOffsetSeconds = 0
    /// The number of bursts that the script takes.
    public var shots = 0
    /// The time between the starts of two bursts, in milliseconds.
    public var intervalMs = 1000
    /// The number of shots in each burst.
    public var burst = 1
    /// Whether the script waits for a client with an open session and an event connection.
    public var waitsForClient = false
    /// Whether the program exits after the script. If a client has opened a session, the program first waits
    /// until clients have fetched all photos.
    public var exitsWhenDone = false
    /// The delay before the program exits after the script, in milliseconds.
    public var lingerMs = 500
    /// The path of the truth file, or `nil`. The truth file contains a line of JSON for each photo file.
    public var truth: String?
    /// The path of the control socket, or `nil`.
    public var control: String?
    /// The initial faults.
    public var faults: [Fault] = []
    /// The names of the first photos.
    public var names: [CameraText] = []
    /// The seed of all pseudo-random values.
    public var seed: UInt64 = 1

    /// Creates the default options.
    public init() {}
}
