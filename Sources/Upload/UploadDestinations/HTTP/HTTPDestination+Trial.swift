import Crypto
import Foundation
import UploadEngine

/// A trial that tests the server's features with a small file.
extension HTTPDestination {
    /// Tests which headers the server accepts, whether clients can read stored files, and whether the server
    /// refuses to overwrite files.
    func runTrial(_ item: UploadItem) async throws(UploadFailure) -> TransferPlan {
        let names = TemporaryName.allCases.filter { $0 != .final }.map {
            RemoteName.sibling(item.remoteName, RemoteName.trials(item, $0).first)
        }
        let trial = HeaderTrial(memory: memory, headers: [.md5Header])
        var plan = TransferPlan(temporaryName: .final)
        let name = try await trial.run(names) { name, without throws(UploadFailure) in
            let sum = Data(Insecure.MD5.hash(data: Data(TrialFile.text.utf8))).base64EncodedString()
            let url = try url(name, item)
            let extra = without.contains(.md5Header) ? [] : [HTTPHeader("Content-MD5", sum)]
            let response = try await client.send(
                "PUT", url, headers: try headers(item) + extra, body: .text(TrialFile.text))
            guard response.isSuccess else { throw client.refusal(response, at: .send, url) }
        }
        if let name {
            let url = try url(name, item)
            let failure: UploadFailure?
            do throws(UploadFailure) {
                plan.refusesTaken = try await testFeatures(url, item)
                failure = nil
            } catch { failure = error }
            await TrialRemoval.run(clock: client.clock) { _ = try? await client.send("DELETE", url) }
            if let failure { throw failure }
        } else {
            plan.isUnproven = true
        }
        plan.refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        return plan
    }

    /// Tests the server's features with the stored trial file. Stores the file again before a repeated test.
    ///
    /// - Returns: Whether the server refuses to overwrite an existing file.
    private func testFeatures(_ url: String, _ item: UploadItem) async throws(UploadFailure) -> Bool {
        let store = { () async throws(UploadFailure) in try await storeTrial(url, item) }
        try await memory.runTrial(.size, clock: client.clock, storing: store) { () throws(UploadFailure) in
            let head = try await client.send("HEAD", url)
            // Some servers show a stored file only after a delay.
            if head.status == 404 { return nil }
            guard head.isSuccess else { throw client.refusal(head, at: .look, url) }
            // Some scripts respond to each HEAD with 200 and a wrong length.
            return head.contentLength == TrialFile.bytes
        }
        try await memory.runTrial(.readBack, clock: client.clock, storing: store) {
            () throws(UploadFailure) in
            let copy = try await client.send("GET", url, headers: [HTTPClient.uncached], sink: .hashed)
            if copy.status == 404 { return nil }
            guard copy.status == 200 else { throw client.refusal(copy, at: .readBack, url) }
            return copy.hashed?.bytes == TrialFile.bytes
        }
        var refuses = false
        try await memory.runTrial(.condition, clock: client.clock, storing: store) {
            () throws(UploadFailure) in
            refuses = try await refusesTaken(url, item)
            // The feature means only that the server accepts photos with the header. A server that ignores
            // the header has the feature, but replaces existing files, so `refuses` is `false`.
            return true
        }
        return refuses
    }

    /// Returns whether the server refuses a conditional PUT because the file exists.
    private func refusesTaken(_ url: String, _ item: UploadItem) async throws(UploadFailure) -> Bool {
        let response = try await client.send(
            "PUT", url, headers: try headers(item) + [HTTPHeader("If-None-Match", "*")],
            body: .text(TrialFile.text))
        if response.status == 412 { return true }
        guard response.isSuccess else { throw client.refusal(response, at: .send, url) }
        return false
    }

    private func storeTrial(_ url: String, _ item: UploadItem) async throws(UploadFailure) {
        let response = try await client.send(
            "PUT", url, headers: try headers(item), body: .text(TrialFile.text))
        guard response.isSuccess else { throw client.refusal(response, at: .send, url) }
    }
}
