import FrameFastModel
import UploadEngine

/// The steps after the transfer.
extension SFTPUpload {
    /// The most names that are tried where only a refused rename tells that a name is taken.
    private static let blindSuffixesMax = 20

    func verify(_ path: String) async throws -> (proof: UploadReceipt.Proof, text: String) {
        switch settings.verification {
        case .size where memory.offers(.size): return (.size, "size \(photo.bytes)")
        case .size, .readBack:
            guard memory.offers(.readBack) else {
                return memory.offers(.size)
                    ? (.size, "size \(photo.bytes)") : (.word, "not verified by the server")
            }
            guard try await SFTPCompare(connection: connection, photo: photo).isSame(path) else {
                try await discardPart(path)
                throw wrong("differs when it is read back")
            }
            return (.checksum, "read back, \(photo.bytes) bytes are equal")
        case .command(let program):
            let sum = try await SSHChecksum(settings: settings, program: program).sum(of: path)
            guard sum == item.sha256 else {
                try await discardPart(path)
                throw wrong("has another SHA-256 there")
            }
            return (.checksum, "sha256 \(sum)")
        }
    }

    func publish(
        _ wanted: String, evidence: (proof: UploadReceipt.Proof, text: String)
    ) async throws -> UploadReceipt {
        var name = wanted
        for _ in 0..<(memory.offers(.size) ? Self.suffixesMax : Self.blindSuffixesMax) {
            let target = path(of: name)
            let tellsSize = memory.offers(.size)
            let look: [SFTPRequest] = tellsSize ? [.linkFacts(path: target)] : []
            let asked = session.send([.rename(from: partPath, to: target)] + look)
            let (renamed, facts) = (asked[0], tellsSize ? asked[1] : nil)
            await asked.last?.isThere()
            do throws(SFTPError) {
                try await renamed.ok()
            } catch {
                guard case .status = error else { throw error }
                guard let taken = try await linkFacts(facts) else {
                    // Such a server tells only by its refusal that a name is taken.
                    guard !tellsSize, plan.refusesTaken else { throw error }
                    if memory.offers(.readBack), (try? await compare(target, upTo: photo.bytes)) == true {
                        return try await wasThere(name)
                    }
                    name = try await freeName(after: name, of: wanted)
                    continue
                }
                // Taken in the meantime.
                if try await isOurs(target, facts: taken) { return try await wasThere(name) }
                name = try await freeName(after: name, of: wanted)
                continue
            }
            let bytes = try await linkFacts(facts)?.bytes
            guard bytes == photo.bytes || !tellsSize else {
                throw wrong("has \(bytes ?? 0) bytes under its final name")
            }
            return UploadReceipt(remoteName: name, proof: evidence.proof, evidence: evidence.text)
        }
        throw RemoteName.allTaken(item.remoteName, settings.host)
    }

    func wasThere(_ name: String) async throws -> UploadReceipt {
        try await removePart(partPath)
        progress(photo.bytes)
        let isRead = memory.offers(.readBack)
        return UploadReceipt(
            remoteName: name, proof: isRead ? .checksum : .size,
            evidence: isRead ? "the same \(photo.bytes) bytes were there" : "size \(photo.bytes)",
            wasThere: true)
    }

    /// The first name with a suffix that nothing has, after one that is taken.
    func freeName(after taken: String, of wanted: String) async throws -> String {
        var isBehind = taken == wanted
        for suffix in 2...Self.suffixesMax {
            let name = NamingTemplate.path(wanted, suffix: suffix)
            guard memory.offers(.size) else {
                // The server's refusal of a rename tells which names are taken.
                if isBehind { return name }
                isBehind = name == taken
                continue
            }
            guard let facts = try await session.send(.linkFacts(path: path(of: name))).facts() else {
                return name
            }
            // A photo that was brought there before its record was kept.
            if name != taken, try await isOurs(path(of: name), facts: facts) { return name }
        }
        throw RemoteName.allTaken(item.remoteName, settings.host)
    }

    /// Whether a file is this photo.
    ///
    /// - Parameter bySize: Whether its size is enough where nothing is read back.
    func isOurs(_ path: String, facts: SFTPFacts, bySize: Bool = false) async throws -> Bool {
        guard facts.isFile, facts.bytes == photo.bytes else { return false }
        guard memory.offers(.readBack) else { return bySize }
        return try await SFTPCompare(connection: connection, photo: photo).isSame(path)
    }
}
