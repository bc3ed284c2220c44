import FrameFastSystem
import Glibc
import SystemPackage
import WorkerProtocol

/// The folder in which one worker's photos grow: the only one, beside its home, that its sandbox lets it write to.
///
/// A photo that came whole is taken out of it, and looked at then: what is checked and published can be changed by no
/// worker any more, neither this one nor another.
public struct PartFolder: Hashable, Sendable {
    /// Name of the folder that holds those of all workers, beside that of the parts which were taken over.
    private static let name = "workers"

    /// Its path.
    let path: String
    /// Where parts are taken to.
    private let incoming: String

    /// - Parameters:
    ///   - name: Of the camera's folder.
    ///   - incoming: The folder of the parts that were taken over.
    init(named name: String, incoming: String) {
        self.incoming = incoming
        path = "\(Self.all(incoming: incoming))/\(name)"
    }

    /// The folder that holds those of all workers.
    public static func all(incoming: String) -> String { "\(DurableFile.parent(of: incoming))/\(name)" }

    /// Makes it where the capture directory has its folders: on a disk that is away nothing is made.
    func make() throws(SystemCallError) {
        guard !DurableFile.isFolder(path) else { return }
        guard DurableFile.isFolder(incoming) else {
            throw SystemCallError(call: "make", subject: path, errno: .noSuchFileOrDirectory)
        }
        try DurableFile.createFolder(path)
    }

    /// Removes what an earlier worker left. Nothing of it was taken over, so it is fetched again.
    func clear() {
        for name in (try? FolderReader.names(in: path)) ?? [] { try? DurableFile.remove("\(path)/\(name)") }
    }

    /// Where the worker lets a photo grow that is taken to `part` when it is whole.
    func growing(_ part: String) -> String { "\(path)/\(part.split(separator: "/").last ?? "part")" }

    /// Takes a whole photo out of the worker's reach.
    ///
    /// The sandbox keeps the worker from opening it where it is now. It may have it open still: the photo is not taken
    /// then, and where the file system cannot tell, a copy of it is.
    ///
    /// - Parameter writers: Whether a file that is open for reading has writers.
    /// - Throws: ``PartFolderError``; the photo is gone then.
    func takeOver(
        to part: String, writers: (_ descriptor: Int32) -> FileWriters = FileWriters.of
    ) throws(PartFolderError) {
        let source = growing(part)
        do throws(SystemCallError) {
            guard try DurableFile.publish(source, as: part) else {
                throw SystemCallError(call: "rename to", subject: part, errno: .fileExists)
            }
        } catch {
            // Otherwise it would be in the way of the next attempt.
            try? DurableFile.remove(source)
            throw .cannotMove(error)
        }
        do throws(PartFolderError) { try own(part, writers) } catch {
            try? DurableFile.remove(part)
            throw error
        }
    }

    private func own(_ part: String, _ writers: (Int32) -> FileWriters) throws(PartFolderError) {
        let descriptor = open(part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .heldByWorker }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1 else {
            throw .heldByWorker
        }
        switch writers(descriptor) {
        case .none: return
        case .some: throw .heldByWorker
        case .unknown:
            do throws(SystemCallError) {
                try DurableFile.renew(part, by: Self.copying(part), from: descriptor)
            } catch {
                throw .cannotMove(error)
            }
        }
    }

    /// Where the copy of a part grows; at the next start it is a part file of another run.
    private static func copying(_ part: String) -> String {
        let path = FilePath(part)
        return path.removingLastComponent()
            .appending("\(path.stem ?? "")copy.\(path.extension ?? "part")").string
    }
}

/// Why a photo cannot be taken over.
enum PartFolderError: Error, Hashable, Sendable {
    /// The host refused.
    case cannotMove(SystemCallError)
    /// The worker kept a way to change it, or it is no file.
    case heldByWorker
}

extension PartFolderError: CustomStringConvertible {
    var description: String {
        switch self {
        case .cannotMove(let reason): "\(reason)"
        case .heldByWorker: "the worker can still change the photo"
        }
    }
}
