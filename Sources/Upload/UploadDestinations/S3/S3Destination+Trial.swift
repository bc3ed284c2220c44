import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// A trial that tests the server's features with small objects.
extension S3Destination {
    /// The time before the trial repeats a write of the same name. Cloudflare R2 and Google Cloud Storage
    /// accept one write of a name per second. Photos have different names.
    private static let writePause = Duration.seconds(1.5)
    /// The name of an object that is sent with a wrong checksum. The server should refuse the object.
    private static let sumProbe = ".framefast-checksum-probe"

    /// Tests which headers the server accepts, whether it reports sizes, and whether it refuses to overwrite
    /// objects. The trial uses a small object that only this installation uses.
    func runTrial(_ item: UploadItem) async throws(UploadFailure) -> TransferPlan {
        let names = TemporaryName.allCases.filter { $0 != .final }.map {
            key(RemoteName.sibling(item.remoteName, RemoteName.trials(item, $0).first))
        }
        let trial = HeaderTrial(memory: memory, headers: [.checksumHeader, .md5Header, .metadata])
        var plan = TransferPlan(temporaryName: .final, refusesTaken: conditionKnown ?? false)
        let name = try await trial.run(names) { name, without throws(UploadFailure) in
            let response = try await client.send(
                "PUT", key: name, headers: Self.trialHeaders(name, without: without),
                body: .text(TrialFile.text))
            guard !response.isRefused else { throw client.refusal(response, at: .send, name) }
        }
        if let name {
            let failure: UploadFailure?
            do throws(UploadFailure) {
                if let refuses = try await testFeatures(name) { plan.refusesTaken = refuses }
                failure = nil
            } catch { failure = error }
            await TrialRemoval.run(clock: client.client.clock) { [client] in
                _ = try? await client.send("DELETE", key: name)
            }
            if let failure { throw failure }
        } else {
            plan.isUnproven = true
        }
        plan.refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        return plan
    }

    /// Tests the server's features with the stored object. Stores the object again before a repeated test.
    ///
    /// - Returns: Whether the server refuses to overwrite objects, or `nil` if the settings decide this.
    private func testFeatures(_ name: String) async throws(UploadFailure) -> Bool? {
        trialTag = nil
        try await memory.runTrial(.size, clock: client.client.clock) { () throws(UploadFailure) in
            try await storeTrial(name)
        } _: { () throws(UploadFailure) in
            try await reportsSize(name)
        }
        if let trialTag { tagsAreMD5 = try await mayBeMD5(trialTag, of: name) }
        guard conditionKnown == nil else { return nil }
        return try await memory.runTrial(.condition, clock: client.client.clock) { () throws(UploadFailure) in
            try await storeTrial(name)
        } _: { () throws(UploadFailure) in
            try await refusesTaken(name)
        }
    }

    /// Returns whether the server reports the object's size, or `nil` if this is unknown. Also records the
    /// object's entity tag.
    private func reportsSize(_ key: String) async throws(UploadFailure) -> Bool? {
        let head = try await client.send("HEAD", key: key)
        // The trial has stored the object. A 404 is therefore inconclusive: read permission may be
        // missing.
        if head.http.status == 404 { return nil }
        guard !head.isRefused else { throw client.refusal(head, at: .look, key) }
        trialTag = head.http.md5Tag
        return head.http.contentLength == TrialFile.bytes
    }

    /// Returns whether entity tags may be MD5s. Returns `false` if the object has the right bytes, and its
    /// tag looks like an MD5 but differs from the MD5 of these bytes. For example, Fastly encrypts all
    /// objects.
    ///
    /// - Throws: The failure if the object can't be read now. If the trial succeeded without this answer, all
    ///   photos would count as corrupted until the next trial.
    private func mayBeMD5(_ tag: String, of key: String) async throws(UploadFailure) -> Bool {
        guard tag != Hex.text(Insecure.MD5.hash(data: Data(TrialFile.text.utf8))) else { return true }
        let copy = try await client.send("GET", key: key)
        guard !copy.http.isTemporaryRefusal else { throw client.refusal(copy, at: .readBack, key) }
        return copy.isRefused || copy.http.text != TrialFile.text
    }

    /// Returns whether the server refuses a conditional PUT because the object exists.
    private func refusesTaken(_ key: String) async throws(UploadFailure) -> Bool {
        var response = try await putIfFree(key)
        if [429, 503].contains(response.http.status) {
            do { try await client.client.clock.sleep(for: Self.writePause) } catch {
                throw UploadFailure.stopped
            }
            response = try await putIfFree(key)
        }
        if response.http.status == 412 { return true }
        if response.isRefused { throw client.refusal(response, at: .send, key) }
        return false
    }

    /// Stores the small object on the condition that no object has its name.
    private func putIfFree(_ key: String) async throws(UploadFailure) -> S3Response {
        try await client.send(
            "PUT", key: key, headers: [Self.typeHeader(key), HTTPHeader("If-None-Match", "*")],
            body: .text(TrialFile.text))
    }

    /// Stores the small object with all headers that the server accepts.
    private func storeTrial(_ key: String) async throws(UploadFailure) {
        let refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        let response = try await client.send(
            "PUT", key: key, headers: Self.trialHeaders(key, without: refused), body: .text(TrialFile.text))
        guard !response.isRefused else { throw client.refusal(response, at: .send, key) }
    }

    /// Returns the same headers as for a photo, with the values for the small object.
    private static func trialHeaders(_ key: String, without: Set<DestinationFeature>) -> [HTTPHeader] {
        let bytes = Data(TrialFile.text.utf8)
        let sum = Data(SHA256.hash(data: bytes))
        let all: [(DestinationFeature, HTTPHeader)] = [
            (.checksumHeader, HTTPHeader("x-amz-checksum-sha256", sum.base64EncodedString())),
            (
                .md5Header,
                HTTPHeader("Content-MD5", Data(Insecure.MD5.hash(data: bytes)).base64EncodedString())
            ),
            (.metadata, HTTPHeader("x-amz-meta-sha256", Hex.text(sum))),
            (.metadata, timeHeader(TrialFile.time)),
        ]
        return [typeHeader(key)] + all.filter { !without.contains($0.0) }.map(\.1)
    }

    /// Returns whether the server refuses a wrong checksum. The function sends a few bytes with a wrong
    /// checksum, under a separate name. A server that verifies checksums does not store these bytes.
    func refusesWrongSum() async -> Bool {
        let key = key(Self.sumProbe)
        let headers = [
            Self.typeHeader(key), HTTPHeader("x-amz-checksum-sha256", Data(count: 32).base64EncodedString()),
        ]
        guard
            let response = try? await client.send("PUT", key: key, headers: headers, body: .text("FrameFast"))
        else { return false }
        if !response.isRefused { _ = try? await client.send("DELETE", key: key) }
        return response.isRefused && response.http.status == 400
    }
}
