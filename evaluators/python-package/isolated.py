"""A version in a process of its own, timed from outside: it can reach neither the clock nor the other version."""

import json
import os
import signal
import time


class Worker:
    """Forked before a package is loaded. `serve` gives a generator that is told seeds and gives digests; see the driver."""

    def __init__(self, who, serve, clock, failure):
        self.who = who
        self.failure = failure
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.requests)
            os.close(self.replies)
            with os.fdopen(requests) as incoming, os.fdopen(replies, "w") as outgoing:
                _work(serve, incoming, outgoing, failure)
            os._exit(0)
        os.close(requests)
        os.close(replies)
        self.incoming = os.fdopen(self.replies)
        # The kernel's clock of another process (MAKE_PROCESS_CPUCLOCK of the kernel's headers).
        cpu = (~self.pid << 3) | 2
        self.clock = time.perf_counter_ns if clock == "wall" else lambda: time.clock_gettime_ns(cpu)
        self._reply()

    def turn(self, seed):
        """(nanoseconds, digest of the output); the digest is part of the timed work, so it cannot be made later."""
        self._ask({"seed": seed})
        begun = self.clock()
        answer = self._ask({})
        return self.clock() - begun, answer

    def stop(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def _ask(self, request):
        try:
            os.write(self.requests, (json.dumps(request) + "\n").encode())
        except BrokenPipeError:
            pass  # It is gone, which shows in the reply.
        return self._reply()

    def _reply(self):
        line = self.incoming.readline()
        if line == "":
            raise self.failure("test", self.who, "its process ended")
        reply = json.loads(line)
        if "error" in reply:
            raise self.failure(reply["error"], self.who, reply["detail"])
        return reply["ok"]


def _work(serve, incoming, outgoing, failure):
    def say(reply):
        outgoing.write(json.dumps(reply) + "\n")
        outgoing.flush()

    try:
        version = serve()
        next(version)
        say({"ok": None})
        for line in incoming:
            request = json.loads(line)
            if "seed" in request:
                version.send(request["seed"])
                say({"ok": None})
            else:
                say({"ok": next(version)})
                next(version)
    except failure as error:
        say({"error": error.kind, "detail": error.detail})
