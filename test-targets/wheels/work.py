# SPDX-License-Identifier: Apache-2.0
"""work.py NAME LIBRARY run|fork: work of one package of PyPI, for programs.py.

run: in a thread of its own, for ever; prints {"holder": TID, "worker": TID} when it is under way. LIBRARY
    (hold.c) is loaded then.
fork: does some work, forks, and the child does more: prints {"child": PID}.
"""
import ctypes
import json
import os
import sys
import threading
import time


def torch():
    import torch as t
    a = t.rand(600, 600)
    return lambda: t.softmax(a @ a, 1).sort().values.sum().item()


def sklearn():
    import numpy as n
    from sklearn.ensemble import HistGradientBoostingClassifier
    x, y = n.random.rand(20000, 8), n.random.randint(0, 2, 20000)
    return lambda: HistGradientBoostingClassifier(max_iter=5).fit(x, y)


def lightgbm():
    import lightgbm as l
    import numpy as n
    x, y = n.random.rand(20000, 8), n.random.randint(0, 2, 20000)
    return lambda: l.train({"objective": "binary", "verbosity": -1}, l.Dataset(x, y), 5)


def xgboost():
    import numpy as n
    import xgboost as x
    data = x.DMatrix(n.random.rand(20000, 8), n.random.randint(0, 2, 20000))
    return lambda: x.train({"objective": "binary:logistic"}, data, 5)


def numba():
    import numba as b
    import numpy as n
    b.config.THREADING_LAYER = "omp"

    @b.njit(parallel=True)
    def square(x):
        s = 0.0
        for i in b.prange(x.size):
            s += x[i] * x[i]
        return s
    values = n.random.rand(1 << 20)
    return lambda: square(values)


def faiss():
    import faiss as f
    import numpy as n
    x = n.random.rand(20000, 32).astype("float32")
    return lambda: f.Kmeans(32, 20, niter=2, verbose=False).train(x)


def jax():
    import jax.numpy as j
    a = j.ones((600, 600))
    return lambda: (a @ a).sum().item()


def say(**what):
    print(json.dumps(what), flush=True)


def run(step, library):
    told = threading.Event()

    def work():
        step()
        say(holder=ctypes.CDLL(library).hold_start(), worker=threading.get_native_id())
        told.set()
        while True:
            step()
    threading.Thread(target=work, daemon=True).start()
    told.wait()
    while True:
        time.sleep(1000)


def fork(step):
    step()
    child = os.fork()
    if not child:
        step()
        os._exit(0)
    say(child=child)
    sys.exit(os.waitpid(child, 0)[1] != 0)


if __name__ == "__main__":
    name, library, what = sys.argv[1:4]
    prepared = globals()[name]()
    if what == "run":
        run(prepared, library)
    else:
        fork(prepared)
