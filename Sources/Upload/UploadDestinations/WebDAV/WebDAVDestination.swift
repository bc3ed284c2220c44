import TextForms
public import UploadEngine

/// Uploads to a WebDAV folder: to a hidden part name, verified there, then moved without replacing anything.
///
/// Servers keep what they got of a PUT that broke off under its name (uploads of wsgidav and rclone do), so a photo's
/// final name is never the target of a PUT.
public actor WebDAVDestination: UploadDestination {
    let settings: WebDAVSettings
    private let talk: HTTPTalk
    private let base: String
    /// Folders that are known to be there.
    private var folders: Set<String> = []
    private static let mostFolders = 10_000
    private let takenNames = TakenNames()

    /// Creates a destination.
    public init(_ settings: WebDAVSettings) {
        self.settings = settings
        talk = HTTPTalk(url: settings.url, connection: settings.connection, credentials: settings.credentials)
        base = settings.url.hasSuffix("/") ? String(settings.url.dropLast()) : settings.url
    }

    /// Uploads a photo.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try HTTPTalk.check(settings.url)
        try RemoteName.check(item.remoteName)
        let file = try PhotoFile(item)
        let folder = RemoteName.split(Self.movable(item.remoteName)).folder
        let part = address(folder, RemoteName.part(item))
        try await put(file, item, part, folder, progress)
        let proof = try await verify(item, part)
        let name = try await takenNames.name(item) { () throws(UploadFailure) in
            try await self.refusesTaken(item, folder)
        }
        let wanted = Self.movable(name)
        for number in 0...RemoteName.mostSuffixes {
            let candidate = RemoteName.candidate(wanted, number)
            let final = url(candidate)
            switch try await move(part, to: final, replaces: item.replaces) {
            case true:
                try await checkFinal(item, file, candidate, final, proof)
                return UploadReceipt(remoteName: candidate, proof: proof.kind, evidence: proof.evidence)
            case false:
                guard try await isSame(item, file, final) else { continue }
                // Without an answer the part may be there still, and the attempt has not ended.
                _ = try await talk.send("DELETE", part)
                return UploadReceipt(
                    remoteName: candidate, proof: .checksum, evidence: "sha256 \(item.sha256) read back",
                    wasThere: true)
            }
        }
        throw RemoteName.allTaken(item.remoteName, talk.place)
    }

    /// The name without `;` and `?`: wsgidav decodes a MOVE's Destination before it takes it apart, and files
    /// `a;1.JPG` as `a` (seen with 4.4.0).
    private static func movable(_ name: String) -> String {
        String(name.map { $0 == ";" || $0 == "?" ? "_" : $0 })
    }

    private func misfiled(_ name: String) -> UploadFailure {
        UploadFailure(
            .permanent(.unprocessable), "\(talk.place) took the photo and does not have it under \(name).",
            nextStep: "Look for it there, and keep to letters and digits in the destination's name template.")
    }

    /// Holds what has the final name against what was verified. Servers look whether a name is free and rename then: a
    /// photo that came in between has gone, and its station sees that here.
    private func checkFinal(
        _ item: UploadItem, _ file: PhotoFile, _ name: String, _ final: String, _ proof: Proof
    ) async throws(UploadFailure) {
        guard let there = try await look(final) else { throw misfiled(name) }
        guard there.bytes == item.bytes else {
            // Nobody else moves an empty file.
            if there.bytes == 0 { throw try await cut(final) }
            if try await isBeginning(of: file, there, final) { throw try await cut(final) }
            throw replaced(name)
        }
        // A rename keeps the tag of a file at most servers; elsewhere its bytes say it.
        if let tag = there.tag, tag == proof.tag { return }
        guard settings.verification.readsBack(encrypted: talk.isEncrypted) || there.tag != nil else {
            return
        }
        guard try await talk.hasPhoto(item, at: final) else { throw replaced(name) }
    }

    private func replaced(_ name: String) -> UploadFailure {
        UploadFailure(
            .transient, "Something else has the name \(name) at \(talk.place) now: another one is taken.")
    }

    /// Whether what is there is a cut copy of the photo. A server may file what it got of a broken request after the
    /// whole photo of the next try, and so cut what is verified and about to be moved (seen with wsgidav and rclone, when
    /// they have more connections than threads). Nothing is lost with it.
    private func isBeginning(of file: PhotoFile, _ there: Facts, _ url: String) async throws(UploadFailure)
        -> Bool
    {
        guard let bytes = there.bytes, bytes > 0, bytes < file.bytes else { return false }
        guard let read = try await talk.readBack(url).hashed, read.bytes == bytes else { return false }
        return try await file.sha256(count: bytes) == read.sha256
    }

    /// Moves one small file to the name of another.
    private func refusesTaken(_ item: UploadItem, _ folder: String) async throws(UploadFailure) -> Bool {
        let trials = RemoteName.trials(item)
        let (first, second) = (address(folder, trials.first), address(folder, trials.second))
        for url in [first, second] {
            let answer = try await talk.send("PUT", url, body: .text(TakenNames.text))
            guard answer.isSuccess else { throw answer.refusal(place: talk.place) }
        }
        let isMoved = try await move(first, to: second)
        for url in isMoved ? [second] : [first, second] { _ = try await talk.send("DELETE", url) }
        return !isMoved
    }

    private func put(
        _ file: PhotoFile, _ item: UploadItem, _ part: String, _ folder: String,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) {
        if !folders.contains(folder) { try await makeFolders(folder) }
        let headers = [HTTPHeader("Content-Type", MediaType.of(item.remoteName))]
        for isRepeated in [false, true] {
            let answer = try await talk.send(
                "PUT", part, headers: headers, body: .photo(file), progress: progress)
            if answer.isSuccess { return }
            // A missing folder: 409 by the standard, 404 of rclone, 500 of nginx.
            guard !isRepeated, [404, 409, 500].contains(answer.status) else {
                throw answer.refusal(place: talk.place)
            }
            folders.remove(folder)
            guard try await makeFolders(folder) else { throw answer.refusal(place: talk.place) }
        }
    }

    /// Makes the folders on the way to `folder` that are not there.
    ///
    /// - Returns: Whether one of them had been missing.
    @discardableResult
    private func makeFolders(_ folder: String) async throws(UploadFailure) -> Bool {
        var wanted = [""]
        for part in folder.split(separator: "/") {
            wanted.append(wanted.last.map { $0.isEmpty ? String(part) : "\($0)/\(part)" } ?? String(part))
        }
        var made = false
        for path in wanted where !folders.contains(path) {
            let answer = try await talk.send("MKCOL", address(path, ""))
            switch answer.status {
            case 201: made = true
            // 405: it is there. The top may be where nobody may make anything, and be there all the same.
            case 200..<300, 405: break
            case _ where path.isEmpty && [301, 302, 403, 409].contains(answer.status): break
            default:
                throw answer.refusal(
                    place: talk.place,
                    detail: path.isEmpty ? "making its folder" : "making the folder \(path)")
            }
            if folders.count >= Self.mostFolders { folders = [] }
            folders.insert(path)
        }
        return made
    }

    /// What is known of the part.
    private struct Proof {
        var kind: UploadReceipt.Proof
        var evidence: String
        /// Its entity tag.
        var tag: String?
    }

    private func verify(_ item: UploadItem, _ part: String) async throws(UploadFailure) -> Proof {
        if settings.verification.readsBack(encrypted: talk.isEncrypted) {
            let back = try await talk.readBack(part)
            guard back.isPhoto(item) else { throw try await cut(part) }
            return Proof(
                kind: .checksum, evidence: "sha256 \(item.sha256) read back", tag: back.entityTag)
        }
        let there = try await look(part)
        guard there?.bytes == item.bytes else { throw try await cut(part) }
        return Proof(kind: .size, evidence: "size \(item.bytes)", tag: there?.tag)
    }

    /// Removes what is not the photo.
    private func cut(_ url: String) async throws(UploadFailure) -> UploadFailure {
        _ = try await talk.send("DELETE", url)
        return UploadFailure(.transient, "The photo arrived at \(talk.place) changed or cut.")
    }

    private struct Facts {
        var bytes: UInt64?
        var tag: String?
    }

    /// Length by HEAD, and by PROPFIND where HEAD does not tell; `nil` when nothing is there.
    private func look(_ url: String) async throws(UploadFailure) -> Facts? {
        let head = try await talk.send("HEAD", url)
        if head.status == 404 { return nil }
        if head.isSuccess, let length = head.contentLength {
            return Facts(bytes: length, tag: head.entityTag)
        }
        let found = try await talk.send("PROPFIND", url, headers: [HTTPHeader("Depth", "0")])
        guard found.isSuccess else { throw found.refusal(place: talk.place) }
        guard found.text.contains(Self.lengthProperty) else { return nil }
        return Facts(bytes: Self.contentLength(inProperties: found.text), tag: head.entityTag)
    }

    private static let lengthProperty = "getcontentlength"

    /// The length in an answer to PROPFIND; `nil` when it tells none.
    static func contentLength(inProperties xml: String) -> UInt64? {
        // The prefix of the namespace is the server's choice: `D:`, `lp1:` or none.
        guard let tag = xml.firstRange(of: lengthProperty),
            let opening = xml[tag.upperBound...].firstIndex(of: ">")
        else { return nil }
        return UInt64(xml[xml.index(after: opening)...].prefix { $0 != "<" })
    }

    /// - Returns: Whether it was moved; `false` when the name is taken.
    private func move(
        _ part: String, to final: String, replaces: Bool = false
    ) async throws(UploadFailure) -> Bool {
        let headers = [HTTPHeader("Destination", final), HTTPHeader("Overwrite", replaces ? "T" : "F")]
        let answer = try await talk.send("MOVE", part, headers: headers)
        if answer.status == 412 { return false }
        guard answer.isSuccess else { throw answer.refusal(place: talk.place, detail: "renaming") }
        return true
    }

    /// Whether an earlier try brought the photo there; what one brought cut is removed, and the photo sent again.
    private func isSame(_ item: UploadItem, _ file: PhotoFile, _ url: String) async throws(UploadFailure)
        -> Bool
    {
        guard let there = try await look(url) else { return false }
        guard there.bytes == item.bytes else {
            if !item.isFirstTry, try await isBeginning(of: file, there, url) { throw try await cut(url) }
            return false
        }
        return try await talk.hasPhoto(item, at: url)
    }

    private func url(_ name: String) -> String { "\(base)/\(PercentCoding.encode(name, keeping: .path))" }

    private func address(_ folder: String, _ file: String) -> String {
        folder.isEmpty
            ? "\(base)/\(PercentCoding.encode(file))" : "\(url(folder))/\(PercentCoding.encode(file))"
    }

    /// Asks for the folder.
    public func probe() async throws(UploadFailure) {
        try HTTPTalk.check(settings.url)
        try await talk.probe("\(base)/", method: "OPTIONS")
    }

    /// Deletes it.
    public func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        let answer = try await talk.send("DELETE", url(name))
        guard answer.isSuccess else { throw answer.refusal(place: talk.place) }
    }

    /// See ``UploadDestination/replacesTakenNames()``.
    public func replacesTakenNames() async -> Bool? { await takenNames.known.map { !$0 } }

    /// A MOVE may replace.
    public nonisolated var takesManifests: Bool { true }

    /// Idle connections are closed.
    public func close() async { talk.transport.closeIdle() }
}
