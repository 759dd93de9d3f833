#!/usr/bin/env python3
"""A server that is stopped for 100 ms once a second, at 1000 requests a second: does the tail show it?

Usage: benches/stall.py TARE SERVER [SECONDS]
TARE is the built binary; SERVER a program that takes a port and speaks the doubling job (the floor that
`tare check doubling --only c-epoll` builds under .tare/build). Prints the quantiles beside what arithmetic says:
a tenth of all requests fall into a stall and wait for the rest of it, evenly spread over its length, so the share
1 - q of the slowest begins at stall * (1 - (1 - q) * period / stall).
"""
import json, signal, socket, subprocess, sys, threading, time

STALL, PERIOD, RATE = 0.100, 1.0, 1000


def main():
    tare, server = sys.argv[1], sys.argv[2]
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 30
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    target = subprocess.Popen([server, str(port), "1"])
    over, stalls = threading.Event(), []

    def stall():
        due = time.monotonic() + 0.5
        while not over.wait(max(0.0, due - time.monotonic())):
            began = time.monotonic()
            target.send_signal(signal.SIGSTOP)
            time.sleep(max(0.0, STALL - (time.monotonic() - began)))
            target.send_signal(signal.SIGCONT)
            stalls.append(time.monotonic() - began)
            due += PERIOD

    try:
        time.sleep(0.3)
        thread = threading.Thread(target=stall)
        thread.start()
        command = [tare, "load", f"tcp://127.0.0.1:{port}", "-c", "32", "--rate", str(RATE),
                   "-d", str(seconds), "--cores", "0", "--format", "json", "-q"]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    finally:
        over.set()
        thread.join()
        target.send_signal(signal.SIGCONT)
        target.terminate()
        target.wait()
    mean = sum(stalls) / len(stalls)
    print(f"{len(stalls)} stalls of {mean * 1e3:.1f} ms on average; {found['answers']} answers, {found['lost']} lost")
    worst = 0.0
    for name, q in (("latency_p90", 0.9), ("latency_p99", 0.99), ("latency_p999", 0.999)):
        expected = mean * max(0.0, 1 - (1 - q) * PERIOD / mean)
        if q == 0.9:
            print(f"{name}: {found[name] * 1e3:.2f} ms (the edge of the stalls: arithmetic says next to nothing)")
            continue
        off = found[name] / expected - 1
        worst = max(worst, abs(off))
        print(f"{name}: {found[name] * 1e3:.2f} ms, arithmetic says {expected * 1e3:.2f} ms ({off:+.1%})")
    print("within 10%" if worst <= 0.10 else "NOT within 10%")
    return 0 if worst <= 0.10 else 1


if __name__ == "__main__":
    sys.exit(main())
