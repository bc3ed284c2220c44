import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The newest photos with their uploads, and one badge for the whole way of each.
struct WatchPhotos: Equatable {
    /// Photos that are kept: what a person scrolls through. Older ones are in `framefast captures`.
    static let countMax = 200

    /// Newest first.
    private(set) var captures: [CaptureReply] = []
    private var jobs: [Int64: [UploadJobReply]] = [:]

    /// A photo is new or further.
    mutating func take(_ capture: CaptureReply) {
        if let index = captures.firstIndex(where: { $0.id == capture.id }) {
            captures[index] = capture
            return
        }
        let place = captures.firstIndex { $0.id < capture.id } ?? captures.endIndex
        captures.insert(capture, at: place)
        while let last = captures.last, captures.count > Self.countMax {
            jobs[last.id] = nil
            captures.removeLast()
        }
    }

    /// An upload is new or further; of photos that are not kept it is forgotten.
    mutating func take(_ job: UploadJobReply) {
        guard captures.contains(where: { $0.id == job.capture }) else { return }
        var own = jobs[job.capture] ?? []
        if let index = own.firstIndex(where: { $0.id == job.id }) {
            own[index] = job
        } else {
            own.append(job)
        }
        jobs[job.capture] = own
    }

    /// A page that was asked for; what events told meanwhile is newer.
    mutating func fill(_ captures: [CaptureReply], _ jobs: [UploadJobReply]) {
        let known = Set(self.captures.map(\.id))
        for capture in captures where !known.contains(capture.id) { take(capture) }
        for job in jobs where !(self.jobs[job.capture] ?? []).contains(where: { $0.id == job.id }) {
            take(job)
        }
    }

    /// Forgets everything: the daemon was away, and what happened meanwhile is not known.
    mutating func clear() {
        captures = []
        jobs = [:]
    }

    func uploads(of capture: Int64) -> [UploadJobReply] {
        (jobs[capture] ?? []).sorted { $0.destination < $1.destination }
    }

    /// One word for the whole way: where it is worst, and of what is equally bad, where it is earliest.
    func badge(_ capture: CaptureReply, now: Date) -> BadgeView {
        let order: [UploadJobReply.State] = [
            .failed, .waiting, .uploading, .verifying, .queued, .held, .delivered,
        ]
        let own = jobs[capture.id] ?? []
        guard capture.state == .saved,
            let job = order.compactMap({ state in own.first { $0.state == state } }).first
        else {
            let state = StateWords.capture(capture.state)
            return BadgeView(state.tone, state.word)
        }
        let state = UploadWords.job(job, now: now)
        return BadgeView(state.tone, state.word)
    }
}

/// Which photos are listed.
enum PhotoFilter: String, CaseIterable {
    case all, open, failed

    /// What is listed, in words.
    var word: String {
        switch self {
        case .all: "all"
        case .open: "not delivered"
        case .failed: "failed or retrying"
        }
    }

    var next: PhotoFilter {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    func takes(_ badge: BadgeView) -> Bool {
        switch self {
        case .all: true
        case .open: badge.word != "Delivered"
        case .failed: badge.tone == .warning || badge.tone == .danger
        }
    }
}
