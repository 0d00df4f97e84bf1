# SPDX-License-Identifier: GPL-2.0
"""A guest that boots once, up to where it asks for a line, and goes on from there with another line each time."""
import contextlib
import os
import select
import socket
import subprocess
import tempfile
import time

SILENT = 60     # seconds without a word: it hangs


class Frozen:
    def __init__(self, kernel, initrd, job, work):
        """Boots and freezes it: the job has to say "ready" and then to read a line"""
        self.state = os.path.join(work, "state")
        # Not there: the name of a socket has 107 characters at most
        self.sockets = tempfile.TemporaryDirectory()
        self.monitor = os.path.join(self.sockets.name, "monitor")
        self.command = [
            os.environ.get("QEMU") or "qemu-system-x86_64", "-M", "q35", "-cpu", "max", "-m", "512", "-nic", "none",
            "-display", "none", "-no-reboot", "-serial", "stdio", "-monitor", f"unix:{self.monitor},server=on,wait=off",
            "-kernel", kernel, "-initrd", initrd, "-append",
            f"console=ttyS0 quiet panic=-1 tsc=reliable nokaslr kunit.enable=0 oops=panic loglevel=1 job={job}"]
        with self._emulator() as guest:
            lines, _ = self._hear(guest, ("ready",))
            if "ready\n" not in lines:
                raise RuntimeError(f"{kernel} does not get ready: {''.join(lines[-5:])}")
            self._ask("stop")
            self._ask(f'migrate "exec:cat >{self.state}"')
            self._wait_for("info migrate", "completed")

    @contextlib.contextmanager
    def _emulator(self, *more):
        with subprocess.Popen([*self.command, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as guest:
            try:
                yield guest
            finally:
                guest.kill()

    def _ask(self, command):
        """What the monitor answers"""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.settimeout(SILENT)
            monitor.connect(self.monitor)
            for text in (b"", command.encode() + b"\n"):
                monitor.sendall(text)
                answer = b""
                while not answer.endswith(b"(qemu) "):
                    got = monitor.recv(65536)
                    if not got:
                        raise RuntimeError("the emulator went away")
                    answer += got
            return answer.decode(errors="replace")

    def _wait_for(self, command, word):
        limit = time.monotonic() + SILENT
        while time.monotonic() < limit:
            try:
                if word in self._ask(command):
                    return
            except (ConnectionError, FileNotFoundError):
                pass    # not there yet
            time.sleep(0.02)
        raise RuntimeError(f"the emulator does not say '{word}' to '{command}'")

    def go_on(self, line, ends):
        """The lines it says after that, up to one that begins with one of these or until it goes down, and whether
        it hangs"""
        for tries in range(3):
            try:
                with self._emulator("-incoming", f"exec:cat {self.state}") as guest:
                    self._wait_for("info status", "paused\r\n")
                    self._ask("cont")
                    guest.stdin.write(line.encode() + b"\n")
                    guest.stdin.flush()
                    return self._hear(guest, ends)
            except (OSError, RuntimeError):
                # It did not start, as may be where the machine has much else to do.
                if tries == 2:
                    raise

    @staticmethod
    def _hear(guest, ends):
        said = b""
        while True:
            hung = not select.select([guest.stdout], [], [], SILENT)[0]
            got = b"" if hung else os.read(guest.stdout.fileno(), 65536)
            said += got
            lines = said.decode(errors="replace").replace("\r", "").splitlines(True)
            if not got or any(line.startswith(ends) and line.endswith("\n") for line in lines):
                return lines, hung
