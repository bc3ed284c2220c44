import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The newest shots, and what was asked for of those before, with their uploads, and one badge for the whole way of each.
struct WatchShots: Equatable {
    /// A shot: one file, or a RAW and its JPEG.
    struct Shot: Equatable, Identifiable {
        let id: ShotID
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

    /// Shots that are kept: what a person scrolls through, page after page. Older ones are in `framefast captures`.
    static let countMax = 5_000

    /// Newest first.
    private(set) var all: [Shot] = []
    private var jobs: [CaptureID: [UploadJobReply]] = [:]
    private var known: Set<CaptureID> = []
    /// What is known of photos before the first of ``all``.
    private(set) var older = Older.unknown
    /// The first shot of the pages that came; `nil` when there is none before it.
    private var first: ShotID?

    /// What is known of photos before those that are kept.
    enum Older: Equatable {
        /// No page came yet.
        case unknown
        /// A page ended here, and another can be asked for.
        case from(String)
        /// It was asked for.
        case asked(String)
        /// There are none.
        case none
        /// There are some, and they are too many to be kept.
        case tooMany
    }

    /// Asks for the page before, once.
    ///
    /// - Returns: Its cursor; `nil` when there is nothing to be asked for.
    mutating func askForOlder() -> String? {
        guard case .from(let cursor) = older else { return nil }
        older = .asked(cursor)
        return cursor
    }

    /// A page that was asked for came; one that is no longer waited for is ignored.
    mutating func fill(_ page: CapturesReply, askedWith cursor: String) {
        guard older == .asked(cursor) else { return }
        fill(page.captures, [])
        end(page)
    }

    /// The page could not be had: it can be asked for again.
    mutating func failedToAsk(with cursor: String) {
        guard older == .asked(cursor) else { return }
        older = .from(cursor)
        closeGap()
    }

    /// The newest page and its uploads came.
    mutating func fill(newest page: CapturesReply, _ jobs: [UploadJobReply]) {
        fill(page.captures, jobs)
        end(page)
    }

    private mutating func end(_ page: CapturesReply) {
        guard older != .tooMany else { return }
        older = page.nextCursor.map(Older.from) ?? .none
        first = page.nextCursor == nil ? nil : page.captures.map(\.shotID).min() ?? first
        closeGap()
    }

    /// Forgets photos before the pages that came, which events announced: they come again with their page, and the list
    /// has no gap until then.
    private mutating func closeGap() {
        guard let first else { return }
        while let last = all.last, last.id < first { removeLast() }
    }

    private mutating func removeLast() {
        for capture in all.removeLast().captures {
            jobs[capture.id] = nil
            known.remove(capture.id)
        }
    }

    /// A photo is new or further. One before the pages that came is listed with its page, which may be under way.
    mutating func take(_ capture: CaptureReply) {
        insert(capture)
        if case .from = older { closeGap() }
    }

    private mutating func insert(_ capture: CaptureReply) {
        // One that turns out to belong to an earlier one was a shot of its own until now.
        if has(capture.id) {
            for index in all.indices.reversed() where all[index].id != capture.shotID {
                all[index].captures.removeAll { $0.id == capture.id }
                if all[index].captures.isEmpty { all.remove(at: index) }
            }
        }
        known.insert(capture.id)
        let place = all.firstIndex { $0.id <= capture.shotID } ?? all.endIndex
        if place == all.endIndex || all[place].id != capture.shotID {
            all.insert(Shot(id: capture.shotID, captures: [], state: capture.shotState), at: place)
        }
        all[place].state = capture.shotState
        all[place].captures.removeAll { $0.id == capture.id }
        let before = all[place].captures.firstIndex { $0.id > capture.id } ?? all[place].captures.endIndex
        all[place].captures.insert(capture, at: before)
        while all.count > Self.countMax {
            removeLast()
            older = .tooMany
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
        for capture in captures where !has(capture.id) { insert(capture) }
        for job in jobs where !(self.jobs[job.capture] ?? []).contains(where: { $0.id == job.id }) {
            take(job)
        }
    }

    /// Forgets everything: the daemon was away, and what happened meanwhile is not known.
    mutating func clear() {
        self = WatchShots()
    }

    private func has(_ capture: CaptureID) -> Bool {
        known.contains(capture)
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
