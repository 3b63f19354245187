#!/usr/bin/env python3
"""The model on programs with known answers: litmus tests of the memory model, locks, conditions, barriers, and counts
of classes.
"""

import sys
import unittest

from classes import classes_of
from model import truth_of
from program import Op, Program, number


def read(name):
    return Op("read", name)


def write(name, value=1):
    return Op("write", name, value)


def load(name, order="seq_cst"):
    return Op("load", name, order=order)


def store(name, value=1, order="seq_cst"):
    return Op("store", name, value, order=order)


def add(name, order="seq_cst"):
    return Op("add", name, 1, order=order)


def section(name, *body):
    return Op("section", name, body=body)


def when(value, *body):
    return Op("if", value=value, body=body)


def check(value):
    return Op("check", value=value)


INCREMENT = Op("increment", "x")


def threads(*bodies, before=(), main=(), join=True, behind=()):
    """Main spawns a thread for each body, executes statements of its own, and joins them."""
    numbers = range(1, len(bodies) + 1)
    ops = [*before, *(Op("spawn", value=n) for n in numbers), *main, *(Op("join" if join else "detach", value=n) for n in numbers), *behind]
    return number(Program((tuple(ops), *map(tuple, bodies))))


class Races(unittest.TestCase):
    def expect(self, program, *bugs, always=None):
        truth = truth_of(program)
        self.assertEqual(truth.bugs(), set(bugs))
        if always is not None:
            self.assertEqual(truth.always_races, always)
        return truth

    def test_two_writes_race_in_every_interleaving(self):
        truth = self.expect(threads([write("x")], [write("x")]), "race", always=True)
        self.assertEqual(truth.races, {frozenset({5, 6})})

    def test_reads_do_not_race(self):
        self.expect(threads([read("x")], [read("x")]))

    def test_spawn_and_join_order(self):
        self.expect(threads([write("x")], behind=[read("x")]))
        self.expect(threads([write("x")], main=[read("x")]), "race")

    def test_a_common_lock_protects_and_another_does_not(self):
        self.expect(threads([section("m", INCREMENT)], [section("m", INCREMENT)]))
        self.expect(threads([section("m", INCREMENT)], [section("n", INCREMENT)]), "race", always=True)

    def test_a_race_that_one_order_of_critical_sections_hides(self):
        self.expect(threads([write("x"), section("m", read("y"))], [section("m", read("y")), write("x")]), "race", always=False)

    def test_message_passing(self):
        """A release store that an acquire load reads from orders; weaker ones do not."""
        for stored, loaded, racy in [("seq_cst", "seq_cst", False), ("release", "acquire", False), ("relaxed", "acquire", True),
                                     ("release", "relaxed", True)]:
            program = threads([write("x"), store("a", 1, stored)], [load("a", loaded), when(1, read("x"))])
            self.expect(program, *(["race"] if racy else []))

    def test_a_relaxed_exchange_goes_on_with_the_release_sequence(self):
        program = threads([write("x"), store("a", 1, "release")], [add("a", "relaxed")], [load("a", "acquire"), when(2, read("x"))])
        self.expect(program)

    def test_a_relaxed_store_ends_the_release_sequence(self):
        program = threads([write("x"), store("a", 1, "release"), store("a", 2, "relaxed")], [load("a", "acquire"), when(2, read("x"))])
        self.expect(program, "race")

    def test_store_buffering_is_sequentially_consistent(self):
        both_zero = threads([store("a"), load("b"), when(0, section("m", write("x")))],
                            [store("b"), load("a"), when(0, section("m", read("x"), check(0)))])
        self.expect(both_zero)

    def test_a_lock_that_was_not_got_orders_nothing(self):
        program = threads([write("x"), section("m")], [Op("try", "m", body=()), read("x")])
        self.expect(program, "race", always=False)

    def test_a_write_between_unlock_and_notification_races_with_the_waiter(self):
        wait = section("m", Op("wait", "c", "y", "m"))
        early = threads([write("x"), section("m", write("y")), Op("notify_one", "c")], [wait, read("x")])
        late = threads([section("m", write("y")), write("x"), Op("notify_one", "c")], [wait, read("x")])
        self.expect(early)
        self.expect(late, "race")

    def test_barriers_order_all(self):
        barrier = Op("barrier", "s")
        self.expect(threads([write("x"), barrier], [barrier, read("x")]))
        self.expect(threads([write("x"), barrier], [read("x"), barrier]), "race")

    def test_once_orders_whoever_comes_later(self):
        once = Op("once", "o", body=(write("x"),))
        self.expect(threads([once, read("x")], [once, read("x")]))
        self.expect(threads([once], [read("x")]), "race")

    def test_the_end_of_main_orders_nothing(self):
        self.expect(threads([write("x")], main=[write("x")], join=False), "race", always=True)

    def test_what_waits_when_main_ends_is_cut_off(self):
        waits = [section("m", Op("wait", "c", "z", "m"))]
        self.expect(threads(waits), "deadlock")
        self.expect(threads(waits, join=False))

    def test_a_cycle_of_locks_is_a_deadlock_after_the_end_of_main_too(self):
        one, other = section("m", section("n")), section("n", section("m"))
        self.expect(threads([one], [other], join=False), "deadlock")
        self.expect(threads([one], [one], join=False))


