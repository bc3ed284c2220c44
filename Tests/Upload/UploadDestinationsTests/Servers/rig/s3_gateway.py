"""Forwards S3 requests to a server, and refuses requests that some services do not support.

usage: s3_gateway.py PORT FOLDER TARGET [checksums=STATUS,CODE] [region=NAME]
  checksums  refuses checksum headers, trailers and bodies in signed chunks, like older Ceph Object Gateways, Cloudflare R2 and
             Backblaze B2. The errors have radosgw's form: they contain bucket, request and host, and an empty message
  region     refuses a signature for another region, like AWS
The gateway does not change the Host header, because it is part of the signature.
"""
import http.client
import http.server
import re
import sys

PORT, TARGET = int(sys.argv[1]), int(sys.argv[3])
options = dict(word.split("=", 1) for word in sys.argv[4:])
ERROR = ('<?xml version="1.0" encoding="UTF-8"?><Error><Code>{code}</Code><Message>{words}</Message>'
         "<BucketName>{bucket}</BucketName><RequestId>tx000001-0000-1-default</RequestId>"
         "<HostId>1-default-default</HostId></Error>")


def is_unknown(name, value):
    name, value = name.lower(), value.lower()
    return (name.startswith(("x-amz-checksum-", "x-amz-sdk-checksum-")) or name == "x-amz-trailer"
            or name == "content-encoding" and "aws-chunked" in value
            or name == "x-amz-content-sha256" and value.startswith("streaming-"))


class Gateway(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def refusal(self):
        """Returns status, code and message of a refusal, or None if the request is accepted."""
        if "checksums" in options and any(is_unknown(name, value) for name, value in self.headers.items()):
            status, code = options["checksums"].split(",")
            return int(status), code, ""
        scope = re.search("Credential=[^/]+/[0-9]+/([^/]*)/s3/", self.headers.get("Authorization", ""))
        region = options.get("region")
        if region and (scope is None or scope[1] != region):
            words = f"the region '{scope and scope[1]}' is wrong; expecting '{region}'"
            return 400, "AuthorizationHeaderMalformed", words
        return None

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        refusal = self.refusal()
        if refusal:
            status, code, words = refusal
            bucket = self.path.split("?")[0].split("/")[1]
            text = ERROR.format(code=code, words=words, bucket=bucket).encode()
            return self.answer(status, [("Content-Type", "application/xml")], text, len(text))
        server = http.client.HTTPConnection("127.0.0.1", TARGET)
        server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in ("expect", "connection"):
                server.putheader(name, value)
        server.endheaders(body or None)
        answer = server.getresponse()
        data = answer.read()
        headers = [(name, value) for name, value in answer.getheaders()
                   if name.lower() not in ("connection", "content-length", "transfer-encoding")]
        length = answer.getheader("Content-Length") if self.command == "HEAD" else len(data)
        self.answer(answer.status, headers, data, length)
        server.close()

    def answer(self, status, headers, body, length):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        if length is not None and status != 204:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = serve


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


Server(("127.0.0.1", PORT), Gateway).serve_forever()
