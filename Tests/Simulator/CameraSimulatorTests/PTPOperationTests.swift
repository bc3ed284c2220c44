import Testing

@testable import CameraSimulator

@Suite struct PTPOperationTests {
    @Test(arguments: [
        (UInt16(0x9207), Maker.nikon, PTPOperation.nikonCapture), (0x9207, .sony, .sonyControl),
        (0x1007, .sony, .getObjectHandles), (0x1007, .nikon, .getObjectHandles),
    ])
    func `a code is the operation that its maker has it for`(
        code: UInt16, maker: Maker, operation: PTPOperation
    ) {
        #expect(PTPOperation(code: code, maker: maker) == operation)
        #expect(operation.code == code)
    }

    @Test(arguments: Maker.allCases)
    func `no maker has two operations of one code`(maker: Maker) {
        let codes = CameraIdentity(maker).operations.map(\.code)
        #expect(Set(codes).count == codes.count)
    }

    @Test(arguments: PTPOperation.allCases.filter { $0.maker != .generic })
    func `each operation of a maker is found again by its code`(operation: PTPOperation) {
        #expect(PTPOperation(code: operation.code, maker: operation.maker) == operation)
    }
}
