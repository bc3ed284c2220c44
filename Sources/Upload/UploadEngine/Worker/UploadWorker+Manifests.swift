import Foundation
import FrameFastModel
import FrameFastSystem
import Store

/// Manifests: they go after the photos that they record, when nothing else is to be sent.
extension UploadWorker {
    /// Time until one is tried again that is refused until a person changes something, in seconds.
    private static let refusedPauseSeconds = 3600.0

    /// There may be new ones, or something that kept them back is over.
    func lookForManifests() {
        manifests.isWanted = true
        bell.ring()
    }

    /// Sends a folder's manifests, if any may go.
    func sendManifests() async {
        let now = clock.now()
        guard target.destination.takesManifests, running.isEmpty, startable > 0,
            gate.breaker.state == .closed,
            manifests.mayLook(at: now)
        else { return }
        manifests.looks(at: now)
        guard
            let (due, later) = try? await ledger.store.manifestUploadDue(
                destination: target.name, at: now)
        else { return manifests.looked(later: now, at: now) }
        manifests.looked(later: later, at: now)
        guard let due, !manifests.isSending else { return }
        manifests.begins(at: now, stallSeconds: target.stallSeconds)
        // Not of the worker's group: a place that hangs must not hold its end.
        manifests.sends(Task(executorPreference: UploadThread.shared) { await self.send(due) })
    }

    private func send(_ upload: ManifestUpload) async {
        do throws(UploadFailure) {
            let last = try await bring(upload)
            _ = await ledger.insist { try await $0.manifestsDelivered(upload, upTo: last) }
        } catch {
            await failed(upload, error)
        }
        manifests.ended()
        bell.ring()
    }

    /// Brings the manifests that are not there, in order, and then the chain that names them.
    ///
    /// - Returns: the newest generation that is there.
    private func bring(_ upload: ManifestUpload) async throws(UploadFailure) -> Int {
        let read = manifestFiles
        // The chain first, in one piece: whatever is sealed meanwhile, it names only what is sent before it.
        guard let history = try? await files.run({ try read(upload.folder) }),
            let last = history.manifests.last
        else {
            throw UploadFailure(
                .sourceAway, "The manifests in \(upload.folder) cannot be read.",
                nextStep: "Run 'framefast verify' to see what is wrong with them.")
        }
        let (local, remote) = (
            "\(upload.folder)/\(history.folderName)/", "\(upload.remoteFolder)\(history.folderName)/"
        )
        for manifest in history.manifests where manifest.generation > upload.generation {
            let path = local + manifest.name
            let (bytes, sha256) = try await files.run { () throws(UploadFailure) in
                try LocalFile.facts(of: path)
            }
            let item = UploadItem(
                jobID: 0, localPath: path, bytes: bytes, sha256: sha256, station: station.name,
                remoteName: remote + manifest.name)
            try await bring(item, as: .manifest)
        }
        let chain = try SmallFile(
            Data(history.chain), name: "framefast-chain-\(UUID().uuidString.lowercased()).xml",
            words: "The chain of the manifests")
        if !upload.hasChain { _ = await ledger.insist { try await $0.beginChain(of: upload) } }
        try await bring(
            chain.item(remote + history.chainName, jobID: 0, station: station.name, facts: [:]),
            as: upload.hasChain ? .chain : .manifest)
        withExtendedLifetime(chain) {}
        return last.generation
    }

    /// Brings a file under exactly its name, or not at all.
    private func bring(_ file: UploadItem, as role: UploadItem.Role) async throws(UploadFailure) {
        var item = file
        (item.role, item.isNameChosen, item.pace) = (role, true, pace)
        manifests.begins(at: clock.now(), stallSeconds: target.stallSeconds)
        let receipt = try await target.destination.upload(item) { _ in }
        guard receipt.remoteName != item.remoteName else { return }
        if !receipt.wasThere { try? await target.destination.remove(item, named: receipt.remoteName) }
        throw UploadFailure(
            .permanent(.conflict), "Another file has the name \(item.remoteName) there.",
            nextStep: "Give this computer's sessions other names, or the destination another folder.")
    }

    private func failed(_ upload: ManifestUpload, _ failure: UploadFailure) async {
        let now = clock.now()
        let wait: Double
        switch failure.kind {
        // It was paused, or the service stops; a file that took too long is tried again as if it was cut off.
        case .cancelled where ledger.stop.isRaised || gate.isPaused || gate.isHeldByMeter: return
        case .outage, .refused:
            note(failure, at: now)
            wait = UploadBackoff.seconds(failuresInARow: upload.failures + 1, jitter: clock.random())
        case .permanent: wait = Self.refusedPauseSeconds
        case .transient, .cancelled, .sourceAway:
            wait = UploadBackoff.seconds(failuresInARow: upload.failures + 1, jitter: clock.random())
        }
        let isForeign = failure.kind == .permanent(.conflict) && !upload.hasChain
        let attempt = failure.failedAttempt
        _ = await ledger.insist {
            try await $0.manifestsFailed(
                upload, sentence: attempt.sentence, nextStep: attempt.nextStep,
                next: now.addingTimeInterval(wait), isChainForeign: isForeign)
        }
    }
}
