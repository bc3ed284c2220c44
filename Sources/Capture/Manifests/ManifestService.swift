import Foundation
public import FrameFastModel
import FrameFastSystem
public import Logging
public import ServiceLifecycle
public import Store

/// Seals sessions when they stop and at each day's end, when somebody asks for it, and verifies what was sealed. One of these
/// is done at a time; the reading of a verification goes on beside.
public actor ManifestService: Service {
    /// How it works.
    public struct Settings: Sendable {
        /// The capture directory.
        public var directory: String
        /// How photos are named.
        public var template: NamingTemplate
        /// Whether sessions are sealed without being asked.
        public var isAutomatic: Bool
        /// Who makes manifests.
        public var creator: ManifestCreator

        /// Creates settings.
        public init(
            directory: String, template: NamingTemplate, isAutomatic: Bool, creator: ManifestCreator
        ) {
            self.directory = directory
            self.template = template
            self.isAutomatic = isAutomatic
            self.creator = creator
        }
    }

    /// What there is to do without anybody who waits.
    private enum Order: Sendable {
        case stopped(SessionID)
        case dayEnded
    }

    /// Longest sleep before the clock is looked at again: it may be set, and the computer may have slept.
    private static let clockPause: Duration = .seconds(60)

    private let settings: Settings
    private let ledger: LedgerStore
    private let logger: Logger
    /// Told the folder and why it failed, or `nil` when it works again.
    private let onAutomatic: @Sendable (_ folder: String, _ failure: String?) -> Void
    /// Told when a history has a new generation.
    private let onGeneration: @Sendable () async -> Void
    /// What time it is, and how long to sleep before it is looked at again.
    private let now: @Sendable () -> Date
    private let pause: Duration
    private let turn = Turnstile(width: 1)
    private let (orders, order) = AsyncStream<Order>.makeStream(bufferingPolicy: .bufferingNewest(100))
    private var running: FileVerification?
    private var work: Task<Void, Never>?
    /// The verification that runs, or that ran last.
    private var newest: SessionVerification?

    /// Creates the service.
    public init(
        settings: Settings, ledger: LedgerStore, logger: Logger,
        onGeneration: @escaping @Sendable () async -> Void = {},
        onAutomatic: @escaping @Sendable (_ folder: String, _ failure: String?) -> Void
    ) {
        self.init(
            settings: settings, ledger: ledger, logger: logger, now: { Date() }, pause: Self.clockPause,
            onGeneration: onGeneration, onAutomatic: onAutomatic)
    }

    /// With a clock of the caller's.
    init(
        settings: Settings, ledger: LedgerStore, logger: Logger, now: @escaping @Sendable () -> Date,
        pause: Duration, onGeneration: @escaping @Sendable () async -> Void = {},
        onAutomatic: @escaping @Sendable (_ folder: String, _ failure: String?) -> Void
    ) {
        (self.now, self.pause) = (now, pause)
        self.settings = settings
        self.ledger = ledger
        self.logger = logger
        self.onGeneration = onGeneration
        self.onAutomatic = onAutomatic
    }

    /// Completes what a crash cut short, then seals by itself until the service stops.
    public func run() async throws {
        await completeAll()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watchDays() }
            for await order in orders.cancelOnGracefulShutdown() { await carryOut(order) }
            group.cancelAll()
        }
        running?.cancel()
        await work?.value
    }

    /// A session stopped: it is sealed soon, where that is configured.
    public nonisolated func stopped(_ session: SessionID) {
        if settings.isAutomatic { order.yield(.stopped(session)) }
    }

    private func carryOut(_ order: Order) async {
        switch order {
        case .stopped(let session): await sealByItself(session)
        case .dayEnded:
            for session in (try? await ledger.sessionsUnsealed()) ?? [] { await sealByItself(session) }
        }
    }

    private func watchDays() async {
        guard settings.isAutomatic else { return }
        var end = DayEnd.next(after: now(), .current)
        while (try? await Task.sleep(for: pause)) != nil {
            guard now() >= end else { continue }
            order.yield(.dayEnded)
            end = DayEnd.next(after: now(), .current)
        }
    }

    private func completeAll() async {
        for folder in (try? await ledger.sealingsBegun()) ?? [] where ManifestHistory(root: folder).exists {
            do {
                _ = try await turn.pass { try await self.sealing(folder).takeIn() }
                try await ledger.endSealing(of: folder)
                await onGeneration()
            } catch {
                logger.warning(
                    "cannot read the manifests", metadata: ["folder": "\(folder)", "reason": "\(error)"])
            }
        }
    }

    private func sealByItself(_ session: SessionID?) async {
        guard let folder = try? await folder(of: session) else { return }
        do {
            _ = try await seal(session)
            onAutomatic(folder, nil)
        } catch {
            logger.error("cannot seal", metadata: ["folder": "\(folder)", "reason": "\(error)"])
            onAutomatic(folder, "\(error)")
        }
    }

    // MARK: sealing

    /// Records a session's new photos in a generation.
    ///
    /// - Parameter session: `nil` for photos without a session.
    /// - Throws: ``ManifestFault``, and the ledger's errors.
    public func seal(_ session: SessionID?) async throws -> SealOutcome {
        let folder = try await folder(of: session)
        let name = try await name(of: session)
        let elsewhere = try await ledger.unsealed(session: session).count {
            !($0.path ?? "").utf8.starts(with: (folder + "/").utf8)
        }
        guard var outcome = try await turn.pass({ try await self.sealing(folder).seal(comment: name) }) else {
            throw CancellationError()
        }
        outcome.leftOut += elsewhere
        if outcome.generation != nil { await onGeneration() }
        logger.notice(
            "sealed",
            metadata: [
                "folder": "\(folder)", "photos": "\(outcome.sealed)",
                "manifest": "\(outcome.name ?? "nothing new")",
            ])
        return outcome
    }

    private func sealing(_ folder: String) -> ManifestSealing {
        ManifestSealing(
            ledger: ledger, creator: settings.creator, history: ManifestHistory(root: folder), logger: logger)
    }

    private func name(of session: SessionID?) async throws -> String? {
        guard let session else { return nil }
        return try await ledger.sessionName(session)
    }

    /// The folder that has a session's history: its own where names begin with it, else the capture directory.
    public func folder(of session: SessionID?) async throws -> String {
        let own = settings.template.folder(ofSession: try await name(of: session))
        return own.map { settings.directory + "/" + $0 } ?? settings.directory
    }

    // MARK: verifying

    /// The verification that runs, or that ran last; `nil` when none did.
    public var verification: SessionVerification? {
        guard var verification = newest else { return nil }
        if let progress = running?.progress {
            verification.filesDone = progress.filesDone
            verification.bytesRead = progress.bytesRead
        }
        return verification
    }

    /// Begins to verify a session's folder.
    ///
    /// - Returns: `nil` when another verification runs.
    public func verify(_ session: SessionID) async throws -> SessionVerification? {
        let folder = try await folder(of: session)
        guard newest?.state != .running else { return nil }
        let begun = SessionVerification(session: session, folder: folder)
        newest = begun
        let files = FileVerification()
        running = files
        work = Task { await self.verify(begun, files) }
        return begun
    }

    /// The verification that runs, or that ran last, when it has ended; `nil` when none did.
    func verificationEnd() async -> SessionVerification? {
        await work?.value
        return newest
    }

    /// Ends the verification that runs.
    ///
    /// - Returns: `nil` when none runs.
    public func cancelVerification() -> SessionVerification? {
        guard newest?.state == .running, let running else { return nil }
        running.cancel()
        return verification
    }

    private func verify(_ begun: SessionVerification, _ files: FileVerification) async {
        var verification = begun
        do {
            try await verify(&verification, files)
        } catch let fault as ManifestFault {
            verification.end(fault)
        } catch {
            verification.state = .failed("\(error)")
        }
        let progress = files.progress
        verification.filesDone = progress.filesDone
        verification.bytesRead = progress.bytesRead
        running = nil
        newest = verification
    }

    private func verify(_ verification: inout SessionVerification, _ files: FileVerification) async throws {
        let sealing = sealing(verification.folder)
        guard sealing.history.exists else {
            verification.state = .done
            verification.result = .notSealed
            return
        }
        guard let chain = try await turn.pass({ try await sealing.takeIn() }) else {
            throw CancellationError()
        }
        guard !chain.generations.isEmpty else {
            verification.state = .done
            verification.result = .notSealed
            return
        }
        let originals = try await sealing.originals(chain)
        let records = originals.records
        if originals.unknownCount > 0 {
            verification.reason =
                "\(originals.unknownCount) recorded files have no hash that can be checked here: not read"
        }
        verification.files = records.count
        newest = verification
        guard let outcomes = try await files.run(records, below: verification.folder) else {
            verification.state = .cancelled
            return
        }
        for (record, outcome) in zip(records, outcomes) {
            switch outcome {
            case .verified: verification.verified += 1
            case .changed: verification.findings.append(.init(path: record.path, what: .changed))
            case .missing:
                let path = verification.folder + "/" + record.path
                let destinations = try await ledger.destinationsOfCleared(path: path)
                verification.findings.append(
                    .init(path: record.path, what: destinations.map { .cleared($0) } ?? .missing))
            }
        }
        let name = try await name(of: verification.session)
        verification.generation = try await turn.pass {
            try await sealing.append(outcomes, of: records, comment: name)
        }??.number
        if verification.generation != nil { await onGeneration() }
        verification.end()
    }
}
