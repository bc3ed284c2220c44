import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Synchronization
import SystemPackage
import TestRig
import Testing

@testable import Cameras
@testable import CaptureEngine
@testable import Store

/// Tests of publishing received photos.
@Suite(.blocking) struct PublisherTests {
    private static let bytes = Data("a photo".utf8)
    private static let others = Data("somebody's".utf8)
    private static let camera: BodyID = "a"

    private let scratch: ScratchFolder
    private let settings: CaptureSettings
    private let ledger: LedgerStore
    private let statements = StatementCount()
    private let folders: WorkFolders
    private let parts: PartFiles

    init() async throws {
        scratch = try ScratchFolder()
        settings = CaptureSettings(
            directory: scratch.path("photos"), template: try NamingTemplate("{camera}/{original}.{ext}"),
            minFreeBytes: 0, pairSettleSeconds: 0, existing: .fetch,
            folderRecordPath: scratch.path("capture-folder"))
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"), onStatement: statements.record)
        folders = try WorkFolders(settings)
        folders.markRepaired()
        parts = PartFiles(folder: settings.incomingFolder, clock: .system)
    }

    @Test func `a new template applies only to later naming policies`() async throws {
        let naming = CaptureNaming(settings: settings)
        let item = try await arrived("A.XML")
        let record = try #require(try await ledger.capture(id: item.arrival.id))
        let before = naming.policy
        naming.setTemplate(try NamingTemplate("{counter}/{original}.{ext}"))
        #expect(before.path(record, 7) == "\(settings.directory)/\(Self.camera)/A.xml")
        #expect(naming.policy.path(record, 7) == "\(settings.directory)/7/A.xml")
        #expect(before.counterScope(record) != naming.policy.counterScope(record))
    }

    private func publisher(_ sync: DiskSync = DiskSync(), _ folders: WorkFolders? = nil) -> Publisher {
        Publisher(
            ledger: ledger, settings: settings, folders: folders ?? self.folders,
            naming: CaptureNaming(settings: settings),
            ledgerCondition: LedgerCondition(conditionBoard: ConditionBoard { _ in }), sync: sync,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: .system)
    }

    private static func sha256(_ bytes: Data) -> String {
        SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }

    /// Records a photo with this name in the ledger and writes its part file.
    private func arrived(_ name: String, folder: String = "/DCIM/1", _ bytes: Data = bytes) async throws
        -> Publisher.Item
    {
        let object = CameraObject(folder: folder, name: name, size: UInt64(bytes.count), cameraTime: 1)
        let seen = try await ledger.recordSeen([object], camera: Self.camera, session: nil, at: Date())
        let id = try #require(seen.first?.id)
        try bytes.write(to: URL(filePath: parts.path(id)))
        return Publisher.Item(
            arrival: .init(
                id: id, bytes: UInt64(bytes.count), sha256: Self.sha256(bytes), transferMs: 1), name: name,
            partPath: parts.path(id), expectedBytes: UInt64(bytes.count))
    }

    /// Publishes photos in one round and returns the results.
    private func outcomes(_ items: [Publisher.Item], _ sync: DiskSync = DiskSync()) async throws
        -> [Publisher.Outcome]
    {
        let publisher = publisher(sync)
        return await withTaskGroup { group in
            var pending: [AsyncResult<Publisher.Outcome>] = []
            for item in items { pending.append(await publisher.enqueue(item)) }
            group.addTask { _ = try? await publisher.run() }
            var outcomes: [Publisher.Outcome] = []
            for outcome in pending { outcomes.append(await outcome.wait()) }
            group.cancelAll()
            return outcomes
        }
    }

    private func final(_ name: String) -> String { "\(settings.directory)/\(Self.camera)/\(name)" }

    private func put(_ bytes: Data, _ name: String) throws {
        try DurableFile.createFolder(DurableFile.parent(of: final(name)))
        try bytes.write(to: URL(filePath: final(name)))
    }

