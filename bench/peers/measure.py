"""Runs a command and prints, as one line of JSON on file descriptor 3, what it took.

    measure.py COMMAND ARGUMENT...

wall and cpu in seconds (user and system, of the command and of all that it started and waited for), memory in MB (the peak of one process),
and the exit code. The kernel counts them (wait4), so that each program is measured in the same way.
"""

import json
import os
import sys
import time

start = time.monotonic()
child = os.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
line = {
    "wall": time.monotonic() - start,
    "cpu": usage.ru_utime + usage.ru_stime,
    "memory": usage.ru_maxrss / 1024,
    "exit": os.waitstatus_to_exitcode(status),
}
os.write(3, (json.dumps(line) + "\n").encode())
