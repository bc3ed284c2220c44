import FrameFastModel
import PlainThreads

/// Photos that came over from the camera's memory with their event and lie in this worker's home until the daemon has
/// them.
///
/// The library keeps them as well, but forgets them when it likes (an ObjectRemoved event empties its cache), and the
/// camera has none any more. So they are on the disk before the daemon hears of them, and outlive the session and the
/// worker: the next one finds them here. While the shelf is full the camera is not asked for more: the rest waits there.
///
/// The disk takes as long as some questions to the camera. So a thread of its own waits for it, while the driver thread
/// asks the camera what is next; the next photo leaves the camera only when this one is through (``settle()``).
final class MemoryShelf: @unchecked Sendable {
    // What is marked so is the driver thread's, everything else that changes is touched under the monitor's lock.

    /// Photos at most.
    static let countMax = 16
    /// Bytes after which nothing more is taken; one photo may go beyond it (see ``Confinement/dataLimit``).
    static let bytesMax = 128 * 1_024 * 1_024

    /// Where a photo is.
    private enum Place {
        /// In a file.
        case file(ShelfFile)
        /// In a file that is on its way to the disk.
        case underWay([UInt8])
        /// Only here, because there was no room on the disk.
        case memory([UInt8])
    }

    /// A photo that is to be taken through to the disk.
    private struct Job {
        var object: CameraObject
        var bytes: [UInt8]
        var file: ShelfFile
        var descriptor: Int32
        var announce: @Sendable () -> Void
    }

    private let monitor = Monitor()
    private var photos: [(object: CameraObject, place: Place)]
    private var job: Job?

    /// For the driver thread.
    private let home = WorkerPlace.home
    private var number: Int
    private var hasThread = false

    /// The worker ends soon, and the camera's memory with its session: everything that waits there is taken, as long as
    /// the disk takes it. For the driver thread.
    var takesAll = false

    /// Finds what earlier workers left.
    init() {
        let found = ShelfFile.find(in: home)
        number = found.last
        photos = found.photos.map { ($0.object, .file($0.file)) }
    }

    /// Whether the camera must wait.
    var isFull: Bool {
        if takesAll { return countOnlyHere > 0 }
        return monitor.change {
            photos.count >= Self.countMax
                || photos.reduce(0) { $0 &+ min($1.object.size, UInt64(Self.bytesMax)) }
                    >= UInt64(Self.bytesMax)
        }
    }
    /// The photos, in the order in which they came.
    var objects: [CameraObject] { monitor.change { photos.map(\.object) } }
    /// Photos that would be lost with this process.
    var countOnlyHere: Int {
        monitor.change { photos.count { if case .memory = $0.place { true } else { false } } }
    }

    /// Whether there is a photo of this name.
    func holds(_ name: String) -> Bool { monitor.change { photos.contains { $0.object.name == name } } }

    /// Takes a photo.
    ///
    /// - Parameter announce: called on any thread when it is through to the disk, or cannot be.
    func put(_ object: CameraObject, _ bytes: [UInt8], announce: @escaping @Sendable () -> Void) {
        settle()
        number += 1
        do throws(ShelfFault) {
            let (file, descriptor) = try ShelfFile.write(object, bytes, number: number, in: home)
            startThread()
            monitor.change {
                photos.append((object, .underWay(bytes)))
                job = Job(
                    object: object, bytes: bytes, file: file, descriptor: descriptor, announce: announce)
            }
        } catch {
            monitor.change { photos.append((object, .memory(bytes))) }
            tell(error)
            announce()
        }
    }

    /// Waits until what was put here is on the disk and announced.
    func settle() { monitor.wait { job == nil ? () : nil } }

    /// Hands out a photo's bytes in pieces of at most `buffer`, until `receive` says false.
    ///
    /// - Returns: why it cannot; `nil` when it was handed out.
    func read(
        _ name: String, by buffer: UnsafeMutableRawBufferPointer,
        _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> String? {
        switch monitor.change({ photos.first { $0.object.name == name }?.place }) {
        case nil: return "the photo is not in the camera's memory any more"
        case .file(let file): return file.read(by: buffer, receive)
        case .memory(let bytes), .underWay(let bytes):
            bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    guard receive(UnsafeRawBufferPointer(rebasing: rest.prefix(buffer.count))) else { return }
                    rest = rest.dropFirst(buffer.count)
                }
            }
            return nil
        }
    }

    /// Gives a photo up.
    func remove(_ name: String) {
        settle()
        let removed = monitor.change {
            let removed = photos.filter { $0.object.name == name }
            photos.removeAll { $0.object.name == name }
            return removed
        }
        for photo in removed {
            if case .file(let file) = photo.place { file.remove() }
        }
    }

    // MARK: The thread that waits for the disk

    private func startThread() {
        guard !hasThread else { return }
        hasThread = true
        PlainThread.startOrExit("shelf") { [self] in
            while true { take(monitor.wait { job }) }
        }
    }

    private func take(_ job: Job) {
        var place = Place.file(job.file)
        do throws(ShelfFault) { try job.file.sync(job.descriptor) } catch {
            place = .memory(job.bytes)
            tell(error)
        }
        monitor.change {
            for index in photos.indices where photos[index].object == job.object {
                photos[index].place = place
            }
        }
        job.announce()
        monitor.change { self.job = nil }
    }

    private func tell(_ fault: ShelfFault) {
        Log.line("cannot keep a photo from the camera's memory on the disk: \(fault.text)")
    }
}
