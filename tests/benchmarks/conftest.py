"""Prints the table of ratios after the benchmarks."""

from tests.benchmarks.measure import TABLE


def pytest_terminal_summary(terminalreporter):
    if not TABLE:
        return
    rows = [("what", "ms_compat", "reference", "ratio", "budget"), *TABLE]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    terminalreporter.section("ratios")
    for row in rows:
        terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
