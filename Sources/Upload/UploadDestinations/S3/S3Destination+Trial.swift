import Crypto
import Foundation
import FrameFastModel
import UploadEngine

/// Small objects that find out what a server takes.
extension S3Destination {
    /// Name of what is sent with a wrong checksum, to see it refused.
    private static let sumProbe = ".framefast-checksum-probe"

    /// Finds out, with a small object of this station's own, which headers the server takes, whether it tells sizes, and
    /// whether it refuses a name that is taken.
    func tryOut(_ item: UploadItem) async throws(UploadFailure) -> TransferPlan {
        let names = TemporaryName.allCases.filter { $0 != .final }.map {
            key(RemoteName.beside(item.remoteName, RemoteName.trials(item, $0).first))
        }
        let trial = HeaderTrial(memory: memory, headers: [.checksumHeader, .md5Header, .metadata])
        var plan = TransferPlan(temporaryName: .final, refusesTaken: conditionKnown ?? false)
        let name = try await trial.run(names) { name, without throws(UploadFailure) in
            let answer = try await talk.send(
                "PUT", key: name, headers: Self.trialHeaders(without: without), body: .text(TakenNames.text))
            guard !answer.isRefused else { throw talk.refusal(answer) }
        }
        if let name {
            let head = try await talk.send("HEAD", key: name)
            let refusal = head.isRefused ? talk.refusal(head) : nil
            // The object was stored: that it is not there says nothing of the right to look.
            if refusal?.isOutage != true, head.answer.status != 404 {
                await memory.learn(.size, isOffered: refusal == nil, reason: refusal?.sentence)
            }
            if conditionKnown == nil {
                let second = try await putTaken(name)
                plan.refusesTaken = second.answer.status == 412
                await memory.learn(
                    .condition, isOffered: plan.refusesTaken, reason: "status \(second.answer.status)")
            }
            _ = try await talk.send("DELETE", key: name)
        } else {
            plan.isUnproven = true
        }
        plan.refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        return plan
    }

    /// The answer to a conditional PUT to a key that is taken. Trouble is no answer, unless it comes again although the
    /// server stores the small object.
    private func putTaken(_ key: String) async throws(UploadFailure) -> S3Answer {
        let condition = [HTTPHeader("If-None-Match", "*")]
        let body = UploadBody.text(TakenNames.text)
        let answer = try await talk.send("PUT", key: key, headers: condition, body: body)
        guard answer.isRefused, talk.refusal(answer).isOutage else { return answer }
        let refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        let plain = try await talk.send(
            "PUT", key: key, headers: Self.trialHeaders(without: refused), body: body)
        guard !plain.isRefused else { throw talk.refusal(plain) }
        return try await talk.send("PUT", key: key, headers: condition, body: body)
    }

    /// The headers that a photo has, for the small object.
    private static func trialHeaders(without: Set<DestinationFeature>) -> [HTTPHeader] {
        let bytes = Data(TakenNames.text.utf8)
        let sum = Data(SHA256.hash(data: bytes))
        let all: [(DestinationFeature, HTTPHeader)] = [
            (.checksumHeader, HTTPHeader("x-amz-checksum-sha256", sum.base64EncodedString())),
            (
                .md5Header,
                HTTPHeader("Content-MD5", Data(Insecure.MD5.hash(data: bytes)).base64EncodedString())
            ),
            (.metadata, HTTPHeader("x-amz-meta-sha256", Hex.text(sum))),
        ]
        return all.filter { !without.contains($0.0) }.map(\.1)
    }

    /// Sends a few bytes with a wrong checksum under a name of their own: a server that looks at it keeps nothing.
    func refusesWrongSum() async -> Bool {
        let key = key(Self.sumProbe)
        let headers = [HTTPHeader("x-amz-checksum-sha256", Data(count: 32).base64EncodedString())]
        guard let answer = try? await talk.send("PUT", key: key, headers: headers, body: .text("FrameFast"))
        else { return false }
        if !answer.isRefused { _ = try? await talk.send("DELETE", key: key) }
        return answer.isRefused && answer.answer.status == 400
    }
}
