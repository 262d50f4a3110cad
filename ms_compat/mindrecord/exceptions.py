"""The error classes of `mindspore.mindrecord` that can occur here."""

from ms_compat._core.faces import faces


@faces("mindrecord")
class MindRecordException(Exception):
    """The base class of all MindRecord file errors."""


@faces("mindrecord")
class ParamTypeError(MindRecordException):
    """An argument of another type::

    writer.write_raw_data({"label": 1})  # wrong writer.write_raw_data([{"label": 1}])  # right: a list of rows
    """


@faces("mindrecord")
class ParamValueError(MindRecordException):
    """An argument of another value::

    FileWriter("train.mindrecord", shard_num=0)  # wrong FileWriter("train.mindrecord", shard_num=4)  # right: 1 to
    1000
    """


@faces("mindrecord")
class MRMInvalidSchemaError(MindRecordException):
    """A schema that describes no columns::

    writer.add_schema({"label": "int32"})  # wrong writer.add_schema({"label": {"type": "int32"}})  # right: a dict a
    column
    """


@faces("mindrecord")
class MRMAddSchemaError(MindRecordException):
    """A second schema; a file has one."""


@faces("mindrecord")
class MRMDefineIndexError(MindRecordException):
    """An index on a column that holds bytes or arrays; only numbers and strings can be indexed."""


@faces("mindrecord")
class MRMBuildSchemaError(MindRecordException):
    """A shape that no array has, such as `[0]` or `[-1, -1]`."""


@faces("mindrecord")
class MRMGetMetaError(MindRecordException):
    """An index of a file that has no schema yet."""


@faces("mindrecord")
class MRMDefineCategoryError(MindRecordException):
    """A column by which `MindPage` cannot group rows: it is not in the index."""


# The rest of MindSpore's: they can be named in `except`, and nothing here raises them.
_OTHERS = """
    DbConnectionError MRMAddIndexError MRMCloseError MRMCommitError MRMDefineBlobError
    MRMFetchCandidateFieldsError MRMFetchDataError MRMFinishError MRMGenerateIndexError
    MRMIndexGeneratorError MRMInitSegmentError MRMInvalidHeaderSizeError MRMInvalidPageSizeError
    MRMLaunchError MRMOpenError MRMOpenForAppendError MRMReadCategoryInfoError MRMSetHeaderError
    MRMUnsupportedSchemaError MRMValidateDataError MRMWriteDatasetError ParamMissError PathNotExistsError UnknownError
"""
globals().update(
    {
        name: type(name, (MindRecordException,), {"__module__": __name__, "__doc__": "Not raised by ms_compat."})
        for name in _OTHERS.split()
    }
)

__all__ = ["MindRecordException", *sorted(kind.__name__ for kind in MindRecordException.__subclasses__())]
