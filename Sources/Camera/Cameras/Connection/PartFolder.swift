import FrameFastSystem
import Glibc
import SystemPackage

/// The folder into which one worker writes its transfers. The sandbox allows the worker to write only to this
/// folder and to its home folder.
///
/// The daemon moves a complete photo out of this folder before checking the photo. No worker can then change
/// a photo that was checked and published.
public struct PartFolder: Hashable, Sendable {
    /// The name of the folder that contains the folders of all workers. This folder is next to the incoming
    /// folder.
    private static let name = "workers"

    /// The path of the folder.
    let path: String
    /// The folder to which complete part files are moved.
    private let incoming: String

    /// - Parameters:
    ///   - name: The name of the camera's folder.
    ///   - incoming: The folder to which complete part files are moved.
    init(named name: String, incoming: String) {
        self.incoming = incoming
        path = "\(Self.root(incoming: incoming))/\(name)"
    }

    /// Returns the folder that contains the folders of all workers.
    public static func root(incoming: String) -> String { "\(DurableFile.parent(of: incoming))/\(name)" }

    /// Creates the folder if the incoming folder exists. The incoming folder is missing while the disk is not
    /// mounted.
    func create() throws(SystemCallError) {
        guard !DurableFile.isFolder(path) else { return }
        guard DurableFile.isFolder(incoming) else {
            throw SystemCallError(call: "make", subject: path, errno: .noSuchFileOrDirectory)
        }
        try DurableFile.createFolder(path)
    }

    /// Deletes the files of an earlier worker. These photos were not taken over and are transferred again.
    func removeFiles() {
        for name in (try? FolderReader.names(in: path)) ?? [] { try? DurableFile.remove("\(path)/\(name)") }
    }

    /// Returns the path to which the worker writes the photo of `part`.
    func workerPath(for part: String) -> String { "\(path)/\(part.split(separator: "/").last ?? "part")" }

    /// Moves a complete photo to a path that the worker can't access.
    ///
    /// The sandbox prevents the worker from opening the file at its new path. This method refuses the photo
    /// if the worker still has the file open for writing. It copies the photo if the file system can't report
    /// writers.
    ///
    /// - Parameter writers: A function that returns whether an open file has writers.
    /// - Throws: ``PartFolderError``. The photo is then deleted.
    func takeOver(
        to part: String, writers: (_ descriptor: Int32) -> FileWriters = FileWriters.of
    ) throws(PartFolderError) {
        let source = workerPath(for: part)
        do throws(SystemCallError) {
            guard try DurableFile.publish(source, as: part) else {
                throw SystemCallError(call: "rename to", subject: part, errno: .fileExists)
            }
        } catch {
            // Removes the file, because it would block the next attempt.
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

    /// Returns the path for the copy of a part file. A restarted daemon treats the copy as a part file of an
    /// earlier run.
    private static func copyPath(of part: String) -> String {
        let path = FilePath(part)
        return path.removingLastComponent()
            .appending("\(path.stem ?? "")copy.\(path.extension ?? "part")").string
    }
}

/// An error that occurred while taking over a photo.
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
