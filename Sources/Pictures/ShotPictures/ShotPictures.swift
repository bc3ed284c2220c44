import ChildProcesses
import FrameFastSystem
import Glibc
public import Logging
import SystemPackage

/// Small pictures of photos: made by a process of their own each, when somebody wants them, and kept.
///
/// The process has nothing but the open photo and the open file for its answer. One that dies over a photo twice makes it one
/// without a picture; nobody else notices.
public actor ShotPictures {
    /// How they are made and kept.
    public struct Settings: Sendable {
        /// Absolute path of `framefast-picture`.
        public var program: String
        /// Where they are kept.
        public var folder: String
        /// Bytes of all of them, at most.
        public var bytesMax: UInt64

        /// Longest time for one picture: more than the processor time that the program lets itself take.
        var timeMax: Duration = .seconds(30)

        /// Creates settings.
        public init(program: String, folder: String, bytesMax: UInt64 = 2_000_000_000) {
            self.program = program
            self.folder = folder
            self.bytesMax = bytesMax
        }
    }

    /// Why there is no answer now.
    public enum Failure: Error, Hashable, Sendable {
        /// Too many wait already, the computer has other things to do, or nobody waits for it any more.
        case busy
        /// The photo, or the picture's place, cannot be opened.
        case file(String)
        /// The process cannot be started.
        case program(String)
    }

    /// The size of contact sheets, in pixels: the only one that is kept.
    public static let sheetSide = 512
    /// Processes at a time: photos that come in go first.
    private static let running = 1
    /// Those that wait for one, at most.
    private static let waitingMax = 512
    /// How often a process may die over one photo.
    private static let deathsMax = 2
    /// Pictures between two looks at how much room all of them take.
    private static let roomEvery = 100

    private let settings: Settings
    private let cache: PictureCache
    private let logger: Logger
    private var atWork = 0
    private var waiting: [(turn: Int, starts: CheckedContinuation<Bool, Never>)] = []
    private var turns = 0
    private var shared: [String: Making] = [:]
    private var deaths: [String: Int] = [:]
    private var made = 0

    /// Pictures of photos.
    public init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        cache = PictureCache(folder: settings.folder, bytesMax: settings.bytesMax)
    }

    /// A picture that is being made, and how many wait for it.
    private struct Making {
        var task: Task<Result<MadePicture, Failure>, Never>
        var waiters: Int
    }

    /// The picture of a photo, from the cache or made now. The newest wish goes first. One that nobody waits for any more,
    /// because those who did were cancelled, is given up.
    ///
    /// - Parameter side: Its longest side in pixels; it is never larger than the photo.
    public func picture(of photo: PictureSource, side: Int = sheetSide) async throws(Failure) -> MadePicture {
        if let kept = cache.picture(of: photo.content, side: side) { return kept }
        let key = "\(photo.content)-\(side)"
        let task =
            shared[key]?.task
            ?? Task { () async -> Result<MadePicture, Failure> in
                do throws(Failure) { return .success(try await self.makeInTurn(photo, side)) } catch {
                    return .failure(error)
                }
            }
        shared[key, default: Making(task: task, waiters: 0)].waiters += 1
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task { await self.waitsNoMore(for: key, task) }
        }
        if shared[key]?.task == task { shared[key] = nil }
        return try result.get()
    }

    private func waitsNoMore(for key: String, _ task: Task<Result<MadePicture, Failure>, Never>) {
        guard shared[key]?.task == task, let waiters = shared[key]?.waiters else { return }
        shared[key]?.waiters = waiters - 1
        guard waiters <= 1 else { return }
        shared[key] = nil
        task.cancel()
    }

    private func makeInTurn(_ photo: PictureSource, _ side: Int) async throws(Failure) -> MadePicture {
        guard await takeTurn() else { throw .busy }
        defer { giveTurn() }
        while true {
            if let picture = try await make(photo, side) {
                deaths[photo.content] = nil
                made += 1
                if made % Self.roomEvery == 0 { _ = cache.makeRoom() }
                return picture
            }
            guard !Task.isCancelled else { throw .busy }
            deaths[photo.content, default: 0] += 1
            guard deaths[photo.content, default: 0] >= Self.deathsMax else { continue }
            deaths[photo.content] = nil
            logger.notice("no picture can be made of a photo", metadata: ["path": "\(photo.path)"])
            let none = MadePicture(none: .broken)
            if let part = try? cache.part(photo.content, side) {
                try? DurableFile.remove(part)
                try? DurableFile.write(none.bytes, new: part)
                cache.keep(part)
            }
            return none
        }
    }

    /// - Returns: `nil` when the process died, or was ended because nobody waits for it.
    /// - Throws: ``Failure/busy`` also when it took too long: it ends itself by the processor time that it takes, so the
    ///   computer had none for it.
    private func make(_ photo: PictureSource, _ side: Int) async throws(Failure) -> MadePicture? {
        let (input, output, part) = try open(photo, side)
        var start = ChildProcess.Start(
            program: settings.program, arguments: ["shot", "\(side)"], environment: [:],
            input: input, output: output)
        start.yields = true
        let child: ChildProcess
        do { child = try await ChildProcess.start(start) } catch { throw .program("\(error)") }
        let (end, isLate) = await withTaskGroup(of: Bool.self) { group in
            group.addTask { [timeMax = settings.timeMax] in
                let isLate = (try? await Task.sleep(for: timeMax)) != nil
                child.signal(SIGKILL)
                return isLate
            }
            let end = await child.end()
            group.cancelAll()
            return (end, await group.next() ?? false)
        }
        defer { try? DurableFile.remove(part) }
        if isLate { throw .busy }
        guard end == .exited(0), let file = try? FileReader(part),
            let bytes = try? file.read(at: 0, count: Int(clamping: file.size)),
            let picture = MadePicture(bytes)
        else { return nil }
        if side == Self.sheetSide || picture.outcome != .made { cache.keep(part) }
        return picture
    }

    private func open(
        _ photo: PictureSource, _ side: Int
    ) throws(Failure) -> (input: FileDescriptor, output: FileDescriptor, part: String) {
        let part: String
        do throws(SystemCallError) { part = try cache.part(photo.content, side) } catch {
            throw .file("\(error)")
        }
        let input = Glibc.open(photo.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard input >= 0 else { throw .file(String(cString: strerror(errno))) }
        let output = Glibc.open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard output >= 0 else {
            let reason = String(cString: strerror(errno))
            close(input)
            throw .file(reason)
        }
        return (FileDescriptor(rawValue: input), FileDescriptor(rawValue: output), part)
    }

    // MARK: Turns

    private func takeTurn() async -> Bool {
        if atWork < Self.running {
            atWork += 1
            return true
        }
        // Who waits longest looks at something else by now.
        if waiting.count >= Self.waitingMax { waiting.removeFirst().starts.resume(returning: false) }
        turns += 1
        let turn = turns
        return await withTaskCancellationHandler {
            await withCheckedContinuation { starts in
                guard !Task.isCancelled else { return starts.resume(returning: false) }
                waiting.append((turn, starts))
            }
        } onCancel: {
            Task { await self.giveUp(turn) }
        }
    }

    private func giveUp(_ turn: Int) {
        guard let index = waiting.firstIndex(where: { $0.turn == turn }) else { return }
        waiting.remove(at: index).starts.resume(returning: false)
    }

    private func giveTurn() {
        guard let next = waiting.popLast() else {
            atWork -= 1
            return
        }
        next.starts.resume(returning: true)
    }
}
