import Cameras
import Foundation
import FrameFastModel
import Glibc
import Makers
import TestRig
import Testing
import WorkerProtocol

/// A running `framefast-camera` and the daemon's end of its socket.
final class WorkerProcess {
    let pid: pid_t
    let scratch: ScratchDirectory
    /// All events so far.
    private(set) var events: [WorkerEvent] = []
    private let socket: Int32
    private var buffer = Data()
    private var nextID: UInt64 = 0
    private var status: Int32?

    /// Starts a worker and waits for its `hello`.
    ///
    /// - Parameters:
    ///   - home: The home folder of an earlier worker, or `nil` for a new folder.
    ///   - photos: The folder for part files. The default is the home folder.
    ///   - prepare: Prepares the worker's home folder before the worker starts.
    ///   - rewriting: Changes the bytes of the worker's copy of the driver. With `nil`, the worker loads the
    ///     installed driver.
    ///   - starting: A function that receives and calls the closure that starts the program.
    init(
        home: ScratchDirectory? = nil, photos: String? = nil,
        prepare: (_ home: String) throws -> Void = { _ in },
        rewriting: ((inout Data) throws -> Void)? = nil,
        starting: (@escaping @Sendable () throws -> pid_t) throws -> pid_t = { try $0() }
    ) throws {
        scratch = try home ?? ScratchDirectory()
        try prepare(scratch.path)
        let drivers = try WorkerSettings(
            program: "", homes: scratch.path, drivers: ["ptp2"], photos: ""
        ).prepareDrivers()
        if let rewriting {
            let driver = URL(filePath: drivers + "/ptp2.so")
            var bytes = try Data(contentsOf: driver)
            try rewriting(&bytes)
            // The file is a symbolic link to the installed driver.
            try FileManager.default.removeItem(at: driver)
            try bytes.write(to: driver)
        }
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
        socket = ends[0]
        let (input, path) = (ends[1], scratch.path)
        let environment = [
            "LC_ALL": "C", "TZ": "UTC", "HOME": path, "CAMLIBS": drivers,
            CallTrace.environmentKey: scratch.file("trace"),
        ]
        pid = try starting {
            try BuiltProgram.start(
                "framefast-camera",
                ["test", WorkerArguments.port, "ptpip:", WorkerArguments.photos, photos ?? path],
                environment: environment, descriptors: [input, nil, 2])
        }
        close(ends[1])
        guard case .hello = try next() else { throw CameraTestError(words: "the worker sent no hello") }
    }

    deinit {
        hangUp()
        kill(pid, SIGKILL)
        if status == nil { waitpid(pid, nil, 0) }
    }

    private var isOpen = true

    /// Closes the daemon's end of the socket.
    func hangUp() {
        if isOpen { close(socket) }
        isOpen = false
    }

    // MARK: Messages

    /// Sends a command with the next id. Returns the id.
    @discardableResult
    func send(_ make: (UInt64) -> WorkerCommand) throws -> UInt64 {
        nextID += 1
        try write(WorkerMessage.encode(make(nextID)))
        return nextID
    }

    /// Sends commands with the next ids in one write. The worker receives them together. Returns the ids.
    func sendTogether(_ commands: [(UInt64) -> WorkerCommand]) throws -> [UInt64] {
        var (ids, bytes): ([UInt64], Data) = ([], Data())
        for make in commands {
            nextID += 1
            ids.append(nextID)
            bytes.append(try WorkerMessage.encode(make(nextID)))
        }
        try write(bytes)
        return ids
    }

    /// Sends arbitrary bytes.
    func write(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { bytes in
            guard Glibc.write(socket, bytes.baseAddress, bytes.count) == bytes.count else {
                throw CameraTestError(words: "the worker accepts no data")
            }
        }
    }

    /// The maximum wait for the next event, in seconds of ``LivedTime``.
    private static let waitSecondsMax = 60.0

