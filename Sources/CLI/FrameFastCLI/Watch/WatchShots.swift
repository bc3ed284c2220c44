import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The newest shots with their uploads, and one badge for the whole way of each.
struct WatchShots: Equatable {
    /// A shot: one file, or a RAW and its JPEG.
    struct Shot: Equatable, Identifiable {
        let id: Int64
        /// In the order of the ledger.
        fileprivate(set) var captures: [CaptureReply]
        /// How far it is.
        fileprivate(set) var state: CaptureReply.State

        /// What a person calls it.
        var name: String { files.name { FileName.of($0.path ?? $0.originalName) } }
        var size: Int64 { files.size }
        /// When it was saved, or heard of.
        var date: Date { files.date }
        private var files: ShotFiles { ShotFiles(id: id, captures: captures) }
    }

    /// Shots that are kept: what a person scrolls through. Older ones are in `framefast captures`.
    static let countMax = 200

    /// Newest first.
    private(set) var all: [Shot] = []
    private var jobs: [Int64: [UploadJobReply]] = [:]

    /// A photo is new or further.
    mutating func take(_ capture: CaptureReply) {
        // One that turns out to belong to an earlier one was a shot of its own until now.
        for index in all.indices.reversed() where all[index].id != capture.shotID {
            all[index].captures.removeAll { $0.id == capture.id }
            if all[index].captures.isEmpty { all.remove(at: index) }
        }
        let place = all.firstIndex { $0.id <= capture.shotID } ?? all.endIndex
        if place == all.endIndex || all[place].id != capture.shotID {
            all.insert(Shot(id: capture.shotID, captures: [], state: capture.shotState), at: place)
        }
        all[place].state = capture.shotState
        all[place].captures.removeAll { $0.id == capture.id }
        let before = all[place].captures.firstIndex { $0.id > capture.id } ?? all[place].captures.endIndex
        all[place].captures.insert(capture, at: before)
        while let last = all.last, all.count > Self.countMax {
            for capture in last.captures { jobs[capture.id] = nil }
            all.removeLast()
        }
    }

    /// An upload is new or further; of photos that are not kept it is forgotten.
    mutating func take(_ job: UploadJobReply) {
        guard has(job.capture) else { return }
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
        for capture in captures where !has(capture.id) { take(capture) }
        for job in jobs where !(self.jobs[job.capture] ?? []).contains(where: { $0.id == job.id }) {
            take(job)
        }
    }

    /// Forgets everything: the daemon was away, and what happened meanwhile is not known.
    mutating func clear() {
        all = []
        jobs = [:]
    }

    private func has(_ capture: Int64) -> Bool {
        all.contains { $0.captures.contains { $0.id == capture } }
    }

    /// Its uploads, by file and destination.
    func uploads(of shot: Shot) -> [UploadJobReply] {
        shot.captures.flatMap { capture in
            (jobs[capture.id] ?? []).sorted { $0.destination < $1.destination }
        }
    }

    /// The daemon's word for the whole way; how much, and how soon, is told by the upload that the word is of.
    func badge(_ shot: Shot, now: Date) -> BadgeView {
        let job = uploads(of: shot).first { job in
            switch shot.state {
            case .uploading: job.state == .uploading
            case .retrying: job.state == .retrying
            default: false
            }
        }
        let state = job.map { UploadWords.job($0, now: now) } ?? StateWords.capture(shot.state)
        return BadgeView(state.tone, state.word)
    }
}

/// Which shots are listed.
enum ShotFilter: String, CaseIterable {
    case all, open, failed

    /// What is listed, in words.
    var word: String {
        switch self {
        case .all: "all"
        case .open: "not delivered"
        case .failed: "failed or retrying"
        }
    }

    var next: ShotFilter {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    func takes(_ shot: WatchShots.Shot) -> Bool {
        switch self {
        case .all: true
        case .open: ![.delivered, .cleared].contains(shot.state)
        case .failed: [.uploadFailed, .retrying, .damaged].contains(shot.state)
        }
    }
}