    /// Returns all published files by name.
    private func published() -> [String: Data] {
        let folder = "\(settings.directory)/\(Self.camera)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data())
            })
    }

    private func state(_ item: Publisher.Item) async throws -> CaptureRecord.State? {
        try await ledger.capture(id: item.arrival.id)?.state
    }

    @Test func `publishes to a free name and records the path`() async throws {
        let item = try await arrived("A.XML")
        guard case .saved(let record) = try await outcomes([item])[0] else {
            Issue.record("the photo was not saved")
            return
        }
        #expect(record.path == final("A.xml") && published() == ["A.xml": Self.bytes])
        #expect(!DurableFile.exists(item.partPath))
        #expect(try await ledger.capture(id: record.id)?.path == record.path)
    }

    /// A person may move a folder to another disk, and put a symbolic link in its place.
    @Test(arguments: ["photos", "photos/a"])
    func `publishes through a symbolic link to a folder`(link: String) async throws {
        try DurableFile.createFolder(scratch.path("photos/a"))
        try FileManager.default.moveItem(atPath: scratch.path(link), toPath: scratch.path("moved"))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path(link), withDestinationPath: scratch.path("moved"))
        let item = try await arrived("A.XML")
        guard case .saved = try await outcomes([item])[0] else {
            Issue.record("the photo was not saved")
            return
        }
        #expect(published() == ["A.xml": Self.bytes])
    }

    @Test(arguments: [1, 2, 12])
    func `adds the first free suffix to a name that is in use`(taken: Int)
        async throws
    {
        let names = ["A.xml"] + (2..<20).map { "A-\($0).xml" }
        for name in names.prefix(taken) { try put(Self.others, name) }
        let item = try await arrived("A.XML")
        guard case .saved(let record) = try await outcomes([item])[0] else {
            Issue.record("the photo was not saved")
            return
        }
        #expect(record.path == final(names[taken]))
        #expect(try await ledger.capture(id: record.id)?.path == record.path)
        var all = Dictionary(uniqueKeysWithValues: names.prefix(taken).map { ($0, Self.others) })
        all[names[taken]] = Self.bytes
        #expect(published() == all)
    }

    @Test func `publishing fails if the photo's folder cannot be created`()
        async throws
    {
        let obstacle = "\(settings.directory)/\(Self.camera)"
        try Self.others.write(to: URL(filePath: obstacle))
        let item = try await arrived("A.XML")
        guard case .failed(let error) = try await outcomes([item])[0] else {
            Issue.record("not reported as failed")
            return
        }
        #expect(error.errno == .notDirectory && error.subject == obstacle)
        #expect(FileManager.default.contents(atPath: obstacle) == Self.others)
        #expect(try await state(item) == .seen)
        #expect(try await ledger.capture(id: item.arrival.id)?.path == nil)
    }

    @Test(arguments: RefusingDisk.allCases)
    func `does not save or name a photo before fsync succeeds`(
        disk: RefusingDisk
    )
        async throws
    {
        let item = try await arrived("A.XML")
        guard case .failed(let error) = try await outcomes([item], disk.sync)[0] else {
            Issue.record("not reported as failed")
            return
        }
        #expect(error.call == "fsync" && error.errno == .ioError)
        #expect(published() == [:] && !DurableFile.exists(item.partPath))
        #expect(try await state(item) == .seen)
        try Self.bytes.write(to: URL(filePath: item.partPath))
        guard case .saved = try await outcomes([item])[0] else {
            Issue.record("the photo was not saved")
            return
        }
        #expect(published() == ["A.xml": Self.bytes])
    }

    /// A lost wake-up may prevent the stop in only one of several dozen runs.
    @Test func `stops when its task is cancelled, in each of 100 runs`() async throws {
        for number in 1...100 {
            let item = try await arrived("A.XML", folder: "/DCIM/\(number)")
            guard case .failed = try await outcomes([item], RefusingDisk.bytes.sync)[0] else {
                Issue.record("not reported as failed")
                return
            }
        }
    }

    @Test func `saves one of several duplicates, in one round or in several rounds`() async throws {
        let items = [
            try await arrived("A.XML"), try await arrived("A.XML", folder: "/DCIM/2"),
        ]
        let late = try await arrived("A.XML", folder: "/DCIM/3")
        let outcomes = try await outcomes(items) + outcomes([late])
        let saved = outcomes.filter { if case .saved = $0 { true } else { false } }
        let duplicates = outcomes.filter { if case .duplicate = $0 { true } else { false } }
        #expect(saved.count == 1 && duplicates.count == 2)
        #expect(published() == ["A.xml": Self.bytes])
        for item in items + [late] { #expect(!DurableFile.exists(item.partPath)) }
    }

    /// If the startup repair cannot read an original's file, the original stays in state `publishing`.
    @Test func `removes a duplicate's part file while the original is being published`() async throws {
        let original = try await arrived("A.XML")
        let planned = try await ledger.beginPublishing(
            [original.arrival], naming: CaptureNaming(settings: settings).policy)
        #expect(planned.map(\.state) == [.publishing])
        let copy = try await arrived("A.XML", folder: "/DCIM/2")
        guard case .unrecorded = try await outcomes([copy])[0] else {
            Issue.record("not reported as unrecorded")
            return
        }
        #expect(!DurableFile.exists(copy.partPath))
        #expect(DurableFile.exists(original.partPath), "[loss] the original's part file was deleted")
        #expect(try await state(copy) == .seen)
    }

    @Test func `removes the part file of a photo that arrives after the publisher stopped`() async throws {
        let publisher = publisher()
        let run = Task { try await publisher.run() }
        run.cancel()
        try await run.value
        let item = try await arrived("A.XML")
        guard case .unrecorded = await publisher.enqueue(item).wait() else {
            Issue.record("not reported as unrecorded")
            return
        }
        #expect(!DurableFile.exists(item.partPath))
        #expect(try await state(item) == .seen)
    }

    @Test(arguments: [1, 20])
    func `uses two commits and one folder sync per round`(photos: Int)
        async throws
    {
        var items: [Publisher.Item] = []
        for number in 1...photos {
            items.append(try await arrived("P\(number).XML", Data("photo \(number)".utf8)))
        }
        // The first photo makes the folder durable.
        try await #require(outcomes([arrived("A.XML")]).count == 1)
        let syncs = Mutex((files: 0, folders: 0))
        let sync = DiskSync(
            file: { _ in syncs.withLock { $0.files += 1 } },
            folder: { _ in syncs.withLock { $0.folders += 1 } })
        let before = statements.commits
        let outcomes = try await outcomes(items, sync)
        #expect(outcomes.count { if case .saved = $0 { true } else { false } } == photos)
        #expect(statements.commits - before == 2)
        #expect(syncs.withLock(\.files) == photos && syncs.withLock(\.folders) == 1)
    }

    @Test func `syncs bytes before the rename and the folder before recording saved`() async throws {
        let item = try await arrived("A.XML")
        let path = final("A.xml")
        let steps = Mutex<[String]>([])
        let before = statements.commits
        let note = { @Sendable [statements] (step: String) in
            let names = [item.partPath, path].map { DurableFile.exists($0) ? "there" : "absent" }
            let commits = statements.commits - before
            steps.withLock { $0.append("\(step), part \(names[0]), name \(names[1]), commits \(commits)") }
        }
        let sync = DiskSync(file: { note("bytes \($0 == item.partPath)") }, folder: { _ in note("folder") })
        guard case .saved = try await outcomes([item], sync)[0] else {
            Issue.record("the photo was not saved")
            return
        }
        note("saved")
        #expect(
            steps.withLock(\.self) == [
                "bytes true, part there, name absent, commits 0",
                "folder, part absent, name there, commits 1",
                "saved, part absent, name there, commits 2",
            ], "[loss] wrong order of the steps that make a photo durable")
    }

    @Test func `saves equal bytes under two names as two photos`() async throws {
        let items = [try await arrived("A.XML"), try await arrived("B.XML")]
        _ = try await outcomes(items)
        #expect(published() == ["A.xml": Self.bytes, "B.xml": Self.bytes])
    }

    @Test(arguments: RefusingDisk.allCases)
    func `fails to keep a damaged photo's bytes when fsync fails`(
        disk: RefusingDisk
    )
        async throws
    {
        let item = try await arrived("A.XML")
        let aside = settings.setAsideFolder + "/A.XML"
        await #expect(throws: SystemCallError.self) {
            try await publisher(disk.sync).keepAside(item.partPath, as: aside, isOnlyHere: true)
        }
        #expect(!DurableFile.exists(item.partPath))
    }

    @Test func `keeps a damaged photo under another name only if it is the only copy`()
        async throws
    {
        let aside = settings.setAsideFolder + "/A.XML"
        try Self.others.write(to: URL(filePath: aside))
        for (name, isOnlyHere) in [("B.XML", false), ("C.XML", true)] {
            let item = try await arrived(name)
            try await publisher().keepAside(item.partPath, as: aside, isOnlyHere: isOnlyHere)
            #expect(!DurableFile.exists(item.partPath))
            let beside = FileManager.default.contents(atPath: settings.setAsideFolder + "/A-2.XML")
            #expect(beside == (isOnlyHere ? Self.bytes : nil))
        }
        #expect(FileManager.default.contents(atPath: aside) == Self.others)
    }

    /// A previous capture directory may be on an unmounted disk. Its mount point is then missing, or contains
    /// only names that begin with a dot.
    @Test(arguments: [nil, [], [".framefast"], ["B.xml"]] as [[String]?])
    func `completes the clearing of a missing duplicate only if its folder has other visible files`(
        remaining: [String]?
    ) async throws {
        let object = CameraObject(folder: "/DCIM/1", name: "A.XML", size: 7, cameraTime: 1)
        let former = scratch.path("former")
        func save(_ bytes: Data, as path: String, rereads: Bool) async throws -> CaptureID {
            let seen = try await ledger.recordSeen([object], camera: Self.camera, session: nil, at: Date())
            let id = try #require(seen.first?.id)
            let naming = LedgerStore.NamingPolicy(
                counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 0, rereads: rereads)
            let arrival = Arrival(
                id: id, bytes: UInt64(bytes.count), sha256: Self.sha256(bytes), transferMs: 1)
            _ = try await ledger.beginPublishing([arrival], naming: naming)
            try await ledger.finishPublishing([id], at: Date())
            return id
        }
        _ = try await save(Self.bytes, as: final("A.xml"), rereads: false)
        try put(Self.bytes, "A.xml")
        try await ledger.markAllPast(camera: Self.camera)
        let copy = try await save(Self.others, as: former + "/A.xml", rereads: true)
        if let remaining {
            try DurableFile.createFolder(former)
            for name in remaining { try Self.others.write(to: URL(filePath: "\(former)/\(name)")) }
        }
        let reading = Arrival(
            id: copy, bytes: UInt64(Self.bytes.count), sha256: Self.sha256(Self.bytes), transferMs: 1)
        #expect(try await publisher().recordDuplicate(reading)?.id == copy)
        // The service checks interrupted clearings again at its next start.
        let open = try await ledger.interruptedClearings().map(\.id)
        #expect(open == (remaining == ["B.xml"] ? [] : [copy]))
    }

    @Test func `refuses to write a correction after the disk is unmounted`()
        async throws
    {
        let first = try await arrived("A.XML", Self.others)
        guard case .saved(let record) = try await outcomes([first])[0] else {
            Issue.record("the photo was not saved")
            return
        }
        // The part file with the right bytes still exists. The unmounted disk contains all other files.
        let item = Publisher.Item(
            arrival: .init(
                id: record.id, bytes: UInt64(Self.bytes.count), sha256: Self.sha256(Self.bytes), transferMs: 1
            ),
            name: first.name, partPath: scratch.path("still-here.part"), expectedBytes: nil)
        try Self.bytes.write(to: URL(filePath: item.partPath))
        try FileManager.default.removeItem(atPath: settings.directory)
        try DurableFile.createFolder(settings.directory)
        var memory = try String(contentsOfFile: settings.folderRecordPath, encoding: .utf8).split(
            separator: " ")
        memory[1] = "ef53:1234567890abcdef:own"
        try memory.joined(separator: " ").write(
            toFile: settings.folderRecordPath, atomically: true, encoding: .utf8)
        let underneath = try WorkFolders(settings)
        let wrong = try #require(record.sha256)
        await #expect(throws: SystemCallError.self) {
            _ = try await publisher(DiskSync(), underneath).correct(record, with: item, wrong: wrong)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: settings.directory) == [])
    }
}
