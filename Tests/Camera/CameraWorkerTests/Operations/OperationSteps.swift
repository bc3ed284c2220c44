import FrameFastModel
import Synchronization
import WorkerProtocol

/// The steps that tests of operations share.
enum OperationSteps {
    /// The makers whose cameras can take bulb exposures.
    static let bulbMakers = ["canon", "nikon", "fuji", "sony"]

    /// The number of cameras started.
    private static let cameras = Atomic<UInt8>(0)

    /// Starts a camera and a worker that has listed the camera's card.
    ///
    /// - Parameter isBulb: Whether to turn the shutter dial to bulb on cameras that need this for a bulb
    ///   exposure.
    static func open(
        _ maker: String, _ arguments: [String] = ["--size", "50KB"], isBulb: Bool = true
    ) throws -> (SimulatedCamera, WorkerProcess) {
        // Each camera has a different address. Otherwise, another connection could use the camera's port
        // while the link is down.
        let number = cameras.add(1, ordering: .relaxed).newValue
        let camera = try SimulatedCamera(maker: maker, host: "127.0.3.\(number)", arguments)
        let worker = try WorkerProcess()
        // On these makers' cameras, a bulb exposure requires the shutter dial at bulb.
        if isBulb, ["fuji", "sony"].contains(maker) { try camera.send("dial shutter=bulb") }
        _ = try worker.open(camera)
        _ = try worker.list()
        return (camera, worker)
    }

    /// Waits until the operation of a worker has ended, and returns its last progress report.
    static func waitForEnd(of worker: WorkerProcess) throws -> CameraOperationProgress {
        try worker.wait {
            if case .operation(let progress) = $0, progress.state != .running { progress } else { nil }
        }
    }
}
