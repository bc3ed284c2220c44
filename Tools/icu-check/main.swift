import Foundation

// Prints the results of Foundation functions that use ICU's data, with the formats of FrameFast and GRDB.
// `scripts/small-icu` runs this program with the complete data and with the reduced data. Both outputs must
// be the same.

let posix = Locale(identifier: "en_US_POSIX")
let now = Date(timeIntervalSince1970: 1_784_000_000.123)

// Local times in January and July. The script uses them to check that TZ is respected.
let local = DateFormatter()
local.locale = posix
local.dateFormat = "yyyy-MM-dd HH:mm:ss"
for seconds in [1_768_478_400.0, 1_784_116_800.0] {
    print("local", local.string(from: Date(timeIntervalSince1970: seconds)))
}

// A hash of the offsets and daylight saving times of each time zone from 1938 to 2096.
for identifier in TimeZone.knownTimeZoneIdentifiers.sorted() {
    guard let zone = TimeZone(identifier: identifier) else {
        print(identifier, "is not known")
        continue
    }
    var sum: UInt64 = 0
    for seconds in stride(from: -1_000_000_000.0, to: 4_000_000_000.0, by: 6_262_345) {
        let date = Date(timeIntervalSince1970: seconds)
        let summer = zone.isDaylightSavingTime(for: date) ? 1 : 0
        sum = sum &* 31 &+ UInt64(bitPattern: Int64(zone.secondsFromGMT(for: date) * 2 + summer))
    }
    print(identifier, sum)
}

for identifier in ["UTC", "America/St_Johns", "Asia/Kolkata", "Australia/Lord_Howe"] {
    let zone = TimeZone(identifier: identifier)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone ?? .gmt
    let parts: Set<Calendar.Component> = [
        .year, .month, .day, .hour, .minute, .second, .weekday, .weekOfYear,
    ]
    print(identifier, calendar.startOfDay(for: now), calendar.dateComponents(parts, from: now))
    // The formats of GRDB, of file names, of headers and of logs.
    for format in [
        "yyyy-MM-dd HH:mm:ss.SSS", "EEE, dd MMM yyyy HH:mm:ss zzz", "yyyyMMdd'T'HHmmss'Z'", "EEEE d MMMM y G",
        "ZZZZZ zzzz",
    ] {
        let formatter = DateFormatter()
        formatter.locale = posix
        formatter.timeZone = zone
        formatter.dateFormat = format
        let text = formatter.string(from: now)
        print(identifier, text, formatter.date(from: text) as Any)
    }
}

print(TimeZone.current.identifier, Locale.current.identifier, Calendar.current.identifier)
print(Calendar.current.dateComponents([.hour, .minute], from: now), Calendar.current.startOfDay(for: now))
print(now.formatted(.iso8601), now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
print(
    ISO8601DateFormatter().string(from: now), ISO8601DateFormatter().date(from: "2026-05-28T20:26:40Z") as Any
)
print(now.formatted(), 1_234_567.formatted(), 1234.5.formatted(), 0.25.formatted(.percent))
print(ByteCountFormatter.string(fromByteCount: 123_456_789, countStyle: .file), String(format: "%.3f", 1.5))
print(NumberFormatter().string(from: 1234.5) as Any, Decimal(string: "1234.5", locale: posix) as Any)

let words = "Straße ÉCOLE ﬁ İstanbul Ångström e\u{301}"
print(words.lowercased(), words.uppercased(), words.capitalized)
print(words.localizedLowercase, words.localizedUppercase, words.localizedCapitalized)
print(words.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil))
print(
    words.precomposedStringWithCanonicalMapping.utf8.count,
    words.decomposedStringWithCompatibilityMapping.utf8.count)
print(
    "x,é".unicodeScalars.map { CharacterSet.alphanumerics.contains($0) },
    "abc".range(of: "B", options: .caseInsensitive) as Any)
print(URL(string: "https://bücher.example/ä?q=ö") as Any, URL(fileURLWithPath: "/a/ä b").absoluteString)
print(
    NSError(domain: NSCocoaErrorDomain, code: 260).localizedDescription,
    NSError(domain: NSPOSIXErrorDomain, code: 2))
