import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Store
import SystemPackage

/// The history of one folder: its manifests and their chain in `ascmhl`, on disk. Nothing in it is changed or replaced but the
/// chain, which grows.
///
/// Order of a generation: manifest in a part file, through to the disk → renamed without replacing → folder durable → chain in
/// a part file, through to the disk → in the place of the chain → folder durable. A crash between leaves a manifest that the
/// chain lacks: ``open(known:)`` completes it.
struct ManifestHistory: Sendable {
    /// A step of writing a generation that is done.
    enum Step: String, CaseIterable, Sendable {
        case manifestWritten, manifestNamed, manifestDurable, chainWritten, chainReplaced, chainDurable
    }

    /// What looks on, for tests: a step that is done, at which it may end the work, and a file that is read.
    struct Probe: Sendable {
        var step: @Sendable (Step) throws(SystemCallError) -> Void = { _ throws(SystemCallError) in }
        var read: @Sendable (String) -> Void = { _ in }
    }

    /// The name that the schema's tools look for.
    static let folderName = "ascmhl"
    static let chainName = "ascmhl_chain.xml"
    /// Ours, and no manifest for any tool.
    private static let manifestPart = ".framefast-manifest.part"
    private static let chainPart = ".framefast-chain.part"

    /// The folder that has the history.
    let root: String
    let probe: Probe

    init(root: String, probe: Probe = Probe()) {
        self.root = root
        self.probe = probe
    }

    /// The folder with manifests and chain.
    var folder: String { root + "/" + Self.folderName }
    private var chainPath: String { folder + "/" + Self.chainName }

    /// Whether there is one, whole or not.
    var exists: Bool { DurableFile.isFolder(folder) }

    /// Reads the chain, after a generation was completed that it lacks.
    ///
    /// - Parameter known: the generations that the ledger has taken in.
    /// - Returns: an empty chain where there is no history.
    func open(known: [LedgerStore.ManifestGeneration]) throws(ManifestFault) -> ManifestChain {
        guard exists else { return ManifestChain() }
        let orphans = try manifestNames()
        guard DurableFile.exists(chainPath) else {
            // The first generation, cut short, is ours; anything else was a history with its chain.
            guard known.isEmpty, orphans.allSatisfy({ $0.number == 1 }), orphans.count <= 1 else {
                throw .chainGone(folder: folder)
            }
            return try orphans.isEmpty ? ManifestChain() : complete(ManifestChain(), orphans[0])
        }
        let chain = try chain().chain
        let byNumber = Dictionary(chain.generations.map { ($0.number, $0) }) { first, _ in first }
        guard known.allSatisfy({ byNumber[$0.number] == $0 }) else { throw .chainReplaced(folder: folder) }
        guard let orphan = orphans.first(where: { $0.number == chain.last + 1 }) else { return chain }
        return try complete(chain, orphan)
    }

    /// The chain as it is, with the manifests that it names: these are there as long as it is.
    func chain() throws(ManifestFault) -> (bytes: [UInt8], chain: ManifestChain) {
        guard DurableFile.exists(chainPath) else { throw .chainGone(folder: folder) }
        let bytes = try read(chainPath, max: ManifestChain.bytesMax)
        return (bytes, try ManifestChain(bytes))
    }

    /// Reads a manifest of the chain, which must be the one that the chain names.
    func records(of generation: LedgerStore.ManifestGeneration) throws(ManifestFault) -> [Manifest.Record] {
        let path = folder + "/" + generation.name
        guard DurableFile.exists(path) else { throw .manifestGone(name: generation.name) }
        let bytes = try read(path, max: ManifestReader.bytesMax)
        guard C4ID.text(of: bytes) == generation.c4 else { throw .manifestEdited(name: generation.name) }
        return try ManifestReader.read(bytes).records
    }

    /// Writes the next generation, durably.
    ///
    /// - Returns: the generation.
    func append(
        _ manifest: Manifest, to chain: ManifestChain
    ) throws(ManifestFault) -> LedgerStore.ManifestGeneration {
        let bytes = manifest.xml
        let number = chain.last + 1
        let name = Manifest.fileName(
            generation: number,
            folder: SafeName.cut(
                FilePath(root).lastComponent?.string ?? "photos", toBytes: SafeName.maximumBytes),
            at: manifest.createdAt)
        do throws(SystemCallError) {
            try DurableFile.createFolder(folder)
            let part = folder + "/" + Self.manifestPart
            try DurableFile.remove(part)
            try DurableFile.write(bytes, new: part)
            try probe.step(.manifestWritten)
            guard try DurableFile.publish(part, as: folder + "/" + name) else {
                throw SystemCallError(call: "name", subject: folder + "/" + name, errno: .fileExists)
            }
            try probe.step(.manifestNamed)
            try DurableFile.syncFolder(folder)
            try probe.step(.manifestDurable)
        } catch { throw .system(error) }
        let generation = LedgerStore.ManifestGeneration(number: number, name: name, c4: C4ID.text(of: bytes))
        try enter(generation, in: chain)
        return generation
    }

    /// A manifest got its name, and the service ended before the chain had it.
    private func complete(
        _ chain: ManifestChain, _ orphan: (number: Int, name: String)
    ) throws(ManifestFault) -> ManifestChain {
        let bytes = try read(folder + "/" + orphan.name, max: ManifestReader.bytesMax)
        guard try ManifestReader.read(bytes).tool == Manifest.tool else { return chain }
        do throws(SystemCallError) { try DurableFile.syncFolder(folder) } catch { throw .system(error) }
        let generation = LedgerStore.ManifestGeneration(
            number: orphan.number, name: orphan.name, c4: C4ID.text(of: bytes))
        try enter(generation, in: chain)
        return ManifestChain(chain.generations + [generation])
    }

    /// Puts a chain with one more generation in the place of the chain.
    private func enter(
        _ generation: LedgerStore.ManifestGeneration, in chain: ManifestChain
    ) throws(ManifestFault) {
        let part = folder + "/" + Self.chainPart
        do throws(SystemCallError) {
            try DurableFile.remove(part)
            try DurableFile.write(ManifestChain(chain.generations + [generation]).xml, new: part)
            try probe.step(.chainWritten)
            try DurableFile.replace(chainPath, with: part)
            try probe.step(.chainReplaced)
            try DurableFile.syncFolder(folder)
            try probe.step(.chainDurable)
        } catch { throw .system(error) }
    }

    /// The manifests in the folder, by their numbers.
    private func manifestNames() throws(ManifestFault) -> [(number: Int, name: String)] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .system(SystemCallError(call: "list", subject: folder, errno: .ioError))
        }
        return names.compactMap { name in Manifest.generation(ofFile: name).map { ($0, name) } }
            .sorted { $0.0 < $1.0 }
    }

    private func read(_ path: String, max: UInt64) throws(ManifestFault) -> [UInt8] {
        probe.read(path)
        do throws(SystemCallError) {
            let file = try FileReader(path)
            guard file.size <= max else {
                throw SystemCallError(call: "read", subject: path, errno: .fileTooLarge)
            }
            return try file.read(at: 0, count: Int(file.size))
        } catch { throw .system(error) }
    }
}
