import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// Reads how many more shots the camera's buffer can hold, and reports a changed number.
    mutating func readBuffer() {
        let published = facts.burstShotsLeft
        facts.burstShotsLeft = readBurstCapacity()
        if facts.burstShotsLeft != published { daemon.send(.facts(facts)) }
    }

    /// Returns how many more shots the camera's buffer can hold, or `nil` if the camera does not report the
    /// number. If the read fails, returns the last known number.
    mutating func readBurstCapacity() -> Int? {
        guard loss == nil, let property = profile.burstShotsLeft.flatMap({ UInt16($0, radix: 16) }) else {
            return nil
        }
        do throws(CameraError) { return try camera.number(property) } catch {
            classify(error, during: "facts")
            // Some models do not have this property.
            if loss == nil, error.kind != .busy { profile.burstShotsLeft = nil }
            return facts.burstShotsLeft
        }
    }
}
