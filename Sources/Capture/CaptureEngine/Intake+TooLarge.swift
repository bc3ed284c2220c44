import Cameras
import Foundation
import FrameFastModel
import Logging
import Store

/// Objects that the driver cannot bring over this link: movies of 4 GiB and more, over the network.
extension Intake {
    /// What the ledger keeps of such an object.
    static let tooLarge = "it is larger than this connection can bring"

    /// Leaves an object on the card, for a person or for another link.
    func leaveTooLarge(_ record: CaptureRecord, _ why: String) async {
        shared.logger.notice(
            "too large for the connection", metadata: ["name": "\(record.object.name)", "reason": "\(why)"])
        do { try await shared.ledger.setAside(id: record.id, failure: Self.tooLarge) } catch {
            ledgerFailure = error
            end = .lost(afterProgress: hasProgress)
            return
        }
        failsNoMore(record)
        guard let told = try? await shared.ledger.capture(id: record.id) else { return }
        shared.onCapture(told)
        damaged[told.id] = told
        tellDamaged()
    }

    /// Whether an object is left for another link than this one.
    func isLeftForAnotherLink(_ record: CaptureRecord) -> Bool {
        record.failure == Self.tooLarge && session.configured.isNetwork
    }

    func tellTooLarge() {
        let left = damaged.values.filter { $0.failure == Self.tooLarge }
        guard let largest = left.max(by: { $0.object.size < $1.object.size }) else {
            return shared.health.clear(.tooLargeForLink, subject: .camera(session.camera))
        }
        let name = SafeName.component(largest.object.name)
        let others = left.count > 1 ? " and \(left.count - 1) more" : ""
        shared.health.raise(
            .tooLargeForLink, subject: .camera(session.camera),
            sentence:
                "\(session.configured.name): \(name)\(others) cannot be transferred over this connection, which ends at "
                + "4 GiB: it stays on the card and is not saved here.",
            nextStep: session.configured.isNetwork
                ? "Copy it with a card reader, or connect the camera by USB. Do not format the card."
                : "Copy it with a card reader. Do not format the card.")
    }
}
