import ServiceLifecycle

/// A service whose description is the name of its type.
///
/// `ServiceGroup` stores and logs the description of each service. The default description of a struct
/// contains all stored properties. For an engine, the description has megabytes of text. Creating this text
/// also raises the threshold from which the allocator returns memory (`mallopt(3)`, M_MMAP_THRESHOLD). In a
/// measurement without this type, the service grew by 2.5 KB with each photo.
struct NamedService: Service, CustomStringConvertible {
    let service: any Service

    init(_ service: any Service) { self.service = service }

    var description: String { "\(type(of: service))" }

    func run() async throws { try await service.run() }
}
