import FoundationEssentials
import Glibc
import Synchronization
import SystemIO

/// The simulator program: a camera on a network or a cable, its script, its control socket and its truth
/// file.
public final class Simulator: Sendable {
    /// The transport between clients and the camera.
    let link: any CameraLink
    let options: SimulatorOptions
    let sharedCamera: SharedCamera
    var stateChange: ConditionVariable { sharedCamera.stateChange }
    private let truth: TruthLog?
    private let control = Mutex<ControlSocket?>(nil)

    /// Prepares the camera and its card without listening.
    ///
    /// - Throws: ``SimulatorError`` if a file cannot be used or the existing photos do not fit on the card.
    public init(_ options: SimulatorOptions) throws(SimulatorError) {
        self.options = options
        let source: PhotoSource
        if let directory = options.photos {
            source = try PhotoSource(directory: directory, seed: options.seed)
        } else {
            source = PhotoSource(
                sizes: options.sizes, raw: options.identity.rawFormat, recording: options.recording,
                seed: options.seed)
        }
        var camera = Camera(
            identity: options.identity, source: source, cardBytes: options.cardBytes,
            firstNumber: options.firstNumber)
        camera.setBattery(options.battery)
        camera.clockOffsetSeconds = options.clockOffsetSeconds
        camera.names = options.names
        camera.pictures = options.pictures
        camera.bufferShots = options.bufferShots
        camera.shutterHeldMs = options.shutterHeldMs.map { Int64($0) }
        options.faults.forEach { camera.add($0) }
        let folder = try options.cardFolder.map { path throws(SimulatorError) in try CardFolder(path: path) }
        if let folder { camera.insert(try folder.photos()) }
        let now = SharedCamera.now()
        for index in 0..<options.existing {
            var time = now
            time.hostMs -= Int64(options.existing - index) * Self.oldSpacingMs
            try camera.shoot(at: time, isOld: true)
        }
        let truth = try options.truth.map { path throws(SimulatorError) in try TruthLog(path: path) }
        self.truth = truth
        let old = camera.drainNewFiles()
        Simulator.store(old, in: folder)
        truth?.append(old)
        sharedCamera = SharedCamera(
            camera,
            onPhotos: {
                Simulator.store($0, in: folder)
                truth?.append($0)
            }, onDeleted: { folder?.remove($0) })
        link =
            if let cable = options.cable {
                USBCable(sharedCamera, identity: options.identity, options: cable)
            } else {
                CameraServer(sharedCamera, options: options.server)
            }
    }

    /// Stores photos in the folder of the card, and reports photos that cannot be written.
    private static func store(_ photos: [TakenPhoto], in folder: CardFolder?) {
        for error in folder?.store(photos) ?? [] { error.report() }
    }

    /// The time between two photos that exist at the start, in milliseconds.
    private static let oldSpacingMs: Int64 = 10_000

    /// Opens the link and the control socket, and starts the script.
    ///
    /// - Returns: The camera's address, as text for the terminal.
    /// - Throws: ``SimulatorError`` if an address or USB cannot be used.
    public func start() throws(SimulatorError) -> String {
        let place = try link.open()
        if let path = options.control {
            let socket = try ControlSocket(path: path) { [self] line in reply(to: line) }
            control.withLock { $0 = socket }
        }
        PlainThread.startOrExit("script") { [self] in runScript() }
        return place
    }

    /// Closes the link and the control socket, and completes the truth file.
    public func stop() {
        link.stop()
        control.withLock {
            $0?.close()
            $0 = nil
        }
        completeTruth()
    }

    /// Waits until the truth file contains all photos so far.
    func completeTruth() { truth?.flush() }

    /// Presses the shutter.
    ///
    /// - Parameter pair: `true` for a raw file and a JPEG, or `nil` for the configured files.
    /// - Returns: The new files.
    /// - Throws: ``SimulatorError/cardFull``, ``SimulatorError/shutterHeld`` or
    ///   ``SimulatorError/bodyLocked``.
    @discardableResult
    public func press(pair: Bool? = nil) throws(SimulatorError) -> [CardObject] {
        try press(pair: pair, at: SharedCamera.now())
    }

    private func press(pair: Bool? = nil, at now: WallTime) throws(SimulatorError) -> [CardObject] {
        let outcome: Result<[CardObject], SimulatorError> = link.withCamera { camera in
            do throws(SimulatorError) { return .success(try camera.pressShutter(at: now, pair: pair)) } catch
            {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Takes several photos at a fixed interval.
    ///
    /// If the computer is too slow for the interval, the metadata of each photo still contains the scheduled
    /// time.
    ///
    /// - Returns: The number of shots that succeeded.
    func takeBurst(_ count: Int, intervalMs: Int) -> Int {
        var taken = 0
        let start = SharedCamera.now()
        for index in 0..<count {
            let due = start.later(byMs: Int64(index * intervalMs))
            let waitMs = due.hostMs - SharedCamera.now().hostMs
            if waitMs > 0 && stateChange.wait(seconds: Double(waitMs) / 1000, until: { isStopped }) { break }
            if (try? press(at: intervalMs > 0 ? due : SharedCamera.now())) != nil { taken += 1 }
        }
        return taken
    }

    var isStopped: Bool { link.isStopped }

    private func runScript() {
        if options.waitsForClient { stateChange.wait { link.hasClient || isStopped } }
        let start = Date()
        for index in 0..<options.shots {
            let due = start.addingTimeInterval(Double(index * options.intervalMs) / 1000)
            stateChange.wait(seconds: max(0, due.timeIntervalSinceNow)) { isStopped }
            guard !isStopped else { return }
            _ = takeBurst(options.burst, intervalMs: 0)
        }
        guard options.exitsWhenDone else { return }
        stateChange.wait { isStopped || isDone }
        stateChange.wait(seconds: Double(options.lingerMs) / 1000) { isStopped }
        completeTruth()
        // The main thread waits for signals, so SIGTERM ends it.
        kill(getpid(), SIGTERM)
    }

    private var isDone: Bool {
        guard sharedCamera.sessionCount > 0 else { return true }
        return sharedCamera.isEveryShotFetched
    }
}
