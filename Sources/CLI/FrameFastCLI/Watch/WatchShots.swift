import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The newest shots and the loaded pages of older shots, with their uploads.
struct WatchShots: Equatable {
    /// A shot: one file, or a RAW and its JPEG.
    struct Shot: Equatable, Identifiable {
        let id: ShotID
        /// The files of the shot, in the order of the ledger.
        fileprivate(set) var captures: [CaptureReply]
        /// The state of the whole shot.
        fileprivate(set) var state: Word<CaptureState>

        /// The file names of the shot, for people.
        var name: String { files.name { FileName.of($0.path ?? $0.originalName) } }
        var size: Int64 { files.size }
        /// The time when the shot was saved. For a shot that is not saved yet, the time of its detection.
        var date: Date { files.date }
        private var files: ShotFiles { ShotFiles(id: id, captures: captures) }
    }

    /// The maximum number of shots in the list. `framefast captures` lists older shots.
    static let countMax = 5_000

    /// The shots, the newest first.
    private(set) var all: [Shot] = []
    private var jobs: [CaptureID: [UploadJobReply]] = [:]
    private var loadedIDs: Set<CaptureID> = []
    /// The loading state of the photos that are older than the photos in ``all``.
    private(set) var olderPages = OlderPages.unknown

    /// The loading state of the photos that are older than the loaded photos.
    enum OlderPages: Equatable {
        /// No page is loaded yet.
        case unknown
        /// The next older page can be requested with this cursor.
        case available(String)
        /// The page with this cursor was requested.
        case requested(String)
        /// The oldest photo is loaded.
        case none
        /// Older photos exist, but ``countMax`` is reached.
        case tooMany
    }

    /// Marks the next older page as requested.
    ///
    /// - Returns: The cursor of the page, or `nil` if no page can be requested now.
    mutating func requestOlder() -> String? {
        guard case .available(let cursor) = olderPages else { return nil }
        olderPages = .requested(cursor)
        return cursor
    }

    /// Adds a page of older photos. Ignores the page unless this cursor was requested last.
    mutating func addOlder(_ page: CapturesReply, requestedWith cursor: String) {
        guard olderPages == .requested(cursor) else { return }
        add(page.captures, [])
        if olderPages != .tooMany { olderPages = page.nextCursor.map(OlderPages.available) ?? .none }
    }

    /// Allows another request for a page of older photos after a failed request.
    mutating func resetOlder(to cursor: String) {
        if olderPages == .requested(cursor) { olderPages = .available(cursor) }
    }

    /// Sets the cursor of the page that follows the newest page.
    mutating func setOlderCursor(_ cursor: String?) {
        if olderPages != .tooMany { olderPages = cursor.map(OlderPages.available) ?? .none }
    }

    /// Adds or updates a photo.
    mutating func apply(_ capture: CaptureReply) {
        // The ledger can move a photo from one shot to another. Remove the photo from the old shot.
        if contains(capture.id) {
            for index in all.indices.reversed() where all[index].id != capture.shotID {
                all[index].captures.removeAll { $0.id == capture.id }
                if all[index].captures.isEmpty { all.remove(at: index) }
            }
        }
        loadedIDs.insert(capture.id)
        let place = all.firstIndex { $0.id <= capture.shotID } ?? all.endIndex
        if place == all.endIndex || all[place].id != capture.shotID {
            all.insert(Shot(id: capture.shotID, captures: [], state: capture.$shotState), at: place)
        }
        all[place].state = capture.$shotState
        all[place].captures.removeAll { $0.id == capture.id }
        let before = all[place].captures.firstIndex { $0.id > capture.id } ?? all[place].captures.endIndex
        all[place].captures.insert(capture, at: before)
        while let last = all.last, all.count > Self.countMax {
            for capture in last.captures {
                jobs[capture.id] = nil
                loadedIDs.remove(capture.id)
            }
            all.removeLast()
            olderPages = .tooMany
        }
    }

    /// Adds or updates an upload. Ignores uploads of photos that are not loaded.
    mutating func apply(_ job: UploadJobReply) {
        guard contains(job.capture) else { return }
        var own = jobs[job.capture] ?? []
        if let index = own.firstIndex(where: { $0.id == job.id }) {
            own[index] = job
        } else {
            own.append(job)
        }
        jobs[job.capture] = own
    }

    /// Adds a page of photos and uploads. Keeps values that are already loaded, because events are newer than
    /// a page.
    mutating func add(_ captures: [CaptureReply], _ jobs: [UploadJobReply]) {
        for capture in captures where !contains(capture.id) { apply(capture) }
        for job in jobs where !(self.jobs[job.capture] ?? []).contains(where: { $0.id == job.id }) {
            apply(job)
        }
    }

    /// Removes all shots. After a lost connection, the shots may be out of date.
    mutating func clear() {
        self = WatchShots()
    }

    private func contains(_ capture: CaptureID) -> Bool {
        loadedIDs.contains(capture)
    }

    /// Returns the uploads of a shot, sorted by file and destination.
    func uploads(of shot: Shot) -> [UploadJobReply] {
        shot.captures.flatMap { capture in
            (jobs[capture.id] ?? []).sorted { $0.destination < $1.destination }
        }
    }

    /// Returns a badge with the state of a shot. The progress and the retry time come from the matching
    /// upload.
    func badge(_ shot: Shot, now: Date) -> BadgeView {
        let job = uploads(of: shot).first { job in
            switch shot.state.known {
            case .uploading: job.state == .uploading
            case .retrying: job.state == .retrying
            default: false
            }
        }
        let state = job.map { UploadWords.job($0, now: now) } ?? StateWords.capture(shot.state)
        return BadgeView(state.tone, state.word)
    }
}
