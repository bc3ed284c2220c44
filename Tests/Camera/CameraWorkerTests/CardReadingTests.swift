import Testing

@testable import CameraWorker

@Suite struct CardReadingTests {
    @Test(arguments: [(0.3, 6_666), (4.0, 500), (5.0, 400), (20.0, 100), (500.0, 100), (0.0, 2_000_000)])
    func `the driver may read for two seconds without a pause`(answerMs: Double, atOnce: Int) {
        #expect(CardReading.atOnce(answerMs: answerMs) == atOnce)
    }

    @Test func `folders come in the camera's order, and what is remembered is checked when all is read`() {
        var reading = CardReading()
        var asked: [String] = []
        let folders: [UInt32: [UInt32]] = [1: [10, 20], 10: [11, 12, 13], 20: [21]]
        while let step = reading.next() {
            switch step {
            case .folder(let folder):
                asked.append(folder.path)
                _ = reading.found(folder.handle.map { folders[$0] ?? [] } ?? [1], in: folder) {
                    [11, 13].contains($0)
                }
            case .object(let handle, let folder):
                asked.append("\(handle)")
                if folders[handle] != nil {
                    reading.foundFolder(handle, name: "f\(handle)", storage: 0x10001, in: folder)
                }
            case .recheck(let handle, let folder):
                #expect(reading.isComplete && folder.handle == 10)
                asked.append("again \(handle)")
            }
        }
        #expect(
            asked == [
                "/", "1", "/store_00010001/f1", "10", "20", "/store_00010001/f1/f10", "12",
                "/store_00010001/f1/f20", "21", "again 11", "again 13",
            ])
        #expect(reading.isOver)
    }

    @Test func `folders inside each other end somewhere`() {
        var reading = CardReading()
        var handle: UInt32 = 1
        var steps = 0
        while let step = reading.next(), steps < 1_000 {
            steps += 1
            switch step {
            case .folder(let folder):
                handle += 1
                _ = reading.found([handle], in: folder) { _ in false }
            case .object(let handle, let folder):
                reading.foundFolder(handle, name: "again", storage: 1, in: folder)
            case .recheck: Issue.record("nothing was remembered")
            }
        }
        #expect(steps == 2 * (CameraSession.folderDepth + 1))
    }

    @Test(
        arguments: [(10, 2, [10, 20]), (30, 2, [30, 40]), (40, 2, [40]), (99, 2, [99])]
            as [(UInt32, Int, [UInt32])])
    func `the driver is shown a file with those that follow it`(from: UInt32, count: Int, window: [UInt32]) {
        let folder = LargeFolder(handle: 1, order: [10, 20, 30, 40])
        #expect(Array(folder.window(from: from, count: count)) == window)
    }

    @Test func `of two files with one name the first counts`() {
        var folder = LargeFolder(handle: 1, order: [10, 20])
        let isFirst = folder.learn("A.JPG", 10)
        let isSecond = folder.learn("A.JPG", 20)
        let isSame = folder.learn("A.JPG", 10)
        #expect(isFirst && !isSecond && isSame)
        #expect(folder["A.JPG"] == 10 && folder["B.JPG"] == nil)
    }
}
