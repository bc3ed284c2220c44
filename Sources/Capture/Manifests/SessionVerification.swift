import Foundation
public import FrameFastModel

/// How far a verification of a folder is, and what it found.
public struct SessionVerification: Hashable, Sendable {
    /// How far it is.
    public enum State: Hashable, Sendable {
        case running, done, cancelled
        /// It could not go on.
        case failed(String)
    }

    /// What was found: the worst of it.
    public enum Result: String, Hashable, Sendable, CaseIterable {
        case intact, missing, changed
        case manifestEdited = "manifest_edited"
        case manifestGone = "manifest_gone"
        case chainGone = "chain_gone"
        case notSealed = "not_sealed"
    }

    /// What is with a file.
    public enum What: Hashable, Sendable {
        case missing, changed
        /// Its file was cleared here, after it was delivered to these.
        case cleared([DestinationName])

        /// All, in one word.
        public static let words = ["missing", "changed", "cleared"]
        /// In one word.
        public var word: String {
            switch self {
            case .missing: Self.words[0]
            case .changed: Self.words[1]
            case .cleared: Self.words[2]
            }
        }
    }

    /// A file that is not as it was recorded, or was cleared.
    public struct Finding: Hashable, Sendable {
        /// Its path below the folder.
        public var path: String
        /// What is with it.
        public var what: What
    }

    /// The session.
    public var session: SessionID
    /// The folder that has the history.
    public var folder: String
    /// How far it is.
    public var state = State.running
    /// What was found; `nil` until it is done.
    public var result: Result?
    /// Files that are recorded.
    public var files = 0
    /// Files of them that were looked at.
    public var filesDone = 0
    /// Bytes that were read.
    public var bytesRead: UInt64 = 0
    /// Files that are as they were recorded.
    public var verified = 0
    /// What is not, in the order of paths.
    public var findings: [Finding] = []
    /// Number of the generation that says so; `nil` without one.
    public var generation: Int?
    /// What is wrong with the history, for people; `nil` when nothing is.
    public var reason: String?

    /// Why it could not go on; `nil` when it could.
    public var failure: String? { if case .failed(let reason) = state { reason } else { nil } }

    /// Nothing was looked at.
    init(session: SessionID, folder: String) {
        self.session = session
        self.folder = folder
    }

    /// Files of which this is so.
    public func count(_ word: String) -> Int { findings.count { $0.what.word == word } }

    /// Every file was looked at.
    mutating func end() {
        state = .done
        result = count("changed") > 0 ? .changed : count("missing") > 0 ? .missing : .intact
    }

    /// The history itself is not as it was written; no file is looked at.
    mutating func end(_ fault: ManifestFault) {
        reason = fault.description
        switch fault {
        case .chainGone: result = .chainGone
        case .manifestGone: result = .manifestGone
        case .manifestEdited, .chainReplaced, .notXML, .notAllowed: result = .manifestEdited
        case .system:
            state = .failed(fault.description)
            return
        }
        state = .done
    }
}
