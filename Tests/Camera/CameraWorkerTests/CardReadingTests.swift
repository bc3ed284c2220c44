import Testing

@testable import CameraWorker

@Suite struct CardReadingTests {
    @Test(
        arguments: [
            (0.25, 1_000, 1_000), (5, 50, 50), (20, 12, 20), (500, 10, 20), (0, 250_000, 250_000),
        ])
    func `computes read limits for a quarter second, with a minimum`(
        responseMs: Double, readLimit: Int, window: Int
    ) {
        #expect(CardReading.readLimit(responseMs: responseMs) == readLimit)
        #expect(CardReading.window(responseMs: responseMs) == window)
    }

    @Test
    func `reads folders, then new objects, and finally verifies cached objects`() {
        var reading = CardReading()
        var asked: [String] = []
        let folders: [UInt32: [UInt32]] = [1: [10, 20], 10: [11, 12, 13], 20: [21]]
        while let step = reading.next() {
            switch step {
            case .folder(let folder):
                asked.append(folder.path)
                _ = reading.addHandles(folder.handle.map { folders[$0] ?? [] } ?? [1], in: folder) {
                    [11, 13].contains($0)
                }
            case .object(let handle, let folder):
                asked.append("\(handle)")
                if folders[handle] != nil {
                    reading.addFolder(handle, name: "f\(handle)", storage: 0x10001, in: folder)
                }
            case .recheck(let handle, let folder):
                #expect(reading.isComplete && folder.handle == 10)
                asked.append("again \(handle)")
            }
        }
        #expect(
            asked == [
                "/", "1", "/store_00010001/f1", "10", "/store_00010001/f1/f10", "20",
                "/store_00010001/f1/f20", "12", "21", "again 11", "again 13",
            ])
        #expect(reading.isOver)
    }

    /// Returns the handles of a card's files, in reading order.
    ///
    /// - Parameter card: The handles in each folder. 0 is the root folder. A handle without an entry is a
    ///   file.
    private func files(of card: [UInt32: [UInt32]]) -> [UInt32] {
        var reading = CardReading()
        var files: [UInt32] = []
        while let step = reading.next() {
            switch step {
            case .folder(let folder):
                _ = reading.addHandles(card[folder.handle ?? 0] ?? [], in: folder) { _ in false }
            case .object(let handle, let folder):
                guard card[handle] != nil else {
                    files.append(handle)
                    break
                }
                reading.addFolder(handle, name: "f\(handle)", storage: 1, in: folder)
            case .recheck: Issue.record("verifies an object, although the cache is empty")
            }
        }
        return files
    }

    @Test(
        arguments: [
            // Two storages with folders. One folder is empty.
            [0: [1, 2], 1: [10, 20], 2: [30], 10: [11, 12], 20: [], 30: [31]],
            // Files in the same folder as folders, and nested folders.
            [0: [1], 1: [5, 10, 41, 20, 42], 10: [11, 40, 12], 40: [43], 20: [21]],
        ] as [[UInt32: [UInt32]]])
    func `reads files in the driver's order, a folder's files before its subfolders`(card: [UInt32: [UInt32]])
    {
        func expected(_ folder: UInt32) -> [UInt32] {
            let inside = card[folder] ?? []
            return inside.filter { card[$0] == nil } + inside.filter { card[$0] != nil }.flatMap(expected)
        }
        #expect(files(of: card) == expected(0))
    }

    @Test func `finds all folders before it reads the first photo`() {
        let photos: [UInt32: [UInt32]] = [100: Array(1_000..<1_300), 101: Array(2_000..<2_300), 102: [3_000]]
        var reading = CardReading()
        var asked: Set<UInt32> = []
        while reading.isFindingFolders, let step = reading.next() {
            switch step {
            case .folder(let folder):
                guard let handle = folder.handle else {
                    _ = reading.addHandles([1], in: folder) { _ in false }
                    break
                }
                asked.insert(handle)
                _ = reading.addHandles(handle == 1 ? [100, 101, 102] : photos[handle] ?? [], in: folder) {
                    _ in false
                }
            case .object(let handle, let folder):
                #expect(folder.depth < 2)
                reading.addFolder(handle, name: "f\(handle)", storage: 1, in: folder)
            case .recheck: Issue.record("verifies an object, although the cache is empty")
            }
        }
        #expect(asked == [1, 100, 101, 102])
        #expect(!reading.isComplete)
    }

    @Test func `verifies cached objects only after a quiet time`() {
        var listing = Listing(id: 1, total: 5, at: .milliseconds(1_000))
        #expect(listing.due == .milliseconds(1_000))
        listing.isSent = true
        #expect(listing.due == Instant.milliseconds(1_000) + Listing.quiet)
        listing.recordActivity(at: .milliseconds(3_000))
        #expect(listing.due == Instant.milliseconds(3_000) + Listing.quiet)
    }

    @Test func `delays events for at most one second while searching for folders`() {
        let listing = Listing(id: 1, total: 5, at: .milliseconds(1_000))
        #expect(listing.delaysEvents(at: .milliseconds(1_999)))
        #expect(!listing.delaysEvents(at: .milliseconds(2_000)))
    }

    @Test func `stops at the maximum folder depth`() {
        var reading = CardReading()
        var handle: UInt32 = 1
        var steps = 0
        while let step = reading.next(), steps < 1_000 {
            steps += 1
            switch step {
            case .folder(let folder):
                handle += 1
                _ = reading.addHandles([handle], in: folder) { _ in false }
            case .object(let handle, let folder):
                reading.addFolder(handle, name: "again", storage: 1, in: folder)
            case .recheck: Issue.record("verifies an object, although the cache is empty")
            }
        }
        #expect(steps == 2 * (CardReading.folderDepth + 1))
    }

    @Test(
        arguments: [(10, 2, [10, 20]), (30, 2, [30, 40]), (40, 2, [40]), (99, 2, [99])]
            as [(UInt32, Int, [UInt32])])
    func `shows a file to the driver with the files that follow it`(
        from: UInt32, count: Int, window: [UInt32]
    ) {
        let folder = LargeFolder(handle: 1, order: [10, 20, 30, 40])
        #expect(Array(folder.window(from: from, count: count)) == window)
    }

    @Test func `registers only the first of two files with the same name`() {
        var folder = LargeFolder(handle: 1, order: [10, 20])
        let isFirst = folder.register("A.JPG", 10)
        let isSecond = folder.register("A.JPG", 20)
        let isSame = folder.register("A.JPG", 10)
        #expect(isFirst && !isSecond && isSame)
        #expect(folder["A.JPG"] == 10 && folder["B.JPG"] == nil)
    }

    @Test(
        arguments: [
            (99, nil, true), (100, nil, false), (0, .milliseconds(1), true), (0, .zero, false),
        ] as [(Int, Duration?, Bool)])
    func `a listing portion ends at its time limit or for an operation`(
        startMs: Int, operationDelay: Duration?, hasStep: Bool
    ) {
        var listing = Listing(id: 1, total: 1, at: .start)
        let step = listing.nextStep(
            at: .milliseconds(startMs), end: .milliseconds(100), operationDelay: operationDelay)
        #expect((step != nil) == hasStep)
        // If a portion ends without the step, the next portion returns the step.
        let next = listing.nextStep(at: .start, end: .milliseconds(100), operationDelay: nil)
        #expect((next == nil) == hasStep)
    }
}
