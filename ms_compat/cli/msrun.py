"""`ms-compat msrun`: a MindSpore script in several processes, with the arguments and environment of MindSpore's msrun.

Each process drives one device; `mindspore.communication.init` joins them. There is no scheduler's process: JAX's
coordinator runs in worker 0, at the scheduler's address, and listens there alone. The processes get a token by which
their `TCPStore`s know each other, `MS_COMPAT_TOKEN`; for a job on several machines set it on all of them yourself.
"""

import argparse
import os
import pathlib
import secrets
import subprocess
import sys
import time

NAME = "msrun"
HELP = "run a MindSpore script in several processes"
EXAMPLES = """\
  ms-compat msrun --worker_num 4 --local_worker_num 4 --join True train.py --epochs 3
"""


def _bool(text: str) -> bool:
    if text not in ("True", "False"):
        raise argparse.ArgumentTypeError("must be True or False")
    return text == "True"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--worker_num", type=int, default=8, help="how many processes there are, on all machines")
    parser.add_argument("--local_worker_num", type=int, default=8, help="how many of them run on this machine")
    parser.add_argument("--master_addr", default="127.0.0.1", help="the address of the machine with worker 0")
    parser.add_argument("--master_port", type=int, default=8118, help="a free port of that machine")
    parser.add_argument("--node_rank", type=int, default=-1, help="the number of this machine")
    parser.add_argument("--log_dir", type=pathlib.Path, default=pathlib.Path(), help="folder for worker_N.log")
    parser.add_argument("--join", type=_bool, default=False, help="wait for the processes and report how they ended")
    parser.add_argument(
        "--cluster_time_out", type=int, default=600, help="seconds that the processes wait at the start"
    )
    parser.add_argument("task_script", help="the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the script's own arguments")


def run(args: argparse.Namespace) -> int:
    """Starts the processes; with `--join` returns 0 if all of them did, and ends the others after one that did not."""
    if not 0 < args.local_worker_num <= args.worker_num:
        print("ms-compat msrun: --local_worker_num must be positive and at most --worker_num", file=sys.stderr)
        return 2
    if args.local_worker_num < args.worker_num and args.node_rank < 0:
        print("ms-compat msrun: with several machines, each needs its --node_rank", file=sys.stderr)
        return 2
    args.log_dir.mkdir(parents=True, exist_ok=True)
    alone = args.local_worker_num == args.worker_num
    token = os.environ.get("MS_COMPAT_TOKEN") or (secrets.token_hex(32) if alone else "")
    workers = [_start(args, local, token) for local in range(args.local_worker_num)]
    if not args.join:
        return 0
    try:
        return _join(workers, args)
    finally:
        for worker in workers:
            worker.kill()  # JAX takes SIGTERM for a notice, and goes on
            worker.wait()


def _start(args: argparse.Namespace, local: int, token: str) -> subprocess.Popen:
    rank = max(args.node_rank, 0) * args.local_worker_num + local
    variables = {
        "MS_WORKER_NUM": args.worker_num,
        "MS_LOCAL_WORKER_NUM": args.local_worker_num,
        "MS_SCHED_HOST": args.master_addr,
        "MS_SCHED_PORT": args.master_port,
        "MS_TOPO_TIMEOUT": args.cluster_time_out,
        "MS_ROLE": "MS_WORKER",
        "MS_NODE_ID": rank,
        "RANK_ID": rank,
        "RANK_SIZE": args.worker_num,
        "DEVICE_ID": local,
        "MS_COMPAT_TOKEN": token,
    }
    command = [sys.executable, "-m", "ms_compat", "run", args.task_script, *args.arguments]
    with open(args.log_dir / f"worker_{rank}.log", "wb") as log:
        return subprocess.Popen(
            command,
            env={**os.environ, **{name: str(value) for name, value in variables.items()}},
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def _join(workers: list[subprocess.Popen], args: argparse.Namespace) -> int:
    while True:
        codes = [worker.poll() for worker in workers]
        failed = [local for local, code in enumerate(codes) if code]
        if failed:
            first = max(args.node_rank, 0) * args.local_worker_num + failed[0]
            log = args.log_dir / f"worker_{first}.log"
            print(
                f"ms-compat msrun: worker {first} ended with {codes[failed[0]]}; its log, {log}, ends:", file=sys.stderr
            )
            print(log.read_text("utf-8", "replace")[-2000:], file=sys.stderr)
            return 1
        if None not in codes:
            return 0
        time.sleep(0.05)
