import ArgumentParser
import Foundation
import FrameFastModel
import Glibc
import Store

/// A measurement of the ledger's cost between two photos: one durable commit completes a job and claims the
/// next one.
@main struct QueueCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue-cost", abstract: "Claims and delivers jobs of a ledger and measures each claim.")

    @Argument(help: "The ledger. Its jobs are changed.") var ledger: String
    @Option(help: "Destination whose jobs are claimed.") var destination = "target"
    @Option(help: "Most claims.") var claims = 2000

    func validate() throws {
        guard claims > 0 else { throw ValidationError("--claims must be at least 1.") }
    }

    mutating func run() async throws {
        let store = try LedgerStore(path: ledger)
        let request = LedgerStore.ClaimRequest(
            destination: DestinationName(rawValue: destination), limit: 1, order: .capture)
        var done: [LedgerStore.UploadOutcome] = []
        var times: [Double] = []
        for _ in 0..<claims {
            let start = Self.milliseconds()
            let claimed = try await store.recordOutcomes(done, claiming: request, at: Date()).claimed
            times.append(Self.milliseconds() - start)
            guard let job = claimed.first?.job else { break }
            let delivery = UploadJob.Delivery(
                remoteName: job.remoteName, proof: "size", evidence: "size \(job.bytes)",
                alreadyExisted: false)
            done = [.init(jobID: job.id, event: .delivered(delivery, at: Date()))]
        }
        _ = try await store.recordOutcomes(done, claiming: nil, at: Date())
        times.sort()
        let (middle, high) = (times[times.count / 2], times[times.count * 99 / 100])
        print(
            """
            {"claims": \(times.count), "p50_ms": \(middle), "p99_ms": \(high), "rss_kib": \(Self.peakKiB())}
            """)
    }

    private static func milliseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    private static func peakKiB() -> Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss
    }
}
