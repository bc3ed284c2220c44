/// What every worker is started with.
public struct WorkerStart: Sendable {
    /// Program, homes and drivers.
    public var settings: WorkerSettings
    /// Folder that holds the drivers, from ``WorkerSettings/prepareDrivers()``.
    public var drivers: String
    /// Who this installation is to cameras on the network.
    public var guid: ServiceGUID

    /// Creates a start.
    public init(settings: WorkerSettings, drivers: String, guid: ServiceGUID) {
        self.settings = settings
        self.drivers = drivers
        self.guid = guid
    }
}