class OpenMP(unittest.TestCase):
    def expect(self, body, *pairs):
        truth = truth_of(number(Program(((Op("parallel", body=tuple(body)),),))))
        self.assertEqual(truth.bugs(), {"race"} if pairs else set())
        self.assertEqual(truth.races, {frozenset(pair) for pair in pairs})

    def test_each_thread_does_what_the_region_says(self):
        self.expect([write("x")], (2,))
        self.expect([section("m", write("x"))])
        self.expect([Op("add", "a", 1, order="relaxed")])
        self.expect([Op("add", "a", 1, order="relaxed"), read("a")], (2, 3))

    def test_teams_meet_at_the_end_of_their_league(self):
        truth = truth_of(number(Program(((Op("teams", body=(Op("parallel", body=(section("m", write("x")),)), write("y"))), read("x")),))))
        self.assertEqual(truth.races, {frozenset({5})})

    def test_any_thread_may_get_a_chunk(self):
        for schedule in ("dynamic", "static"):
            self.expect([Op("for", schedule, 2, body=(write("x"),))], (3,))
        self.expect([Op("for", "dynamic", 1, body=(write("x"),)), read("x")])
        self.expect([Op("for", "dynamic", 1, 1, body=(write("x"),)), read("x")], (3, 4))

    def test_sections_and_singles(self):
        parts = (Op("part", body=(write("x"),)), Op("part", body=(read("x"),)))
        self.expect([Op("sections", body=parts)], (4, 6))
        single, other = Op("single", body=(write("x"),)), Op("single", body=(read("x"),))
        self.expect([single, other])
        self.expect([Op("single", desired=1, body=(write("x"),)), other], (3, 5))
        self.expect([Op("single", desired=1, body=(write("x"),)), Op("barrier"), other])

    def test_tasks(self):
        def single(*body):
            return [Op("single", body=body)]

        task, other = Op("task", body=(write("x"),)), Op("task", body=(read("x"),))
        self.expect(single(task, other), (4, 6))
        self.expect(single(task, Op("taskwait"), other))
        self.expect(single(Op("taskgroup", body=(task,)), other))
        self.expect(single(Op("task", "y", "out", body=(write("x"),)), Op("task", "y", "in", body=(read("x"),))))
        self.expect(single(Op("task", "y", "in", body=(write("x"),)), Op("task", "y", "in", body=(read("x"),))), (4, 6))
        self.expect([*single(task), read("x")])

    def test_dependences_order_siblings_in_whatever_block(self):
        writes, reads = Op("task", "y", "out", body=(write("x"),)), Op("task", "y", "in", body=(read("x"),))
        self.expect([Op("single", body=(writes, Op("taskgroup", body=(reads,))))])
        self.expect([Op("single", body=(section("m", writes), section("m", reads)))])
        # Another creator, another family: a thread's own task, or a task's.
        self.expect([Op("single", body=(writes, Op("task", body=(reads,))))], (4, 7))
        # The two are siblings only if one thread executes both parts.
        self.expect([Op("single", value=0, desired=1, body=(writes,)), Op("single", body=(reads,))], (4, 7))

    def test_taskwait_is_for_children_and_taskgroup_for_all(self):
        nested = Op("task", body=(Op("task", body=(write("x"),)),))
        self.expect([Op("single", body=(nested, Op("taskwait"), read("x")))], (5, 7))
        self.expect([Op("single", body=(Op("taskgroup", body=(nested,)), read("x")))])


