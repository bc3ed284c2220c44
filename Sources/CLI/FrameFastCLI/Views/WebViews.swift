import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// A code that lets devices in.
struct WebPairView: ComponentPresentation {
    let reply: WebPairReply
    let json: Data

    private var rows: [(label: String, value: String)] {
        [
            (localized("Address"), reply.url), (localized("Code"), reply.code),
            (localized("Role"), reply.role.rawValue),
            (localized("Good until"), Formatted.time(reply.expiresAt)),
        ] + (reply.fingerprint.map { [(localized("Certificate"), $0)] } ?? [])
    }

    var parts: [any Component] {
        [QRView(reply.url), InfoRowView(rows: rows)]
            + (reply.fingerprint == nil
                ? []
                : [
                    TextView.wrapped(
                        localized(
                            "The browser asks once about the certificate, which is this computer's own: compare the numbers above."
                        ),
                        .caption)
                ] as [any Component])
    }

    func plain() -> [String] {
        rows.map { "\($0.label.lowercased()): \(TerminalText.escaped($0.value))" }
    }
}

/// Devices that were let in.
struct WebDevicesView: ComponentPresentation {
    let devices: [WebDeviceReply]
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("State")), .init(heading: localized("Device")),
            .init(heading: localized("Name"), cellsMin: 8, givesWay: 2),
            .init(heading: localized("Role")), .init(heading: localized("Session"), givesWay: 1),
            .init(heading: localized("Last seen"), givesWay: 1),
        ]
    }

    var parts: [any Component] {
        guard !devices.isEmpty else {
            return [
                EmptyView(
                    localized("No device was let in."),
                    nextStep: localized("Let one in with `framefast web pair`."))
            ]
        }
        return [
            TableView(
                columns: Self.columns,
                rows: devices.map { device in
                    TableView.Row(
                        device.isDone ? .info : .success,
                        [
                            device.isDone ? localized("Done") : localized("Let in"), device.id, device.name,
                            device.role.rawValue,
                            device.session.map(\.description) ?? localized("all"),
                            Formatted.age(of: device.lastUsedAt),
                        ])
                })
        ]
    }

    func plain() -> [String] {
        devices.isEmpty
            ? ["devices: none"]
            : devices.map { device in
                "device \(device.id) \(TerminalText.escaped(device.name)): \(device.role.rawValue)"
                    + (device.session.map { ", session \($0)" } ?? "") + (device.isDone ? ", done" : "")
            }
    }
}
