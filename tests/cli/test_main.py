"""The command line finds its commands by their files, and `check` and `doctor` report."""

import collections
import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import ms_compat
from ms_compat import __main__ as cli
from ms_compat import version
from ms_compat.cli import _scan


def test_every_file_is_a_command_with_the_interface():
    assert {"run", "check", "doctor"} <= set(cli.commands())
    for name in cli.commands():
        command = importlib.import_module(f"ms_compat.cli.{name}")
        assert command.NAME == name
        assert command.HELP
        assert command.EXAMPLES.startswith(f"  ms-compat {name}")
        assert callable(command.add_arguments)
        assert callable(command.run)


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert all(name in text for name in cli.commands())


def test_every_command_s_help_has_examples(capsys):
    for name in cli.commands():
        with pytest.raises(SystemExit) as stopped:
            cli.main([name, "--help"])
        assert stopped.value.code == 0
        assert f"examples:\n  ms-compat {name}" in capsys.readouterr().out


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert stopped.value.code == 0
    assert f"ms-compat {version.__compat_version__} (MindSpore API {version.__version__}" in capsys.readouterr().out


def test_without_arguments_the_help_is_printed(capsys):
    for argv in ([], ["--help"]):
        with pytest.raises(SystemExit) as stopped:
            cli.main(argv)
        assert stopped.value.code == 0
    bare, asked = capsys.readouterr().out.split("usage: ")[1:]
    assert bare == asked and "show versions and devices" in bare


@pytest.mark.parametrize(
    ("argv", "usage", "message"),
    [
        (["chekc", "a.py"], "[-h] [--version] COMMAND", ": there is no command 'chekc'; did you mean 'check'?"),
        (["zzz"], "[-h] [--version] COMMAND", ": there is no command 'zzz'; 'ms-compat --help' lists them"),
        (["train.py", "-x"], "[-h]", ": there is no command 'train.py'; did you mean 'ms-compat run train.py'?"),
        (["--versoin"], "[-h] [--version] COMMAND", ": there is no option '--versoin'; did you mean '--version'?"),
        (["check", "--jsn", "a"], "check", " check: there is no option '--jsn'; did you mean '--json'?"),
        (["convert", "--frm=torch", "a"], "convert", " convert: there is no option '--frm'; did you mean '--from'?"),
        (["convert", "a"], "convert", " convert: the following arguments are required: target"),
        (["inspect", "a", "b"], "inspect", " inspect: 'b' is one argument too many"),
        (["run"], "run", " run: name a script"),
        (["run", "--nope"], "run", " run: there is no option '--nope'; did you mean '--no-check'?"),
        (["run", "--epochs", "3", "a.py"], "run", " run: there is no option '--epochs'; the options of a script"),
        (["msrun", "--worker_nm=3", "a.py"], "msrun", " msrun: there is no option '--worker_nm'; did you mean"),
    ],
)
def test_arguments_that_make_no_sense(argv, usage, message, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(argv)
    assert stopped.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith(f"usage: ms-compat {usage}")
    assert captured.err.splitlines()[-1].startswith(f"ms-compat{message}")


def test_a_choice_that_is_not_there(capsys):
    with pytest.raises(SystemExit):
        cli.main(["inspect", "--sort", "byte", "net.ckpt"])
    assert capsys.readouterr().err.rstrip().endswith("did you mean 'bytes'?")


def test_abbreviated_options_are_understood(capsys):
    assert cli.main(["check", "--cov", "--js"]) == 0
    assert json.loads(capsys.readouterr().out)["coverage"]


def test_ctrl_c_is_one_line_and_130(monkeypatch, capsys):
    from ms_compat.cli import check

    def interrupted(args):
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "run", interrupted)
    assert cli.main(["check", "a.py"]) == 130
    assert capsys.readouterr() == ("", "ms-compat check: interrupted\n")


def test_ctrl_c_before_a_program_starts_is_one_line(program, monkeypatch, capsys):
    program(main="print('no')\n")

    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(_scan, "scan", interrupted)
    assert cli.main(["run", "main.py"]) == 130
    assert capsys.readouterr() == ("", "ms-compat run: interrupted\n")


@pytest.mark.parametrize(
    ("shell", "words"),
    [("bash", ("--coverage", "inspect", "_shtab_compgen_files")), ("zsh", ("#compdef", "--coverage", "_files")),
     ("tcsh", ("complete ms-compat", "coverage"))],
)  # fmt: skip
def test_shells_complete(shell, words, capsys):
    assert cli.main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in words)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_choices_and_files(tmp_path, capsys):
    assert cli.main(["completion", "bash"]) == 0
    (tmp_path / "complete.sh").write_text(capsys.readouterr().out)
    (tmp_path / "net.ckpt").touch()
    found = {}
    for line in ("comp", "inspect --o", "inspect --sort b", "inspect ne"):
        words = ["ms-compat", *line.split()]
        lines = ["source complete.sh", f"COMP_WORDS=({' '.join(words)})", f"COMP_CWORD={len(words) - 1}",
                 "_shtab_ms_compat", 'echo "${COMPREPLY[@]}"']  # fmt: skip
        done = subprocess.run(["bash", "-c", "\n".join(lines)], cwd=tmp_path, capture_output=True, text=True)
        found[line] = done.stdout.split()
    assert found == {
        "comp": ["compare", "completion"],
        "inspect --o": ["--only"],
        "inspect --sort b": ["bytes"],
        "inspect ne": ["net.ckpt"],
    }


