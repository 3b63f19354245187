#!/usr/bin/env python3
"""Checks that files are SARIF 2.1.0, as far as Heddle writes it: every property is known and of its type, none is
missing, and what refers to something else (rules, base directories, related locations) refers to what is there.

usage: sarif_check.py FILE...
"""

import json
import re
import sys
import urllib.parse

LEVELS = {"none", "note", "warning", "error"}


def text(value):
    return isinstance(value, str)


def number(least):
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def one_of(*words):
    return lambda value: value in words


def uri(value):
    """RFC 3986: only characters that a URI has, everything else percent-encoded."""
    return text(value) and re.fullmatch(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-F]{2})+", value) is not None


def words(value):
    return isinstance(value, dict) and all(text(word) for word in value.values())


# Section 3 of the specification. A name in capitals is an object of this table, [X] an array of X; `!`: required.
OBJECTS = {
    "LOG": {"$schema": uri, "version!": one_of("2.1.0"), "runs!": ["RUN"]},
    "RUN": {"tool!": "TOOL", "invocations": ["INVOCATION"], "originalUriBaseIds": dict, "results": ["RESULT"],
            "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints"), "properties": dict},
    "TOOL": {"driver!": "COMPONENT"},
    "COMPONENT": {"name!": text, "version": text, "rules": ["RULE"]},
    "RULE": {"id!": text, "name": text, "shortDescription": "MESSAGE", "fullDescription": "MESSAGE",
             "defaultConfiguration": "CONFIGURATION"},
    "CONFIGURATION": {"level": one_of(*LEVELS)},
    "MESSAGE": {"text!": text},
    "INVOCATION": {"executionSuccessful!": lambda value: isinstance(value, bool), "commandLine": text, "arguments": [text],
                   "exitCode": number(-(2 ** 31)), "exitSignalNumber": number(1), "workingDirectory": "ARTIFACT",
                   "toolExecutionNotifications": ["NOTIFICATION"]},
    "NOTIFICATION": {"level": one_of(*LEVELS), "message!": "MESSAGE"},
    "RESULT": {"ruleId!": text, "ruleIndex": number(0), "level": one_of(*LEVELS), "message!": "MESSAGE", "locations": ["LOCATION"],
               "relatedLocations": ["LOCATION"], "codeFlows": ["FLOW"], "partialFingerprints": words, "occurrenceCount": number(1),
               "properties": dict},
    "LOCATION": {"id": number(0), "physicalLocation": "PHYSICAL", "logicalLocations": ["LOGICAL"], "message": "MESSAGE"},
    "PHYSICAL": {"artifactLocation": "ARTIFACT", "region": "REGION", "address": "ADDRESS"},
    "ARTIFACT": {"uri!": uri, "uriBaseId": text},
    "REGION": {"startLine!": number(1), "startColumn": number(1)},
    "ADDRESS": {"relativeAddress": number(0), "fullyQualifiedName": text},
    "LOGICAL": {"name": text, "fullyQualifiedName": text, "decoratedName": text, "kind": text},
    "FLOW": {"threadFlows!": ["THREAD"]},
    "THREAD": {"id": text, "message": "MESSAGE", "locations!": ["STEP"]},
    "STEP": {"location": "LOCATION", "stack": "STACK", "kinds": [text], "nestingLevel": number(0), "executionOrder": number(0),
             "importance": one_of("important", "essential", "unimportant")},
    "STACK": {"frames!": ["FRAME"]},
    "FRAME": {"location": "LOCATION", "module": text, "threadId": number(0)},
}


class Checker:
    def __init__(self):
        self.problems = []

    def complain(self, where, what):
        self.problems.append(f"{where}: {what}")

    def check(self, value, kind, where):
        if isinstance(kind, list):
            if not isinstance(value, list):
                return self.complain(where, "no array")
            for index, item in enumerate(value):
                self.check(item, kind[0], f"{where}[{index}]")
        elif kind is dict:
            if not isinstance(value, dict):
                self.complain(where, "no object")
        elif isinstance(kind, str):
            self.check_object(value, kind, where)
        elif not kind(value):
            self.complain(where, f"{value!r} does not fit")

    def check_object(self, value, kind, where):
        if not isinstance(value, dict):
            return self.complain(where, "no object")
        known = {name.rstrip("!"): of for name, of in OBJECTS[kind].items()}
        for name in OBJECTS[kind]:
            if name.endswith("!") and name[:-1] not in value:
                self.complain(where, f"has no {name[:-1]}")
        for name, item in value.items():
            if name not in known:
                self.complain(where, f"unknown property {name}")
            else:
                self.check(item, known[name], f"{where}.{name}")
        # What a table of properties does not say.
        if kind == "MESSAGE" and re.search(r"(?<!\{)(?:\{\{)*\{(?!\{)", value.get("text", "")):
            self.complain(where, "a single brace is a placeholder, and there are no arguments")
        if kind == "PHYSICAL" and not {"artifactLocation", "address"} & value.keys():
            self.complain(where, "neither artifactLocation nor address")
        if kind == "ARTIFACT":
            self.check_uri(value, where)
        if kind in ("FLOW", "THREAD") and value.get("threadFlows", value.get("locations")) == []:
            self.complain(where, "has nothing in it")

    def check_uri(self, value, where):
        parts = urllib.parse.urlsplit(value.get("uri", ""))
        if "uriBaseId" in value and (parts.scheme or parts.path.startswith("/") or ".." in parts.path.split("/")):
            self.complain(where, "relative to uriBaseId, but not below it")
        if "uriBaseId" in value and value["uriBaseId"] not in self.bases:
            self.complain(where, f"{value['uriBaseId']} is not in originalUriBaseIds")
        if parts.scheme and not (parts.scheme == "file" and parts.path.startswith("/")):
            self.complain(where, "no URI of a file")

    def check_run(self, run, where):
        self.bases = run.get("originalUriBaseIds", {})
        for name, base in self.bases.items():
            self.check(base, "ARTIFACT", f"{where}.originalUriBaseIds.{name}")
            if not base.get("uri", "").endswith("/"):
                self.complain(where, f"the base directory {name} does not end in a slash")
        self.check(run, "RUN", where)
        rules = run["tool"]["driver"].get("rules", [])
        for index, result in enumerate(run.get("results", [])):
            at = f"{where}.results[{index}]"
            if not 0 <= result.get("ruleIndex", -1) < len(rules) or rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                self.complain(at, "ruleIndex is not the rule of ruleId")
            ids = [place["id"] for place in result.get("relatedLocations", [])]
            if len(ids) != len(set(ids)):
                self.complain(at, "relatedLocations share an id")
            orders = [step["executionOrder"] for flow in result.get("codeFlows", []) for thread in flow["threadFlows"]
                      for step in thread["locations"] if "executionOrder" in step]
            if len(orders) != len(set(orders)):
                self.complain(at, "two steps have one executionOrder")


def problems_of(document):
    checker = Checker()
    checker.bases = {}
    checker.check({name: value for name, value in document.items() if name != "runs"} | {"runs": []}, "LOG", "log")
    for index, run in enumerate(document.get("runs", [])):
        checker.check_run(run, f"runs[{index}]")
    return checker.problems


def main():
    failed = False
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for problem in problems_of(json.load(file)):
                print(f"{path}: {problem}")
                failed = True
    return 1 if failed or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
