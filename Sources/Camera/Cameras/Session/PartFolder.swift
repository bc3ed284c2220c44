import FrameFastSystem
import Glibc
import SystemPackage
import WorkerProtocol

/// The folder into which one worker writes its transfers. Besides the worker's home, it is the only folder
/// that the sandbox lets the worker write to.
///
/// A complete photo is moved out of this folder before it is checked. So neither this worker nor another can
/// change a photo that is checked and published.
public struct PartFolder: Hashable, Sendable {
    /// The name of the folder that holds the folders of all workers. It is next to the incoming folder.
    private static let name = "workers"

    /// The path of the folder.
    let path: String
    /// The folder for parts that were taken over.
    private let incoming: String

    /// - Parameters:
    ///   - name: The name of the camera's folder.
    ///   - incoming: The folder for parts that were taken over.
    init(named name: String, incoming: String) {
        self.incoming = incoming
        path = "\(Self.root(incoming: incoming))/\(name)"
    }

    /// Returns the folder that holds the folders of all workers.
    public static func root(incoming: String) -> String { "\(DurableFile.parent(of: incoming))/\(name)" }

    /// Creates the folder if the incoming folder exists. If the disk is missing, nothing is created.
    func create() throws(SystemCallError) {
        guard !DurableFile.isFolder(path) else { return }
        guard DurableFile.isFolder(incoming) else {
            throw SystemCallError(call: "make", subject: path, errno: .noSuchFileOrDirectory)
        }
        try DurableFile.createFolder(path)
    }

    /// Deletes the files of an earlier worker. They were not taken over, so they are transferred again.
    func removeFiles() {
        for name in (try? FolderReader.names(in: path)) ?? [] { try? DurableFile.remove("\(path)/\(name)") }
    }

    /// Returns the path to which the worker writes the photo for `part`.
    func workerPath(for part: String) -> String { "\(path)/\(part.split(separator: "/").last ?? "part")" }

    /// Moves a complete photo out of the worker's reach.
    ///
    /// The sandbox keeps the worker from opening the file at its new place, but the worker may still have it
    /// open. In that case the photo is refused. If the file system can't report writers, the photo is copied.
    ///
    /// - Parameter writers: A function that returns whether an open file has writers.
    /// - Throws: ``PartFolderError``; the photo is deleted in that case.
    func takeOver(
        to part: String, writers: (_ descriptor: Int32) -> FileWriters = FileWriters.of
    ) throws(PartFolderError) {
        let source = workerPath(for: part)
        do throws(SystemCallError) {
            guard try DurableFile.publish(source, as: part) else {
                throw SystemCallError(call: "rename to", subject: part, errno: .fileExists)
            }
        } catch {
            // Otherwise the file would block the next attempt.
            try? DurableFile.remove(source)
            throw .cannotMove(error)
        }
        do throws(PartFolderError) { try verifyOwnership(part, writers) } catch {
            try? DurableFile.remove(part)
            throw error
        }
    }

    private func verifyOwnership(_ part: String, _ writers: (Int32) -> FileWriters) throws(PartFolderError) {
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
                try DurableFile.replaceWithCopy(part, by: Self.copyPath(of: part), from: descriptor)
            } catch {
                throw .cannotMove(error)
            }
        }
    }

    /// Returns the path for the copy of a part. A restarted daemon treats it as a part file of an earlier
    /// run.
    private static func copyPath(of part: String) -> String {
        let path = FilePath(part)
        return path.removingLastComponent()
            .appending("\(path.stem ?? "")copy.\(path.extension ?? "part")").string
    }
}

/// An error of taking over a photo.
enum PartFolderError: Error, Hashable, Sendable {
    /// A system call failed.
    case cannotMove(SystemCallError)
    /// The worker can still change the file, or it is not a regular file.
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