class Ends(unittest.TestCase):
    def test_locks_in_two_orders(self):
        truth = truth_of(threads([section("m", section("n"))], [section("n", section("m"))]))
        self.assertEqual((truth.deadlock, truth.always_deadlocks), (True, False))

    def test_locks_in_two_orders_under_a_third(self):
        truth = truth_of(threads([section("k", section("m", section("n")))], [section("k", section("n", section("m")))]))
        self.assertFalse(truth.deadlock)

    def test_who_only_tries_waits_for_nobody(self):
        for kind in ("try", "timed"):
            truth = truth_of(threads([section("m", Op(kind, "n", body=()))], [section("n", section("m"))]))
            self.assertFalse(truth.deadlock)

    def test_a_lost_notification(self):
        wait = section("m", Op("wait", "c", "y", "m"))
        self.assertFalse(truth_of(threads([section("m", write("y")), Op("notify_one", "c")], [wait])).deadlock)
        self.assertTrue(truth_of(threads([Op("notify_one", "c"), section("m", write("y"))], [wait])).deadlock)
        self.assertTrue(truth_of(threads([section("m", write("y")), Op("notify_one", "c")], [wait], [wait])).deadlock)
        self.assertFalse(truth_of(threads([section("m", write("y")), Op("notify_all", "c")], [wait], [wait])).deadlock)

    def test_a_timed_lock_may_time_out(self):
        held = section("m", write("y"))
        self.assertTrue(truth_of(threads([held], [Op("timed", "m", body=(add("a"),))], behind=[load("a"), check(1)])).failure)

    def test_checks(self):
        program = threads([section("m", INCREMENT)], [section("m", INCREMENT)], behind=[read("x"), check(2)])
        self.assertFalse(truth_of(program).failure)
        lost = threads([load("a"), when(0, store("a", 1))], [load("a"), when(0, store("a", 2))], behind=[load("a"), check(2)])
        truth = truth_of(lost)
        self.assertEqual((truth.failure, truth.always_fails), (True, False))


class Classes(unittest.TestCase):
    def test_counts(self):
        increments = [[section("m", INCREMENT)]] * 3
        self.assertEqual(classes_of(threads(*increments[:2])), 2)
        self.assertEqual(classes_of(threads(*increments)), 6)

    def test_sections_without_a_conflict_are_one_class(self):
        self.assertEqual(classes_of(threads([section("m", write("x"))], [section("m", write("y"))])), 1)
        self.assertEqual(classes_of(threads([section("m", read("x"))], [section("m", read("x"))])), 1)

    def test_sections_around_others_exclude_each_other(self):
        nested = [section("m", section("n"))]
        self.assertEqual(classes_of(threads(nested, nested)), 2)

    def test_a_section_with_a_sleep_spans_two_steps(self):
        sleeps = [section("m", Op("idle", "sleep"))]
        self.assertEqual(classes_of(threads(sleeps, sleeps)), 2)
        self.assertEqual(classes_of(threads([Op("idle", "sleep"), section("m")], [section("m")])), 1)

    def test_atomics(self):
        self.assertEqual(classes_of(threads([load("a")], [load("a")])), 1)
        self.assertEqual(classes_of(threads([store("a")], [load("a")])), 2)
        self.assertEqual(classes_of(threads([load("a"), load("a")], [store("a")])), 3)
        self.assertEqual(classes_of(threads([store("a"), load("b")], [store("b"), load("a")])), 3)
        self.assertEqual(classes_of(threads([add("a"), add("a")], [add("a"), add("a")])), 6)

    def test_tries_may_find_a_lock_held(self):
        """Before, during and after the section of the other."""
        self.assertEqual(classes_of(threads([section("m", write("x"))], [Op("try", "m", body=())])), 3)

    def test_the_initial_thread_alone_finds_a_lock_free(self):
        """Its try asks for no more steps: sections without a conflict stay one class."""
        sections = [[section("m", write("x"))], [section("m", write("y"))]]
        a_try = [Op("try", "m", body=())]
        self.assertEqual(classes_of(threads(*sections, before=a_try)), 1)
        self.assertEqual(classes_of(threads(*sections, behind=a_try)), 2)


if __name__ == "__main__":
    sys.exit(unittest.main())
