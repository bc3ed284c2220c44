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

    /// Where a photo is, and can be read from.
    enum Place {
        /// In a file.
        case file(ShelfFile)
        /// Only here, because there was no room on the disk.
        case memory([UInt8])
    }

    /// A photo that is to be taken through to the disk: it is in its file, for this process.
    private final class Job {
        let object: CameraObject
        var bytes: [UInt8]
        let file: ShelfFile
        let descriptor: Int32
        let announce: @Sendable () -> Void

        init(
            _ object: CameraObject, _ bytes: [UInt8], _ file: ShelfFile, descriptor: Int32,
            announce: @escaping @Sendable () -> Void
        ) {
            self.object = object
            self.bytes = bytes
            self.file = file
            self.descriptor = descriptor
            self.announce = announce
        }
    }

    private let monitor = Monitor()
    private var photos: [(object: CameraObject, place: Place)]
    private var job: Job?
    /// Memory of the last photo, for the next: pages that were touched before are written to much faster.
    private var spare: [UInt8] = []

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
        return monitor.look {
            photos.count >= Self.countMax
                || photos.reduce(0) { $0 &+ min($1.object.size, UInt64(Self.bytesMax)) }
                    >= UInt64(Self.bytesMax)
        }
    }
    /// The photos, in the order in which they came.
    var objects: [CameraObject] { monitor.look { photos.map(\.object) } }
    /// Photos that would be lost with this process.
    var countOnlyHere: Int {
        monitor.look { photos.count { if case .memory = $0.place { true } else { false } } }
    }

    /// Whether there is a photo of this name.
    func holds(_ name: String) -> Bool { monitor.look { photos.contains { $0.object.name == name } } }

    /// Room for a photo: no bytes, and where there was a photo before, its memory. Waits until that one is on the disk.
    func room() -> [UInt8] {
        settle()
        return monitor.look {
            var room: [UInt8] = []
            swap(&room, &spare)
            return room
        }
    }

    /// Whether there is memory to ``rest()`` from.
    var hasSpare: Bool { monitor.look { spare.capacity > 0 } }

    /// Gives back the memory that is kept for the next photo.
    func rest() { monitor.look { spare = [] } }

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
                photos.append((object, .file(file)))
                job = Job(object, bytes, file, descriptor: descriptor, announce: announce)
            }
        } catch {
            monitor.change { photos.append((object, .memory(bytes))) }
            tell(error)
            announce()
        }
    }

    /// Waits until what was put here is on the disk and announced.
    func settle() { monitor.wait { job == nil ? () : nil } }

    /// Where a photo is; `nil` when it is not here.
    func place(of name: String) -> Place? {
        monitor.look { photos.first { $0.object.name == name }?.place }
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
        do throws(ShelfFault) { try job.file.sync(job.descriptor) } catch {
            monitor.change {
                for index in photos.indices where photos[index].object == job.object {
                    photos[index].place = .memory(job.bytes)
                }
            }
            tell(error)
        }
        job.announce()
        monitor.change {
            job.bytes.removeAll(keepingCapacity: true)
            swap(&spare, &job.bytes)
            self.job = nil
        }
    }

    private func tell(_ fault: ShelfFault) {
        Log.line("cannot keep a photo from the camera's memory on the disk: \(fault.text)")
    }
}
