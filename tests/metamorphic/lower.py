"""From statements to instructions: each does one visible thing, or is a branch of its thread.

An instruction is a tuple: kind, object, two operands, memory order, the statement's number. Jumps lead to an index
in the thread's list. Loops are unrolled, an increment is a read and a write, waiting on a condition is the loop over
its predicate.
"""

from collections import namedtuple

Instruction = namedtuple("Instruction", "kind on value other order id")

LOCAL = {"if", "check", "goto"}  # nobody else can see these


def lower(body, idles=False):
    """With `idles`, a sleep or a yield is an instruction: a no-op."""
    code = []

    def emit(kind, op, on="", value=0, other=0):
        code.append(Instruction(kind, on, value, other, op.order, op.id))
        return len(code) - 1

    def patch(at, **fields):
        code[at] = code[at]._replace(**fields)

    def walk(ops):
        for op in ops:
            if op.kind == "increment":
                emit("fetch", op, op.on)
                emit("put", op, op.on)
            elif op.kind == "section":
                emit("lock", op, op.on)
                walk(op.body)
                emit("unlock", op, op.on)
            elif op.kind in ("try", "timed"):
                tried = emit(op.kind, op, op.on)
                walk(op.body)
                emit("unlock", op, op.on)
                patch(tried, other=len(code))
            elif op.kind == "wait":
                look = emit("look", op, op.value)
                emit("sleep", op, op.on, op.desired)
                emit("wake", op, op.on, op.desired)
                emit("goto", op, other=look)
                patch(look, other=len(code))
            elif op.kind == "once":
                first = emit("once", op, op.on)
                walk(op.body)
                emit("done", op, op.on)
                patch(first, other=len(code))
            elif op.kind == "if":
                branch = emit("if", op, value=op.value)
                walk(op.body)
                patch(branch, other=len(code))
            elif op.kind == "idle":
                if idles:
                    emit("idle", op)
            elif op.kind == "repeat":
                for _ in range(op.value):
                    walk(op.body)
            else:
                emit(op.kind, op, op.on, op.value, op.desired)

    walk(body)
    return code