def test_completion_says_what_it_needs(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert cli.main(["completion", "bash"]) == 2
    text = "ms-compat completion: shtab is not installed: python -m pip install 'ms-compat[completion]'\n"
    assert capsys.readouterr() == ("", text)


def test_check_says_that_all_is_served(program, capsys):
    program(main="from mindspore import context\n")
    assert cli.main(["check", "main.py"]) == 0
    assert capsys.readouterr().out == "All MindSpore names are served.\n"


def test_check_lists_what_is_not(program, missing, capsys):
    program(main=f"import mindspore as ms\nms.ops.{missing}()\n", other="import mindspore.nope\n")
    assert cli.main(["check", "main.py", "other.py"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("2 uses of names that are not served")
    assert re.search(rf"main.py:2 +mindspore.ops.{missing} .* +stops there", text)
    assert re.search(r"other.py:1 +mindspore.nope .* +stops there", text)


def test_check_needs_a_script_that_is_there(program, capsys):
    program()
    assert cli.main(["check"]) == 2
    assert cli.main(["check", "nowhere.py"]) == 2
    assert "can't open file 'nowhere.py'" in capsys.readouterr().err


def test_check_prints_the_coverage_of_each_module(capsys):
    assert cli.main(["check", "--coverage"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"mindspore\.context +[\d ]+ 13 +100%", text)
    assert re.search(r"all +[\d ]+ 4811 +\d+%", text)


def test_check_prints_what_a_module_lacks(missing, capsys):
    assert cli.main(["check", "--missing", "mindspore.ops"]) == 0
    assert re.search(rf"^ *{missing} ", capsys.readouterr().out, re.M)


def test_doctor_reports_versions_devices_and_a_computation(capsys):
    assert cli.main(["doctor"]) == 0
    text = capsys.readouterr().out
    for row in (
        rf"ms_compat +{version.__compat_version__} .*{version.__version__}",
        r"jax +\d",
        r"matrix product on \w+ +corr",
        r"features that JAX lacks +none",
    ):
        assert re.search(row, text), row


def test_doctor_fails_when_a_computation_does(monkeypatch, capsys):
    from ms_compat.cli import doctor

    monkeypatch.setattr(doctor, "_multiply", lambda device: ("XlaRuntimeError: out of luck", 0.0))
    assert cli.main(["doctor"]) == 1
    captured = capsys.readouterr()
    assert "out of luck" in captured.out
    assert "a computation failed" in captured.err


def test_what_machines_read(program, missing, capsys):
    program(main=f"import mindspore as ms\nms.ops.{missing}()\n", other="x = (\n")
    assert cli.main(["check", "main.py", "other.py", "--json", "--coverage", "--names", "mindspore.amp"]) == 2
    told = json.loads(capsys.readouterr().out)
    (finding,) = told["findings"]
    assert (finding["file"], finding["line"], finding["name"]) == ("main.py", 2, f"mindspore.ops.{missing}")
    assert finding["stops"] is True and told["files"] == 2
    assert told["unreadable"] == ["other.py:1: '(' was never closed"]
    assert sum(told["coverage"]["mindspore.context"].values()) == 13
    assert told["names"]["auto_mixed_precision"]["status"] in ("works", "differs")
    assert cli.main(["check", "--json", "--missing", "mindspore.ops"]) == 0
    assert json.loads(capsys.readouterr().out)["missing"][missing]["kind"]
    assert cli.main(["doctor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["healthy"] is True


@pytest.mark.parametrize("option", ["--names", "--missing"])
def test_a_module_that_mindspore_does_not_have(option, capsys):
    assert cli.main(["check", option, "mindspore.nnn"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "no public module 'mindspore.nnn'; the nearest is 'mindspore.nn'" in captured.err


def test_files_that_import_each_other_are_read_once(program, monkeypatch, capsys):
    folder = program(**{f"m{i}": "".join(f"import m{j}\n" for j in range(40)) for i in range(40)})
    counts = collections.Counter()
    original = _scan.read
    monkeypatch.setattr(_scan, "read", lambda file, shown: counts.update([file]) or original(file, shown))
    assert cli.main(["check", str(folder)]) == 0
    assert len(counts) == 40 and set(counts.values()) == {1}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
@pytest.mark.parametrize("way", ["module", "script"])
def test_ctrl_c_while_a_command_starts_is_one_line(tmp_path, way):
    """The signal comes while the package is imported, before the command's own code runs."""
    (tmp_path / "jax.py").write_text("import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n")
    (tmp_path / "ms-compat").write_text("from ms_compat.__main__ import main\nraise SystemExit(main())\n")
    root = pathlib.Path(ms_compat.__file__).parents[1]
    words = ["-m", "ms_compat"] if way == "module" else [str(tmp_path / "ms-compat")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(root)))}
    done = subprocess.run(
        [sys.executable, *words, "doctor"], env=environment, capture_output=True, text=True, cwd=tmp_path, timeout=600
    )
    assert (done.returncode, done.stderr) == (130, "ms-compat: interrupted\n")


def test_ctrl_c_in_other_programs_that_import_the_package_is_theirs(tmp_path):
    code = "import signal, ms_compat; assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    root = pathlib.Path(ms_compat.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, check=True, timeout=600)
