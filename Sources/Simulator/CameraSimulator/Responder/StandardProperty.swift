/// The codes of the standard's properties (PIMA 15740, table 27).
enum StandardProperty {
    static let battery: UInt16 = 0x5001
    static let fNumber: UInt16 = 0x5007
    static let exposureTime: UInt16 = 0x500D
    static let exposureIndex: UInt16 = 0x500F
    static let dateTime: UInt16 = 0x5011
}
