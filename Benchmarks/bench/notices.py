"""Who is told by webhook what is wrong."""
import collections, http.server, json, threading


class Receiver:
    """Takes a webhook's messages, and keeps what each says of each condition."""

    def __init__(self):
        self.told = collections.defaultdict(list)
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                for condition in message["conditions"]:
                    receiver.told[condition["code"], condition["since"]].append(condition["event"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tables(self, *conditions):
        """A notice of these conditions that comes here, also of short ones."""
        return ["[[notice]]", 'name = "desk"', 'kind = "webhook"', f'url = "http://127.0.0.1:{self.server.server_port}/"',
                'delay = "100 ms"', f"conditions = {json.dumps(conditions)}"]

    def of(self, code):
        """What was told of each condition of a kind, in order of their beginnings."""
        return [events for (kind, _), events in sorted(self.told.items()) if kind == code]

    def end(self):
        self.server.shutdown()
