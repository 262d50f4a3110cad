"""Exceptions that are raised again in another process."""

from ms_compat.dataset._processes.failure import WorkerTraceback, described, restored


class Odd(Exception):
    def __reduce__(self):
        raise OSError("not today")


def raised(function):
    try:
        function()
    except Exception as error:
        return restored(described(error))


def test_causes_and_tracebacks_are_kept():
    def fails():
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise RuntimeError("outer") from error

    error = raised(fails)
    assert (type(error), error.args, type(error.__cause__)) == (RuntimeError, ("outer",), KeyError)
    assert type(error.__cause__.__cause__) is WorkerTraceback
    assert 'raise KeyError("inner")' in str(error.__cause__.__cause__)


def test_an_exception_that_cannot_be_pickled_keeps_its_name_and_text():
    def fails():
        raise Odd("strange")

    error = raised(fails)
    assert type(error) is RuntimeError and error.args == ("Odd: strange (cannot be pickled: not today)",)
    assert "in fails" in str(error.__cause__)
