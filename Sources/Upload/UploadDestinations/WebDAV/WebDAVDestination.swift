import FrameFastModel
import FrameFastSystem
import TextForms
import UploadEngine

/// A destination in a WebDAV folder. An upload stores a photo under a hidden temporary name, verifies the
/// file, and then renames it without replacing another file.
///
/// Servers such as wsgidav and rclone keep the bytes of an interrupted PUT under the requested name. A PUT
/// therefore uses a temporary name if the server accepts one.
actor WebDAVDestination: UploadDestination {
    let settings: WebDAVSettings
    let client: HTTPClient
    let base: String
    let memory: DestinationMemory
    private let plans = TransferPlans()
    /// The folders that are known to exist.
    private var folders: Set<String> = []
    private static let foldersMax = 10_000

    init(
        _ settings: WebDAVSettings, memory: DestinationMemory = DestinationMemory(),
        clock: HostClock = .system
    ) {
        self.settings = settings
        self.memory = memory
        client = HTTPClient(
            url: settings.url, connection: settings.connection, credentials: settings.credentials,
            clock: clock)
        base = settings.url.hasSuffix("/") ? String(settings.url.dropLast()) : settings.url
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try HTTPClient.check(settings.url)
        try RemoteName.check(item.remoteName)
        let file = try PhotoFile(item)
        return try await plans.upload { () throws(UploadFailure) in
            try await self.runTrial(item)
        } _: { plan throws(UploadFailure) in
            try await self.upload(file, item, plan, progress)
        }
    }

    private func upload(
        _ file: PhotoFile, _ item: UploadItem, _ plan: TransferPlan,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let wanted = Self.movable(
            RemoteName.wanted(item, refusesTaken: plan.refusesTaken && memory.recognisesPhotos))
        let sent = try await earlierResult(file, item)
        if case .photo(let receipt) = sent { return receipt }
        guard plan.temporaryName != .final else {
            let receipt = try await store(file, item, wanted, progress)
            if plan.isUnproven {
                await memory.learn(
                    .rename, isOffered: false, reason: "\(client.place) does not allow temporary names.")
            }
            return receipt
        }
        let folder = RemoteName.split(wanted).folder
        let partName = RemoteName.part(item, plan.temporaryName)
        let part = address(folder, partName)
        let proof: Proof
        if case .part(part, let kept) = sent {
            proof = kept
            progress(item.bytes)
        } else {
            // Deletes the part of a broken attempt first, because some servers do not let clients replace a
            // file. A 401 counts only if an earlier removal succeeded, because some servers respond to every
            // removal with 401.
            if !item.isFirstTry, memory.offers(.remove),
                let response = try? await client.send("DELETE", part),
                response.status == 401, memory.capabilities[.remove]?.isOffered == true
            {
                throw client.refusal(response, at: .remove, part)
            }
            try await put(file, item, part, folder, progress)
            // Reads this value before the check, because the upload of another photo may change the value
            // during the check.
            let isChecked = memory.offers(.readBack)
            do throws(UploadFailure) { proof = try await verify(file, item, part) } catch {
                // A resume requires a server that can read the part back. After a power loss, a server may
                // keep a file's length and lose its bytes.
                if isChecked { await saveSent(item, partName, nil, wanted, after: error) }
                throw error
            }
        }
        return try await publish(item, partName, proof, wanted)
    }

    /// Returns a name without `;` and `?`. wsgidav decodes the `Destination` of a MOVE before it splits the
    /// text, and stores `a;1.JPG` as `a` (observed with 4.4.0).
    static func movable(_ name: String) -> String {
        String(name.map { $0 == ";" || $0 == "?" ? "_" : $0 })
    }

    /// Tests the server's features with two small files in the photo's folder.
    private func runTrial(_ item: UploadItem) async throws(UploadFailure) -> TransferPlan {
        let folder = RemoteName.split(Self.movable(item.remoteName)).folder
        // Checks all folders again, because a trial can follow a refusal.
        folders = []
        try await makeFolders(folder)
        return try await FeatureTrial(server: self, memory: memory, item: item, clock: client.clock)
            .run(testsTaken: !item.isNameChosen)
    }

    /// - Returns: The response to the successful PUT.
    func put(
        _ file: PhotoFile, _ item: UploadItem, _ part: String, _ folder: String, _ time: [HTTPHeader],
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> CurlResponse {
        if !folders.contains(folder) { try await makeFolders(folder) }
        let headers = [HTTPHeader("Content-Type", MediaType.of(item.remoteName))] + time
        var isRepeated = false
        while true {
            let response = try await client.send(
                "PUT", part, headers: headers, body: .photo(file), progress: progress)
            if response.isSuccess { return response }
            // Statuses for a missing folder: 409 by the standard, 404 from rclone, 500 from nginx.
            guard !isRepeated, [404, 409, 500].contains(response.status) else {
                throw client.refusal(response, at: .send, part)
            }
            folders.remove(folder)
            guard try await makeFolders(folder) else { throw client.refusal(response, at: .send, part) }
            isRepeated = true
        }
    }

    /// Creates the missing folders of a path.
    ///
    /// - Returns: Whether a folder was missing.
    @discardableResult
    private func makeFolders(_ folder: String) async throws(UploadFailure) -> Bool {
        var wanted = [""]
        for part in folder.split(separator: "/") {
            wanted.append(wanted.last.map { $0.isEmpty ? String(part) : "\($0)/\(part)" } ?? String(part))
        }
        var made = false
        for path in wanted where !folders.contains(path) {
            if try await makeFolder(path) { made = true }
            if folders.count >= Self.foldersMax { folders = [] }
            folders.insert(path)
        }
        return made
    }

    /// The evidence for a verified part.
    struct Proof {
        var kind: UploadReceipt.Proof
        var evidence: String
        /// The part's entity tag, or `nil` if it is unknown.
        var tag: String?
    }

    /// Compares the copy at a URL with the photo.
    ///
    /// - Parameters:
    ///   - isOnlyOurs: Whether only this upload uses the name. If `true`, a wrong copy is deleted.
    ///   - isKept: Whether an earlier attempt stored the copy. If `true`, the bytes are compared.
    func verify(
        _ file: PhotoFile, _ item: UploadItem, _ part: String, isOnlyOurs: Bool = true, isKept: Bool = false
    ) async throws(UploadFailure) -> Proof {
        let (showsSize, readsBack) = (memory.offers(.size), memory.offers(.readBack))
        let comparesBytes =
            isKept || settings.verification.readsBack(encrypted: client.isEncrypted) || !showsSize
        if readsBack && comparesBytes {
            let copy = try await client.readBack(part)
            guard copy.isPhoto(item) else { throw try await changedCopyFailure(file, item, part, isOnlyOurs) }
            return Proof(
                kind: .checksum, evidence: "sha256 \(item.sha256) read back", tag: copy.entityTag)
        }
        guard showsSize else {
            return Proof(kind: .word, evidence: UploadReceipt.notVerified, tag: nil)
        }
        let existing = try await fetchFacts(part)
        guard existing?.bytes == item.bytes else {
            throw try await changedCopyFailure(file, item, part, isOnlyOurs)
        }
        return Proof(kind: .size, evidence: "size \(item.bytes)", tag: existing?.tag)
    }

    private func changedCopyFailure(
        _ file: PhotoFile, _ item: UploadItem, _ part: String, _ isOnlyOurs: Bool
    ) async throws(UploadFailure) -> UploadFailure {
        if isOnlyOurs, memory.offers(.remove) { _ = try await client.send("DELETE", part) }
        try await file.checkUnchanged(item)
        return UploadFailure(.transient, "The photo arrived at \(client.place) corrupted or truncated.")
    }

    struct Facts {
        var bytes: UInt64?
        var tag: String?
    }

    /// Returns the length and tag of a file from HEAD. Uses PROPFIND if HEAD reports no length. Reads the
    /// file back if the server reports no sizes. Returns `nil` if the file does not exist, or if its
    /// properties contain no length.
    func fetchFacts(_ url: String) async throws(UploadFailure) -> Facts? {
        guard memory.offers(.size) else {
            let copy = try await client.send("GET", url, headers: [HTTPClient.uncached], sink: .hashed)
            if copy.status == 404 { return nil }
            guard copy.status == 200 else { throw client.refusal(copy, at: .readBack, url) }
            return Facts(bytes: copy.hashed?.bytes, tag: copy.entityTag)
        }
        let head = try await client.send("HEAD", url)
        if [404, 410].contains(head.status) { return nil }
        if head.isSuccess, let length = head.contentLength {
            return Facts(bytes: length, tag: head.entityTag)
        }
        let found = try await client.send("PROPFIND", url, headers: [HTTPHeader("Depth", "0")])
        if [404, 410].contains(found.status) { return nil }
        guard found.isSuccess else { throw client.refusal(found, at: .look, url) }
        guard found.text.contains(Self.lengthProperty) else { return nil }
        return Facts(bytes: Self.contentLength(inProperties: found.text), tag: head.entityTag)
    }

    private static let lengthProperty = "getcontentlength"

    /// Returns the length from a PROPFIND response, in bytes, or `nil` if the response contains no length.
    static func contentLength(inProperties xml: String) -> UInt64? {
        // Servers choose the prefix of the namespace, for example `D:` or `lp1:`, or use no prefix.
        guard let tag = xml.firstRange(of: lengthProperty),
            let opening = xml[tag.upperBound...].firstIndex(of: ">")
        else { return nil }
        return UInt64(xml[xml.index(after: opening)...].prefix { $0 != "<" })
    }

    func isSame(_ item: UploadItem, _ url: String) async throws(UploadFailure) -> Bool {
        guard memory.offers(.readBack), try await fetchFacts(url)?.bytes == item.bytes else { return false }
        return try await client.hasPhoto(item, at: url)
    }

    func url(_ name: String) -> String { "\(base)/\(PercentCoding.encode(name, keeping: .path))" }

    func address(_ folder: String, _ file: String) -> String {
        folder.isEmpty
            ? "\(base)/\(PercentCoding.encode(file))" : "\(url(folder))/\(PercentCoding.encode(file))"
    }

    /// Sends a request for the destination's folder.
    func probe() async throws(UploadFailure) {
        try HTTPClient.check(settings.url)
        try await client.probe("\(base)/", methods: ["OPTIONS", "HEAD"])
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        let response = try await client.send("DELETE", url(name))
        guard response.isSuccess else { throw client.refusal(response, at: .remove, url(name)) }
    }

    func relearnFeatures() async { await plans.reset() }

    func replacesTakenNames() async -> Bool? { await plans.refusesTaken.map { !$0 } }

    func close() async { client.transport.closeIdle() }
}
