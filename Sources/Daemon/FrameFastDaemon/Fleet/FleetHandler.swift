import APIServer
import FleetLink
import Foundation
import FrameFastAPI
import FrameFastModel

/// Other computers with cameras.
struct FleetHandler: EndpointHandler {
    /// `nil` where no broker is configured.
    let link: FleetLink?

    /// How long after the moment a computer may say what became of a shot: as long as a camera may, and the way here.
    private static let patience: Duration = .seconds(12)
    /// How far ahead the moment is when nothing is said, in milliseconds: an order has to arrive.
    private static let inUsualMs = 2_000

    func attach(to table: inout EndpointTable) {
        table.on(\.fleet.list, list)
        table.on(\.fleet.shoot, shoot)
    }

    func list() async throws(ControlError) -> FleetReply { try known().reply() }

    func shoot(_ group: GroupName, _ request: GroupShootRequest) async throws(ControlError) -> FleetShotReply
    {
        let link = try known()
        guard request.requireAll != true else {
            throw ControlError(
                .invalid, "cannot require all cameras of a fleet",
                nextStep: "Require a number of each computer, or shoot with one computer's group.")
        }
        let at = Date() + Double(max(request.inMs ?? Self.inUsualMs, FleetOrder.leadMs)) / 1_000
        let (answers, silent) = try await link.shoot(
            group, at: at, require: request.require, by: nil, patience: Self.patience)
        return FleetShotReply(
            group: group, at: at, fired: answers.reduce(0) { $0 + ($1.shot?.fired ?? 0) },
            hosts: answers.map { .init(name: $0.host, shot: $0.shot, reason: $0.reason) }, silent: silent)
    }

    private func known() throws(ControlError) -> FleetLink {
        if let link { return link }
        throw ControlError(
            .conflict, "this computer is in no fleet",
            nextStep: "Set broker in [fleet] of the configuration, and restart the service.")
    }
}
