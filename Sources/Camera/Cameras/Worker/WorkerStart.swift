/// The values that every worker is started with.
public struct WorkerStart: Sendable {
    /// The program, the homes and the drivers.
    public var settings: WorkerSettings
    /// The folder of the drivers, from ``WorkerSettings/prepareDrivers()``.
    public var drivers: String
    /// The GUID by which network cameras know this installation.
    public var guid: ServiceGUID

    /// Creates the values.
    public init(settings: WorkerSettings, drivers: String, guid: ServiceGUID) {
        self.settings = settings
        self.drivers = drivers
        self.guid = guid
    }
}
