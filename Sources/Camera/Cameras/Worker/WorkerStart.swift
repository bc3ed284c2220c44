/// The values that are common to all worker starts.
public struct WorkerStart: Sendable {
    /// The program, the home folders and the names of the allowed drivers.
    public var settings: WorkerSettings
    /// The folder of the drivers, from ``WorkerSettings/prepareDrivers()``.
    public var drivers: String
    /// The GUID that identifies this installation to network cameras.
    public var guid: ServiceGUID

    /// Creates the values.
    public init(settings: WorkerSettings, drivers: String, guid: ServiceGUID) {
        self.settings = settings
        self.drivers = drivers
        self.guid = guid
    }
}
