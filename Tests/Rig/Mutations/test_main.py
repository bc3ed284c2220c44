"""Tests of the command line and of the table, without builds and seeds."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import main
import mutation
from mutation import ROOT, Mutation
from seeds import Outcome
from tree import Tree

ONE, TWO = mutation.load()[1][:2]


class FakeTree(Tree):
    """A copy of the repository whose build takes no time. `failing` has the names of builds that fail."""

    failing = ()

    def build(self, name):
        self.built = [*getattr(self, "built", []), name]
        # A mutation is in the copy only during its build and its seeds.
        for one in (ONE, TWO):
            text = (self.path / one.file).read_text(encoding="utf-8")
            assert (text == one.changed(ROOT)) == (name == one.name)
        return None if name in self.failing else Path(f"/programs/{name}")

    def copy_program(self, program, name):
        return program


class MainTests(unittest.TestCase):
    def setUp(self):
        self.tree = FakeTree(Path(self.enterContext(tempfile.TemporaryDirectory())))
        # The copy needs only the files of the mutations.
        files = [ONE.file, TWO.file]
        self.enterContext(mock.patch.object(Tree, "_names", lambda tree: files))
        self.runs = []

    def run_main(self, outcomes, *words):
        """Runs the program. `outcomes` has the outcomes by program and first seed; all other seeds are green."""

        def run(program, first, count):
            self.runs.append((program.name, first, count))
            return outcomes.get((program.name, first), Outcome(count))

        output, errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        handlers = mock.patch("main.signal.signal"), mock.patch("main.resource.setrlimit")
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors), handlers[0], handlers[1]:
            status = main.main([*words, "--only", ONE.name, "--only", TWO.name], self.tree, run)
        output.flush()
        return status, output.buffer.getvalue().decode(), errors.getvalue()

    def test_prints_a_row_for_each_mutation(self):
        outcomes = {(ONE.name, 1): Outcome(7, 7, "torn | lost"), (TWO.name, 1): Outcome(90, 90, "x" * 200)}
        status, output, errors = self.run_main(outcomes)
        self.assertEqual(status, 0)
        rows = output.splitlines()
        self.assertEqual(rows[:2], main.HEADER.splitlines())
        self.assertRegex(rows[2], rf"^\| {ONE.name} \| {ONE.rule} \| yes \| 7 \| torn / lost \| 0 s \|$")
        self.assertRegex(rows[3], rf"^\| {TWO.name} \| {TWO.rule} \| yes \| 90 \| x{{89}}… \| 0 s \|$")
        self.assertIn("found 2 of 2 mutations", errors)
        self.assertIn(ONE.defect, errors)
        self.assertEqual(self.tree.built, ["unchanged", ONE.name, TWO.name])

    def test_a_mutation_without_a_red_seed_is_missed(self):
        status, output, errors = self.run_main({(ONE.name, 1): Outcome(7, 7, "torn")}, "--seeds", "12")
        self.assertEqual(status, 1)
        self.assertIn(f"| {TWO.name} | {TWO.rule} | no | 12 |  | 0 s |", output)
        self.assertIn(f"not found: {TWO.name}\n", errors)

    def test_a_stopped_run_is_missed(self):
        stopped = Outcome(5, is_stopped=True)
        status, output, _ = self.run_main({(ONE.name, 1): stopped, (TWO.name, 1): Outcome(1, 1, "torn")})
        self.assertEqual(status, 1)
        self.assertIn(f"| {ONE.name} | {ONE.rule} | stopped | 5 |", output)

    def test_a_seed_that_is_red_without_the_mutation_is_no_evidence(self):
        red = Outcome(7, 7, "torn")
        status, output, _ = self.run_main({(ONE.name, 1): red, ("unchanged", 7): Outcome(1, 7, "torn"), (TWO.name, 1): red})
        self.assertEqual(status, 1)
        self.assertIn("| seed 7 is also red without the mutation | 7 |", output)
        self.assertIn(("unchanged", 7, 1), self.runs)

    def test_a_failed_build_is_missed_and_the_next_mutation_runs(self):
        self.tree.failing = (ONE.name,)
        status, output, _ = self.run_main({(TWO.name, 1): Outcome(1, 1, "torn")})
        self.assertEqual(status, 1)
        self.assertRegex(output, rf"\| {ONE.name} \| {ONE.rule} \| no build \|  \| see .*{ONE.name}\.log")
        self.assertIn(f"| {TWO.name} | {TWO.rule} | yes | 1 |", output)

    def test_a_failed_build_without_a_mutation_fails_with_a_sentence(self):
        self.tree.failing = ("unchanged",)
        status, output, errors = self.run_main({})
        self.assertEqual((status, output), (1, ""))
        self.assertIn("mutate: The simulation cannot be built without a mutation: see ", errors)

    def test_a_stale_mutation_fails_before_the_build(self):
        stale = Mutation("stale", "A defect.", ONE.file, ONE.rule, "this text does not occur", "x")
        with mock.patch("main.mutation.load", lambda: ({}, [ONE, TWO, stale])):
            status, _, errors = self.run_main({}, "--only", "stale")
        self.assertEqual(status, 1)
        self.assertIn("stale: the old text occurs 0 times", errors)
        self.assertFalse(hasattr(self.tree, "built"))

    def test_refuses_wrong_arguments_with_status_2(self):
        for words in (["--seeds", "0"], ["--minutes", "x"], ["--only", "unknown"], ["--unknown"], ["name"]):
            with self.assertRaises(SystemExit) as caught, contextlib.redirect_stderr(io.StringIO()):
                main.main(words, self.tree)
            self.assertEqual(caught.exception.code, 2, words)

    def test_lists_each_mutation_with_its_rule(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(main.main(["--list"], self.tree), 0)
        for one in mutation.load()[1]:
            self.assertIn(f"{one.name}\n  {one.defect}\n  {one.file}\n  {one.rule}: ", output.getvalue())


if __name__ == "__main__":
    unittest.main()
