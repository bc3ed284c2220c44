import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import TestRig
import Testing

@testable import Cameras
@testable import CaptureEngine
@testable import Store

/// A capture directory whose photos get sidecars: what publishes them, what keeps them up, and what mends after a crash.
final class SidecarBed: Sendable {
    static let camera: BodyID = "a"

    let scratch: ScratchFolder
    let settings: CaptureSettings
    let ledger: LedgerStore
    let folders: WorkFolders
    let parts: PartFiles
    let health = HealthBoard { _ in }
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init(_ xmp: XMPNaming, json: Bool = false) throws {
        scratch = try ScratchFolder()
        settings = CaptureSettings(
            directory: scratch.path("photos"), template: try NamingTemplate("{original}.{ext}"),
            minFreeBytes: 0, pairSettleSeconds: 2, existing: .fetch,
            folderMemory: scratch.path("capture-folder"),
            sidecars: SidecarPolicy(xmp: xmp, writesJSON: json, host: "rig"))
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        folders = try WorkFolders(settings)
        folders.repaired()
        parts = PartFiles(folder: settings.incomingFolder)
    }

    var files: SidecarFiles {
        SidecarFiles(
            policy: settings.sidecars, ledger: ledger, parts: parts, isAway: { false }, logger: logger)
    }
    var keeper: SidecarService { SidecarService(files: files, health: health) }

    /// Publishes photos that have just come in, one after the other.
    ///
    /// - Parameter names: On the card; the bytes are made of them.
    @discardableResult
    func publish(_ names: [String], _ text: String = "a photo") async throws -> [CaptureRecord] {
        var records: [CaptureRecord] = []
        for name in names { records += await publish([try await arrive(name, text)]) }
        return records
    }

    /// Publishes photos whose bytes are here.
    @discardableResult
    func publish(_ items: [Publisher.Item]) async -> [CaptureRecord] {
        let publisher = Publisher(
            ledger: ledger, settings: settings, folders: folders, naming: CaptureNaming(settings: settings),
            concern: LedgerConcern(health: health), sidecars: files, logger: logger)
        return await withTaskGroup { group in
            group.addTask { try? await publisher.run() }
            var records: [CaptureRecord] = []
            for item in items {
                guard case .saved(let record) = await publisher.publish(item) else {
                    Issue.record("\(item.name) is not saved")
                    continue
                }
                records.append(record)
            }
            group.cancelAll()
            return records
        }
    }

    /// A photo whose bytes are here.
    func arrive(_ name: String, _ text: String = "a photo") async throws -> Publisher.Item {
        let bytes = Array("\(text) \(name)".utf8)
        let object = CameraObject(
            folder: "/DCIM/1", name: name, size: UInt64(bytes.count), cameraTime: 1_795_271_130)
        let seen = try await ledger.recordSeen([object], camera: Self.camera, session: nil, at: Date())
        let id = try #require(seen.first?.id)
        try Data(bytes).write(to: URL(filePath: parts.path(id)))
        return Publisher.Item(
            arrival: .init(
                id: id, bytes: UInt64(bytes.count), sha256: PhotoHash.sha256(of: bytes), transferMs: 1),
            name: name,
            partPath: parts.path(id), expectedBytes: UInt64(bytes.count))
    }

    /// Where a photo is in the ledger that was killed while it got its name.
    func killedWhileNamed(_ name: String, _ path: String? = nil) async throws -> Publisher.Item {
        let item = try await arrive(name)
        let path = path ?? photo(name)
        _ = try await ledger.beginPublishing(
            [item.arrival],
            naming: .init(counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2))
        return item
    }

    /// What the next start does.
    func repair() async throws -> StartupRepair.Remains {
        try await StartupRepair(
            ledger: ledger, parts: PartFiles(folder: parts.folder), directory: settings.directory,
            sidecars: files, logger: logger
        ).run()
    }

    func rate(_ record: CaptureRecord, stars: Int?, pick: Bool? = nil) async throws {
        _ = try await ledger.rate(
            record.shotID, by: .init(id: "", name: "owner", isOwner: true), at: Date()
        ) { ($0.stars, $0.pick) = (stars, pick) }
    }

    func photo(_ name: String) -> String { settings.directory + "/" + name }

    /// Names of all that lies there for people.
    var names: Set<String> {
        get throws {
            Set(try FolderReader.names(in: settings.directory).filter { !$0.hasPrefix(".") })
        }
    }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: photo(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    func write(_ text: String, _ name: String) throws {
        try text.write(toFile: photo(name), atomically: false, encoding: .utf8)
    }

    var conditions: [Condition] { health.current }
}

extension SidecarFiles {
    /// Where photos get nothing beside them.
    static func none(_ ledger: LedgerStore, _ parts: PartFiles) -> SidecarFiles {
        SidecarFiles(
            policy: nil, ledger: ledger, parts: parts, isAway: { false },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}
