"""Validates one file against a schema that a Python package ships: schemas.py KIND FILE."""

import json
import sys

kind, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()

if kind == "datacite":
    from datacite import schema45

    if not schema45.validate(json.loads(text)):
        sys.exit("not valid against DataCite 4.5")
    schema45.tostring(json.loads(text))
elif kind == "cyclonedx":
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault:
        sys.exit(str(fault))
elif kind == "in-toto":
    from google.protobuf.json_format import ParseDict
    from in_toto_attestation.v1 import statement_pb2
    from in_toto_attestation.v1.statement import Statement

    message = ParseDict(json.loads(text), statement_pb2.Statement())
    Statement(list(message.subject), message.predicate_type, message.predicate).validate()
else:
    sys.exit(f"unknown kind {kind}")
