import APIServer
import FrameFastAPI
import FrameFastModel
import Manifests
import Store

/// Manifests: sealing a session, and verifying what was sealed.
struct ManifestHandler: EndpointHandler {
    let manifests: ManifestService
    let ledger: LedgerStore

    func attach(to table: inout EndpointTable) {
        table.on(\.manifests.seal, seal)
        table.on(\.manifests.verify, verify)
        table.on(\.manifests.verification, verification)
        table.on(\.manifests.cancel, cancel)
    }

    func seal(_ id: SessionID) async throws(ControlError) -> SealReply {
        try await find(id)
        do {
            return SealReply(try await manifests.seal(id), session: id)
        } catch let fault as ManifestFault {
            throw ControlError(
                .conflict, "cannot seal the session: \(fault)",
                nextStep: "Run 'framefast verify' to see what is wrong; docs/proof.md says what to do.")
        } catch {
            throw ControlError(
                .internal, "cannot seal the session: \(error)", nextStep: "Check the service's log.")
        }
    }

    func verify(_ id: SessionID) async throws(ControlError) -> VerificationReply {
        try await find(id)
        let begun: SessionVerification?
        do { begun = try await manifests.verify(id) } catch {
            throw ControlError(
                .internal, "cannot verify the session: \(error)", nextStep: "Check the service's log.")
        }
        guard let begun else {
            throw ControlError(
                .conflict, "another verification is running",
                nextStep: "Wait for its end, or end it with 'framefast verify --cancel'.")
        }
        return VerificationReply(begun)
    }

    func verification() async throws(ControlError) -> VerificationReply {
        guard let verification = await manifests.verification else {
            throw ControlError(
                .notFound, "nothing was verified since the service started",
                nextStep: "Verify a session with 'framefast verify SESSION'.")
        }
        return VerificationReply(verification)
    }

    func cancel() async throws(ControlError) -> VerificationReply {
        guard let verification = await manifests.cancelVerification() else {
            throw ControlError(
                .conflict, "no verification is running",
                nextStep: "Begin one with 'framefast verify SESSION'.")
        }
        return VerificationReply(verification)
    }

    private func find(_ id: SessionID) async throws(ControlError) {
        guard try await ledger.asking({ try await $0.sessionName(id) }) != nil else {
            throw ControlError(
                .notFound, "cannot find session \(id)", nextStep: "See 'framefast session list'.")
        }
    }
}

extension SealReply {
    init(_ outcome: SealOutcome, session: SessionID) {
        self.init(
            session: session, folder: outcome.folder, generation: outcome.generation,
            manifest: outcome.name.map { "ascmhl/" + $0 }, sealed: outcome.sealed, read: outcome.read,
            awaitingReread: outcome.awaitingReread, leftOut: outcome.leftOut)
    }
}

extension VerificationReply {
    init(_ verification: SessionVerification) {
        var listed: [String: Int] = [:]
        let findings = verification.findings.filter { finding in
            listed[finding.what.word, default: 0] += 1
            return listed[finding.what.word, default: 0] <= Self.listedMax
        }
        self.init(
            session: verification.session, folder: verification.folder,
            state: State(verification.state),
            result: verification.result.map { Result(rawValue: $0.rawValue) }, files: verification.files,
            filesDone: verification.filesDone, bytesRead: Int64(clamping: verification.bytesRead),
            verified: verification.verified, missing: verification.count("missing"),
            changed: verification.count("changed"), cleared: verification.count("cleared"),
            findings: findings.map(VerificationFinding.init), generation: verification.generation,
            reason: verification.failure ?? verification.reason)
    }
}

extension VerificationReply.State {
    init(_ state: SessionVerification.State) {
        self =
            switch state {
            case .running: .running
            case .done: .done
            case .cancelled: .cancelled
            case .failed: .failed
            }
    }
}

extension VerificationFinding {
    fileprivate init(_ finding: SessionVerification.Finding) {
        let destinations =
            if case .cleared(let destinations) = finding.what { destinations } else { [DestinationName]() }
        self.init(path: finding.path, what: .init(rawValue: finding.what.word), destinations: destinations)
    }
}

extension ManifestUploadReply {
    init(_ upload: ManifestUpload) {
        self.init(
            folder: upload.folder, destination: upload.destination,
            state: upload.state == .retrying ? .retrying : .queued, generation: upload.generation,
            newest: upload.newest, retryAt: upload.nextAttemptAt, reason: upload.sentence,
            nextStep: upload.nextStep)
    }
}
