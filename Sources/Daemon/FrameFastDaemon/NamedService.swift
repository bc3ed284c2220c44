import ServiceLifecycle

/// A service that prints as the name of its type.
///
/// `ServiceGroup` keeps and logs what each of its services prints, which for a struct is everything that it holds: with the
/// rooms in it megabytes of text. Built piece by piece, such a text also teaches the C library's allocator to give memory
/// back late (`mallopt(3)`, M_MMAP_THRESHOLD), and the service grew by 2.5 KB with each photo.
struct NamedService: Service, CustomStringConvertible {
    let service: any Service

    init(_ service: any Service) { self.service = service }

    var description: String { "\(type(of: service))" }

    func run() async throws { try await service.run() }
}