    /// Returns the next event.
    ///
    /// - Throws: ``CameraTestError`` if no event arrives, or ``WorkerEnded`` if the worker ends.
    func next() throws -> WorkerEvent {
        let limit = WaitLimit(seconds: Self.waitSecondsMax)
        while true {
            if buffer.count >= WorkerMessage.prefixBytes {
                let length = try WorkerMessage.bodyLength(prefix: buffer.prefix(WorkerMessage.prefixBytes))
                if buffer.count >= WorkerMessage.prefixBytes + length {
                    let body = Data(buffer.dropFirst(WorkerMessage.prefixBytes).prefix(length))
                    buffer = Data(buffer.dropFirst(WorkerMessage.prefixBytes + length))
                    let event = try WorkerMessage.decodeEvent(from: body)
                    events.append(event)
                    return event
                }
            }
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let isLast = limit.isOver
            guard poll(&entry, 1, 500) > 0 else {
                if isLast { throw CameraTestError(words: "no event: waited \(limit.report)") }
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(socket, &bytes, bytes.count)
            guard count > 0 else { throw WorkerEnded(status: waitForExit()) }
            buffer.append(contentsOf: bytes[..<count])
        }
    }

    /// Waits for an event for which `pick` returns a result. A heartbeat does not restart the timeout.
    func wait<Result>(for pick: (WorkerEvent) -> Result?) throws -> Result {
        var limit = WaitLimit(seconds: Self.waitSecondsMax)
        while true {
            let event = try next()
            if let result = pick(event) { return result }
            guard case .heartbeat = event else {
                limit = WaitLimit(seconds: Self.waitSecondsMax)
                continue
            }
            if limit.isOver { throw CameraTestError(words: "only heartbeats: waited \(limit.report)") }
        }
    }

    /// Waits until the process ends. Kills the process after a minute.
    ///
    /// - Returns: The wait status.
    @discardableResult
    func waitForExit() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        let limit = WaitLimit(seconds: Self.waitSecondsMax)
        while waitpid(pid, &raw, WNOHANG) == 0 {
            guard !limit.isOver else {
                Issue.record("waited \(limit.report) for worker \(pid) to end, and killed it")
                kill(pid, SIGKILL)
                waitpid(pid, &raw, 0)
                break
            }
            poll(nil, 0, 5)
        }
        status = raw
        return raw
    }

    /// The peak memory of the worker, in bytes.
    var peakBytes: UInt64 { get throws { try RunningProgram.peakBytes(of: pid) } }

    /// The number of pages that the kernel has mapped for the worker without reading a disk.
    var pageFaults: Int {
        get throws {
            let line = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            // The fields after the name in parentheses: state, ppid, … minflt is the 8th (proc(5)).
            let words = line.split(separator: ")").last?.split(separator: " ") ?? []
            guard words.count > 7, let count = Int(words[7]) else {
                throw CameraTestError(words: "cannot read the page faults of worker \(pid)")
            }
            return count
        }
    }

    /// The current memory of the worker, in bytes.
    var residentBytes: UInt64 { get throws { try RunningProgram.residentBytes(of: pid) } }

    // MARK: Requests

    /// Sends a command and waits for its reply.
    func request(_ make: (UInt64) -> WorkerCommand) throws -> WorkerEvent {
        try reply(to: send(make))
    }

    /// Returns the reply to a command. Waits if the reply is not among the events so far.
    func reply(to id: UInt64) throws -> WorkerEvent {
        func isReply(_ event: WorkerEvent) -> Bool {
            switch event {
            case .opened(id, _), .reconciled(id, _, _, _), .fetched(id, _), .settings(id, _),
                .settingResults(id, _), .clockSet(id, _), .frame(id, _), .done(id),
                .failed(id, _):
                true
            default: false
            }
        }
        return try events.first(where: isReply) ?? wait { isReply($0) ? $0 : nil }
    }

    /// Opens a camera.
    func open(
        _ camera: SimulatedCamera, quarantined: [UInt32] = [], crashed: [Int32] = [],
        target: CaptureTarget = .card, shutterWait: ShutterWait = .auto,
        zone: ZoneOffsets = ZoneOffsets(seconds: 0), profiles: [MakerProfile]? = nil
    ) throws -> CameraFacts {
        try self.open(
            port: camera.port, quarantined: quarantined, crashed: crashed, target: target,
            shutterWait: shutterWait, zone: zone, profiles: profiles)
    }

