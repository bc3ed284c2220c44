import Foundation
import FrameFastModel
import Notices
import Store
import UploadDestinations
import UploadEngine

extension NoticeSurroundings {
    /// - Parameter name: A camera's name by its id.
    init(host: FleetHostName, ledger: LedgerStore, name: @escaping @Sendable (CameraID) -> String) {
        self.init(
            host: host, environment: ProcessInfo.processInfo.environment,
            name: { condition in condition.subject.map { $0.camera.map(name) ?? $0.text } },
            load: { try await ledger.noticeEntries(of: $0) },
            keep: { try await ledger.keep($0, removing: $1) },
            secret: { try SecretFile.read($0) },
            post: { post in
                do throws(UploadFailure) {
                    let answer = try await WebPost.send(
                        to: post.url, headers: post.headers.map { HTTPHeader($0.name, $0.value) },
                        body: post.body, caFile: post.caFile)
                    return .answered(status: answer.status, text: answer.text)
                } catch {
                    return .failed(error.sentence, nextStep: error.nextStep)
                }
            })
    }
}
