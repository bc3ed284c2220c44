import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A code for new devices of the web page, as a QR code and as text.
struct WebCodeView: ComponentPresentation {
    let code: WebCodeReply
    let json: Data
    let now: Date

    var parts: [any Component] {
        [QRCodeView(code.url), TextView.gap, InfoRowView(rows: facts), TextView.gap, advice]
    }

    func plain() -> [String] { InfoRowView(rows: facts).plain() }

    private var facts: [(label: String, value: String)] {
        let seconds = max(0, Int(code.expiresAt.timeIntervalSince(now).rounded()))
        var facts = [
            (label: "Page", value: code.url), (label: "Code", value: code.code),
            (label: "Role", value: code.$role.text),
        ]
        if let session = code.sessionName { facts.append((label: "Session", value: session)) }
        facts.append((label: "Devices", value: Formatted.count(code.uses)))
        let end = Formatted.time(code.expiresAt)
        facts.append((label: "Valid for", value: "\(Formatted.duration(seconds)), until \(end)"))
        if let fingerprint = code.fingerprint {
            facts.append((label: "Certificate", value: "SHA-256 \(fingerprint)"))
        }
        return facts
    }

    private var advice: WrappedTextView {
        TextView.wrapped(
            code.fingerprint == nil
                ? "Scan the code, or open the page's address and enter the code."
                : "Scan the code, or open the page's address and enter the code. If the browser warns about the "
                    + "certificate, compare the fingerprint in its details with the fingerprint above.",
            .caption)
    }
}

/// A table of the devices that may use the web page.
struct WebDevicesView: ComponentPresentation {
    let devices: [WebDeviceReply]
    /// The device that was just revoked, or `nil` if the devices are only listed.
    var revoked: WebDeviceID?
    let json: Data
    let now: Date

    private static let columns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Device"), .init(heading: "Role"),
        .init(heading: "Session", cellsMin: 16, dropOrder: 2),
        .init(heading: "Used", lead: "used", dropOrder: 1),
        .init(heading: "Until", lead: "until", dropOrder: 3),
        .init(heading: "Number", isFigure: true, lead: "number"),
    ]

    var parts: [any Component] {
        let head: [any Component] = revoked.map { [BannerView(.success, "Revoked", "Device \($0)")] } ?? []
        guard !devices.isEmpty else {
            return head + [
                EmptyView(
                    "No devices.", nextStep: "Pair a device with `framefast web pair --role client`.")
            ]
        }
        let rows = devices.map { device in
            TableView.Row(
                device.isDone ? .neutral : .success,
                [
                    device.isDone ? "Done" : "Active", device.name, device.$role.text,
                    device.sessionName ?? "", Formatted.age(of: device.lastUsedAt, now: now),
                    device.expiresAt.map(Formatted.time) ?? "", device.id.description,
                ])
        }
        return head + [TableView(columns: Self.columns, rows: rows)]
    }

    func plain() -> [String] {
        let head = revoked.map { ["revoked: device \($0)"] } ?? []
        guard !devices.isEmpty else { return head + ["devices: none"] }
        return head
            + devices.map { device in
                let session = device.sessionName.map { ", session \(TerminalText.escaped($0))" } ?? ""
                return
                    "device \(device.id): \(TerminalText.escaped(device.name)), \(TerminalText.escaped(device.$role.text))"
                    + session + (device.isDone ? ", done" : "")
            }
    }
}
