import Testing
import TextForms

@testable import UploadDestinations

/// Tests with examples from AWS: "Signature Calculations for the Authorization Header" in the S3 API
/// reference, and the first example of the aws-sig-v4-test-suite.
@Suite struct SigV4Tests {
    private static let noBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let s3 = SigV4Signer(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        sessionToken: nil, region: "us-east-1", service: "s3")

    private static func signature(_ headers: [HTTPHeader]) -> String? {
        headers.first { $0.name == "Authorization" }?.value.split(separator: "=").last.map(String.init)
    }

    private static func request(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        headers: [HTTPHeader] = [], payload: String = noBody
    ) -> SigV4Signer.Request {
        SigV4Signer.Request(
            method: method, host: "examplebucket.s3.amazonaws.com", path: path, query: query,
            headers: headers + [HTTPHeader("x-amz-content-sha256", payload)], payload: payload)
    }

    @Test(arguments: [
        (
            request("GET", "/test.txt", headers: [HTTPHeader("Range", "bytes=0-9")]),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        (
            request(
                "PUT", "/test%24file.text",
                headers: [
                    HTTPHeader("Date", "Fri, 24 May 2013 00:00:00 GMT"),
                    HTTPHeader("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ], payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        (
            request("GET", "/", query: [("lifecycle", "")]),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        (
            request("GET", "/", query: [("prefix", "J"), ("max-keys", "2")]),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ])
    func `signs the S3 reference examples with their published signatures`(
        request: SigV4Signer.Request, signature: String
    ) {
        // 2013-05-24T00:00:00Z
        #expect(Self.signature(Self.s3.sign(request, now: 1_369_353_600)) == signature)
    }

    @Test func `signs the get-vanilla example of AWS with its published signature`() {
        let signer = SigV4Signer(
            accessKey: "AKIDEXAMPLE", secretKey: Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            sessionToken: nil, region: "us-east-1", service: "service")
        let request = SigV4Signer.Request(
            method: "GET", host: "example.amazonaws.com", path: "/", payload: Self.noBody)
        // 2015-08-30T12:36:00Z
        let signed = signer.sign(request, now: 1_440_938_160)
        #expect(Self.signature(signed) == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
        #expect(signed.contains(HTTPHeader("x-amz-date", "20150830T123600Z")))
    }

    @Test func `sends and signs a session token`() {
        let signer = SigV4Signer(
            accessKey: "A", secretKey: Secret("s"), sessionToken: Secret("tok"), region: "r", service: "s3")
        let signed = signer.sign(Self.request("GET", "/"), now: 0)
        #expect(signed.contains(HTTPHeader("x-amz-security-token", "tok")))
        #expect(signed.last?.value.contains("x-amz-date;x-amz-security-token,") == true)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a+b=c", "a%2Bb%3Dc"), ("é写", "%C3%A9%E5%86%99"), ("~-_.", "~-_."), ("a/b", "a/b"),
        ("100%25", "100%2525"), ("(')!*", "%28%27%29%21%2A"),
    ])
    func `percent-encodes reserved characters in S3 paths`(plain: String, encoded: String) {
        #expect(PercentCoding.encode(plain, keeping: .path) == encoded)
    }

    @Test func `sorts query parameters after encoding them`() {
        #expect(
            SigV4Signer.canonicalQuery([("b", "/"), ("a", "2"), ("a", "1"), ("uploads", "")])
                == "a=1&a=2&b=%2F&uploads=")
    }
}
