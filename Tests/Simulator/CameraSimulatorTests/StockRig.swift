import Testing

@testable import CameraSimulator

extension StockDriver {
    /// Returns a running simulator and a gphoto2 for it.
    static func with(_ identity: CameraIdentity) throws -> (Simulator, StockDriver) {
        var options = SimulatorOptions()
        options.identity = identity
        options.server.port = 0
        options.sizes = 50_000...50_000
        let simulator = try Simulator(options)
        let port = try #require(UInt16(try simulator.start().split(separator: ":").last ?? ""))
        return (simulator, try StockDriver(port: port))
    }
}
