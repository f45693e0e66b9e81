"""Runs a campaign's benchmark on a package: `driver.py REQUEST`, a JSON object.

Every run is a process of its own with a fixed hash seed. The answer is one line of JSON on standard output, out of reach of what
the package prints: {"ok": …} or {"error": kind, "who": "root" or "candidate", "detail": text}.

    {"do": "answers", …}  the outputs of one version on the cases of the benchmark
    {"do": "round", …}    the time of both versions on the same inputs, alternately, in this one interpreter
    {"do": "round", "isolate": true, …}  the same in a process for each version, timed from here
"""

import gc
import hashlib
import json
import os
import sys
import time
import traceback
import types

REPORT = os.dup(1)
os.dup2(2, 1)
import isolated  # noqa: E402
from versions import Version, changed, is_plain, meddling, snapshot  # noqa: E402

# The folder of this file is no place to import from any more.
del sys.path[0]

CLOCKS = {"cpu": time.process_time_ns, "wall": time.perf_counter_ns}


class Failure(Exception):
    def __init__(self, kind, who, detail):
        super().__init__(detail)
        self.kind = kind
        self.who = who
        self.detail = detail


class guarded:
    """Whatever the version raises, its exit included, is a failure of the version."""

    def __init__(self, kind, who):
        self.kind = kind
        self.who = who

    def __enter__(self):
        return self

    def __exit__(self, _, error, __):
        if error is None or isinstance(error, Failure):
            return False
        text = "".join(traceback.format_exception(error))
        raise Failure(self.kind, self.who, text[-3000:]) from None


def read_benchmark(path):
    """A module that is not in sys.modules, where a package would find it."""
    module = types.ModuleType("benchmark")
    module.__file__ = path
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


def plain(output, who):
    if is_plain(output):
        return output
    raise Failure("gate", who, f"run() gave a {type(output).__name__} with something other than plain values in it")


def digest(output):
    return hashlib.sha256(repr(output).encode("utf-8", "surrogatepass")).hexdigest()


def answers(request):
    """All outputs, so that a difference can be shown."""
    benchmark = read_benchmark(request["benchmark"])
    who = request["who"]
    version = Version(request[who], request["package"])
    with version:
        with guarded("build", who):
            state = benchmark.setup(version.load())
        with guarded("test", who):
            cases = benchmark.cases(request["seed"])
            return [repr(plain(benchmark.run(state, case), who)) for case in cases]


def one_interpreter(request):
    clock = CLOCKS[request["clock"]]
    benchmark = read_benchmark(request["benchmark"])
    collect = gc.collect
    versions = {who: Version(request[who], request["package"]) for who in request["order"]}
    states = {}
    shared = snapshot(sys.modules)
    roots = {}

    def settle(who):
        """After the root's turn all is as it should be; after the candidate's it is checked."""
        nonlocal shared, roots
        if who == "candidate":
            touched = changed(shared, sys.modules) + changed(roots, versions["root"].modules) + meddling()
            if touched:
                raise Failure("scope", who, "it changes what is not its own: " + ", ".join(touched[:8]))
        shared, roots = snapshot(sys.modules), snapshot(versions["root"].modules)

    def turn(who, data):
        with versions[who], guarded("test", who):
            collect()
            begun = clock()
            output = benchmark.run(states[who], data)
            elapsed = clock() - begun
            plain(output, who)
        settle(who)
        return elapsed, output

    for who in request["order"]:
        with versions[who], guarded("build", who):
            states[who] = benchmark.setup(versions[who].load())
        settle(who)
    return alternate(request, benchmark, turn)


def alternate(request, benchmark, turn):
    """Warm-up, then `repeats` turns of each on equal inputs; who is first takes turns."""
    times = {"root": [], "candidate": []}
    for repeat in range(-1, request["repeats"]):
        outputs = {}
        order = request["order"] if repeat % 2 == 0 else request["order"][::-1]
        for who in order:
            # Each has inputs of its own making: what a version does to its input is no concern of the other.
            elapsed, outputs[who] = turn(who, benchmark.inputs(request["seed"] + repeat + 1))
            if repeat >= 0:
                times[who].append(elapsed)
        if outputs["root"] != outputs["candidate"]:
            raise Failure("gate", "candidate", "the output of the timed work differs from the root's")
    return times


def separate_processes(request):
    benchmark = read_benchmark(request["benchmark"])
    workers = {}

    def serve(who):
        version = Version(request[who], request["package"])
        with version:
            with guarded("build", who):
                state = benchmark.setup(version.load())
            while True:
                seed = yield
                with guarded("test", who):
                    data = benchmark.inputs(seed)
                    gc.collect()
                    yield
                    yield digest(plain(benchmark.run(state, data), who))

    try:
        for who in request["order"]:
            workers[who] = isolated.Worker(who, lambda who=who: serve(who), request["clock"], Failure)

        def turn(who, seed):
            return workers[who].turn(seed)

        # The workers make their inputs themselves, of the seed.
        seeds = types.SimpleNamespace(inputs=lambda seed: seed)
        return alternate(request, seeds, turn)
    finally:
        for worker in workers.values():
            worker.stop()


def main(request):
    if request["do"] == "answers":
        return answers(request)
    return separate_processes(request) if request["isolate"] else one_interpreter(request)


if __name__ == "__main__":
    try:
        report = {"ok": main(json.loads(sys.argv[1]))}
    except Failure as failure:
        report = {"error": failure.kind, "who": failure.who, "detail": failure.detail}
    text = json.dumps(report) + "\n"
    with os.fdopen(REPORT, "w", encoding="utf-8") as file:
        file.write(text)
    # Threads and exit handlers of a package must not hold the process up.
    os._exit(0)