    /// Opens the camera at a port path.
    ///
    /// - Parameter profiles: The profiles of the makers, or `nil` for the product's own.
    func open(
        port: String, quarantined: [UInt32] = [], crashed: [Int32] = [], target: CaptureTarget = .card,
        shutterWait: ShutterWait = .auto, zone: ZoneOffsets = ZoneOffsets(seconds: 0),
        profiles: [MakerProfile]? = nil
    ) throws -> CameraFacts {
        let request = OpenRequest(
            port: port, quarantinedHandles: quarantined, crashedWorkers: crashed, zone: zone,
            captureTarget: target, shutterWait: shutterWait,
            profiles: try profiles ?? KnowledgeBase.bundled().profiles)
        switch try self.request({ .open(id: $0, request) }) {
        case .opened(_, let facts): return facts
        case let other: throw CameraTestError(words: "open: \(other)")
        }
    }

    /// Opens a camera. Retries for up to a minute, for example until the camera's link is restored.
    func openAgain(_ camera: SimulatedCamera) throws {
        let limit = WaitLimit(seconds: Self.waitSecondsMax)
        while true {
            let isLast = limit.isOver
            do {
                _ = try open(camera)
                return
            } catch { if isLast { throw error } }
        }
    }

    /// Lists all objects.
    func list() throws -> [CameraObject] {
        let id = try send { .list(id: $0) }
        var objects: [CameraObject] = []
        while true {
            let part = try wait { event -> (objects: [CameraObject], isLast: Bool)? in
                if case .listed(id, let part, let isLast, _) = event { return (part, isLast) }
                if case .failed(id, _) = event { return ([], true) }
                return nil
            }
            objects += part.objects
            if part.isLast { return objects }
        }
    }

    /// Reads settings, or all settings if `names` is empty.
    func settings(_ names: [String] = []) throws -> [CameraSetting] {
        switch try request({ .readSettings(id: $0, names: names) }) {
        case .settings(_, let settings): return settings
        case let other: throw CameraTestError(words: "read: \(other)")
        }
    }

    /// Changes settings.
    func change(
        _ values: KeyValuePairs<String, String>, nearest: Bool = false, trial: Bool = false,
        automatic: Bool = false
    ) throws -> [CameraSettingResult] {
        let command = CameraSettingsCommand(
            values.map { CameraSettingChange(name: $0.key, value: $0.value) }, takesNearest: nearest,
            isTrial: trial, isAutomatic: automatic)
        switch try request({ .writeSettings(id: $0, command) }) {
        case .settingResults(_, let results): return results
        case let other: throw CameraTestError(words: "write: \(other)")
        }
    }

    /// Sends a fetch. Returns its id and `.part` path.
    func sendFetch(
        _ object: CameraObject, asWhole: Bool = false, isShot: Bool = false
    ) throws -> (id: UInt64, part: String) {
        let part = scratch.file("\(nextID).part")
        let request = FetchRequest(
            folder: object.folder, name: object.name, announcedSize: object.size, partPath: part,
            asWhole: asWhole, isShot: isShot)
        return (try send { .fetch(id: $0, request) }, part)
    }

    /// Fetches an object.
    func fetch(
        _ object: CameraObject, asWhole: Bool = false
    ) throws -> (reply: WorkerEvent, part: String) {
        let fetch = try sendFetch(object, asWhole: asWhole)
        return (try reply(to: fetch.id), fetch.part)
    }

    /// Waits for the next announced object.
    func nextObject() throws -> CameraObject {
        try wait { if case .objectAdded(let object) = $0 { object } else { nil } }
    }

    /// The trace of the last request.
    var trace: CallTrace? {
        FileManager.default.contents(atPath: scratch.file("trace")).flatMap { CallTrace(bytes: Array($0)) }
    }
}

/// The error for a worker that ended while the test waited for an event.
struct WorkerEnded: Error {
    /// The wait status of waitpid.
    var status: Int32
    /// The signal that ended the worker, or 0.
    var signal: Int32 { status & 0x7F }
    /// The exit status.
    var exitStatus: Int32 { status >> 8 & 0xFF }
}
