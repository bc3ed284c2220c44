import Crypto
import Foundation
import FrameFastModel
import UploadEngine

/// A small file that finds out what a server takes.
extension HTTPDestination {
    /// Finds out, with a small file, which headers the server takes, whether it shows files, and whether it
    /// refuses a name that is taken.
    func tryOut(_ item: UploadItem) async throws(UploadFailure) -> TransferPlan {
        let names = TemporaryName.allCases.filter { $0 != .final }.map {
            RemoteName.beside(item.remoteName, RemoteName.trials(item, $0).first)
        }
        let trial = HeaderTrial(memory: memory, headers: [.md5Header])
        var plan = TransferPlan(temporaryName: .final)
        let name = try await trial.run(names) { name, without throws(UploadFailure) in
            let sum = Data(Insecure.MD5.hash(data: Data(TakenNames.text.utf8))).base64EncodedString()
            let url = try url(name, item)
            let extra = without.contains(.md5Header) ? [] : [HTTPHeader("Content-MD5", sum)]
            let answer = try await talk.send(
                "PUT", url, headers: try headers(item) + extra, body: .text(TakenNames.text))
            guard answer.isSuccess else { throw talk.refusal(answer, at: .send, url) }
        }
        if let name {
            let url = try url(name, item)
            let failure: UploadFailure?
            do throws(UploadFailure) {
                plan.refusesTaken = try await tryOutFeatures(url, item)
                failure = nil
            } catch { failure = error }
            await TrialRemoval.run { _ = try? await talk.send("DELETE", url) }
            if let failure { throw failure }
        } else {
            plan.isUnproven = true
        }
        plan.refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        return plan
    }

    /// Finds out what the server does with a small file that it has.
    ///
    /// - Returns: Whether it refuses a name that is taken.
    private func tryOutFeatures(_ url: String, _ item: UploadItem) async throws(UploadFailure) -> Bool {
        let store = { () async throws(UploadFailure) in try await storeTrial(url, item) }
        try await memory.tryOut(.size, storing: store) { () throws(UploadFailure) in
            let head = try await talk.send("HEAD", url)
            // The file was stored: some servers show it later.
            if head.status == 404 { return nil }
            guard head.isSuccess else { throw talk.refusal(head, at: .look, url) }
            // A script may answer 200 to each HEAD, with a length of its own.
            return head.contentLength == TakenNames.bytes
        }
        try await memory.tryOut(.readBack, storing: store) { () throws(UploadFailure) in
            let back = try await talk.send("GET", url, headers: [HTTPTalk.uncached], sink: .hashed)
            if back.status == 404 { return nil }
            guard back.status == 200 else { throw talk.refusal(back, at: .readBack, url) }
            return back.hashed?.bytes == TakenNames.bytes
        }
        var refuses = false
        try await memory.tryOut(.condition, storing: store) { () throws(UploadFailure) in
            refuses = try await refusesTaken(url, item)
            // A server that ignores the header replaces; one that refuses it takes no photo with it.
            return true
        }
        return refuses
    }

    /// Whether a conditional PUT to a name that is taken is refused for that.
    private func refusesTaken(_ url: String, _ item: UploadItem) async throws(UploadFailure) -> Bool {
        let answer = try await talk.send(
            "PUT", url, headers: try headers(item) + [HTTPHeader("If-None-Match", "*")],
            body: .text(TakenNames.text))
        if answer.status == 412 { return true }
        guard answer.isSuccess else { throw talk.refusal(answer, at: .send, url) }
        return false
    }

    private func storeTrial(_ url: String, _ item: UploadItem) async throws(UploadFailure) {
        let answer = try await talk.send(
            "PUT", url, headers: try headers(item), body: .text(TakenNames.text))
        guard answer.isSuccess else { throw talk.refusal(answer, at: .send, url) }
    }
}
