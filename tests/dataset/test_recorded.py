"""What MindSpore's dataset module answered, replayed: values, dtypes, shapes and exception classes.

The recordings are tests/conformance/data/dataset_<topic>.json; the names that their expressions see are made by
tests/conformance/dataset_names.py. Where ms_compat answers otherwise on purpose, the case stands in departures.DATASET.
"""

import pytest

import ms_compat
import ms_compat.dataset
import ms_compat.mindrecord
from tests.conformance import dataset_names, departures, replay

TOPICS = (
    "source schema map batch order sampler classes joined setting files streams mindrecord mindwriter dataloader "
    "text transforms vision vision_errors vision_exact vision_kinds archives boxes written"
).split()
CASES = [case for topic in TOPICS for case in replay.load(f"dataset_{topic}.json")]


@pytest.mark.parametrize("case", CASES, ids=replay.case_id)
def test_answers_as_recorded(case):
    found = replay.differences(case, dataset_names.evaluate(case, ms_compat))
    departures.judge(case["expr"], found, departures.DATASET)
