import FrameFastModel
import UploadEngine

/// The steps of an upload after the transfer.
extension SFTPUpload {
    /// The largest number of names to try on a server that shows existing files only by refusing a rename.
    private static let suffixesMaxWithoutSizes = 20

    /// Runs a step after the transfer. If the step fails, the next attempt checks the part. If the part is
    /// complete, the next attempt repeats the step without sending bytes.
    ///
    /// - Parameters:
    ///   - file: The path of the file with the photo's bytes. Only a part file gets the resume point
    ///     ``isSent``.
    ///   - name: The path in the step's request, or `nil` for `file`.
    func afterTransfer<Value>(
        _ step: UploadStep, of file: String, named name: String? = nil, _ run: () async throws -> Value
    ) async throws -> Value {
        do { return try await run() } catch {
            await saveSent(file)
            guard let refused = error as? SFTPError, case .status = refused else { throw error }
            throw SFTPStepError(step: step, path: name ?? file, error: refused)
        }
    }

    private func saveSent(_ file: String) async {
        if file == partPath { await item.saveResumePoint(Self.isSent) }
    }

    /// Waits for the reply to an fsync, and records whether the server supports it.
    func checkSync(_ synced: SFTPPending?, of path: String) async throws {
        do throws(SFTPError) {
            try await synced?.ok()
            if synced != nil { await memory.learn(.sync, isOffered: true) }
        } catch {
            guard case .status(let status, let text) = error else {
                await saveSent(path)
                throw error
            }
            // Tests fsync with a small file. If the server also refuses the fsync of the small file, the
            // server does not support fsync.
            let name = RemoteName.trials(item, plan.temporaryName).first
            let trial = SFTPTrial(settings: settings) { () throws(UploadFailure) in connection }
            if try await trial.canSync(inFolderOf: path, named: name) {
                if status == .failure {
                    // The server's disk failed. The bytes may be lost, and a second fsync would not report
                    // the loss.
                    try await discardPart(path)
                } else {
                    await saveSent(path)
                }
                throw SFTPStepError(step: .sync, path: path, error: error)
            }
            await memory.learn(.sync, isOffered: false, reason: text)
        }
    }

    func verify(_ path: String) async throws -> (proof: UploadReceipt.Proof, text: String) {
        switch settings.verification {
        case .size where memory.offers(.size): return (.size, "size \(photo.bytes)")
        case .size, .readBack:
            guard memory.offers(.readBack) else {
                return memory.offers(.size)
                    ? (.size, "size \(photo.bytes)") : (.word, UploadReceipt.notVerified)
            }
            let isSame = try await afterTransfer(.readBack, of: path) {
                try await compare(path, upTo: photo.bytes)
            }
            guard isSame else {
                try await discardPart(path)
                throw wrong("differs when it is read back")
            }
            return (.checksum, "read back, \(photo.bytes) bytes are equal")
        case .command(let program):
            let sum = try await afterTransfer(.readBack, of: path) {
                try await SSHChecksum(settings: settings, program: program).sum(
                    of: path, bytes: photo.bytes)
            }
            guard sum == item.sha256 else {
                try await discardPart(path)
                try await photo.checkUnchanged(item)
                throw wrong("has a different SHA-256 on the server")
            }
            return (.checksum, "sha256 \(sum)")
        }
    }

    func publish(
        _ wanted: String, evidence: (proof: UploadReceipt.Proof, text: String)
    ) async throws -> UploadReceipt {
        var name = wanted
        var wasRemoved = false
        for _ in 0..<(memory.offers(.size) ? Self.suffixesMax : Self.suffixesMaxWithoutSizes) {
            let target = path(of: name)
            let reportsSize = memory.offers(.size)
            let look: [SFTPRequest] = reportsSize ? [.linkFacts(path: target)] : []
            let requests = session.send([.rename(from: partPath, to: target)] + look)
            let (renamed, facts) = (requests[0], reportsSize ? requests[1] : nil)
            await requests.last?.waitUntilSettled()
            do throws(SFTPError) {
                try await renamed.ok()
            } catch {
                guard case .status = error else { throw error }
                guard let taken = try await linkFacts(facts) else {
                    let isOnlyOurs = RemoteName.isOnlyOurs(name, of: item)
                    if !wasRemoved, memory.replacesUnseen(item, isOnlyOurs: isOnlyOurs) {
                        wasRemoved = true
                        do throws(SFTPError) {
                            try await session.send(.remove(path: target)).ok()
                        } catch let removal {
                            guard case .status = removal else { throw removal }
                            throw error
                        }
                        continue
                    }
                    // On a server that reports no sizes, only a refused rename shows that a file with the
                    // name exists.
                    guard !reportsSize, plan.refusesTaken else { throw error }
                    if memory.offers(.readBack), (try? await compare(target, upTo: photo.bytes)) == true {
                        return try await alreadyExisted(name)
                    }
                    name = try await freeName(after: name, of: wanted)
                    continue
                }
                // Another client stored a file under the name after the check.
                if try await isOurs(target, facts: taken) { return try await alreadyExisted(name) }
                name = try await freeName(after: name, of: wanted)
                continue
            }
            let bytes = try await finalFacts(facts, of: target)?.bytes
            guard bytes == photo.bytes || !reportsSize else {
                throw wrong("has \(bytes ?? 0) bytes under its final name")
            }
            return UploadReceipt(remoteName: name, proof: evidence.proof, evidence: evidence.text)
        }
        throw RemoteName.allTaken(item.remoteName, settings.host)
    }

    /// Waits for the attributes of the final name after the rename.
    private func finalFacts(_ request: SFTPPending?, of path: String) async throws -> SFTPFacts? {
        do throws(SFTPError) { return try await linkFacts(request) } catch {
            guard case .status = error else { throw error }
            throw SFTPStepError(step: .look, path: path, error: error)
        }
    }

    func alreadyExisted(_ name: String) async throws -> UploadReceipt {
        try await removePart(partPath)
        progress(photo.bytes)
        let isRead = memory.offers(.readBack)
        return UploadReceipt(
            remoteName: name, proof: isRead ? .checksum : .size,
            evidence: isRead
                ? "the destination already had the same \(photo.bytes) bytes" : "size \(photo.bytes)",
            alreadyExisted: true)
    }

    /// Returns the first name with a suffix that is free or already belongs to this photo. If the server
    /// reports no sizes, returns the name that follows `taken`.
    func freeName(after taken: String, of wanted: String) async throws -> String {
        var isPastTaken = taken == wanted
        for suffix in 2...Self.suffixesMax {
            let name = NamingTemplate.path(wanted, suffix: suffix)
            guard memory.offers(.size) else {
                // A server that reports no sizes shows existing files only by refusing the rename.
                if isPastTaken { return name }
                isPastTaken = name == taken
                continue
            }
            guard let facts = try await session.send(.linkFacts(path: path(of: name))).facts() else {
                return name
            }
            // The file is this photo. An earlier attempt stored the file without recording the delivery.
            if name != taken, try await isOurs(path(of: name), facts: facts) { return name }
        }
        throw RemoteName.allTaken(item.remoteName, settings.host)
    }

    /// Returns whether a file is this photo.
    ///
    /// - Parameter bySize: Whether an equal size is enough if the server cannot read back.
    func isOurs(_ path: String, facts: SFTPFacts, bySize: Bool = false) async throws -> Bool {
        guard facts.isFile, facts.bytes == photo.bytes else { return false }
        guard memory.offers(.readBack) else { return bySize }
        return try await SFTPComparison(connection: connection, photo: photo).isSame(path)
    }
}
