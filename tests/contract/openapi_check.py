#!/usr/bin/env python3
"""Holds openapi.json to what is really said.

usage: openapi_check.py OPENAPI GOLDEN LIVE SOURCES
  OPENAPI  the document
  GOLDEN   golden.json: <any> and <ledger> stand for any text
  LIVE     a JSON array of exchanges with a real server, in the same shape
  SOURCES  the bank's folder: its problem types and its control calls all have to be in the document
Exit code 0 where everything holds; every fault is a line on stdout.
"""
import json
import pathlib
import re
import sys
import urllib.parse

from jsonschema import Draft202012Validator

METHODS = {"get", "put", "post", "delete", "head", "patch", "options", "trace"}
# Answers that say that the request itself was wrong: it need not be in the document.
WRONG_REQUEST = {400, 404, 405, 415, 422}
faults = []
counted = {"requests": 0, "answers": 0}


def fault(where, what):
    faults.append(f"{where}: {what}")


def strict_load(path):
    def no_doubles(pairs):
        names = [name for name, _ in pairs]
        for name in names:
            if names.count(name) > 1:
                fault(path, f"member {name} twice")
        return dict(pairs)

    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=no_doubles)


class Document:
    def __init__(self, path):
        self.doc = strict_load(path)

    def resolve(self, node):
        while isinstance(node, dict) and "$ref" in node:
            target = self.doc
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def closed(self):
        """The same document with no room for members it does not tell of. Clients leave that room, its readers need not."""
        def close(node, name=""):
            if isinstance(node, list):
                return [close(item) for item in node]
            if not isinstance(node, dict):
                return node
            shut = {key: close(item, key) for key, item in node.items()}
            told = isinstance(shut.get("properties"), dict) and "additionalProperties" not in shut
            if told and name != "Problem":  # the base that every problem adds to
                shut["unevaluatedProperties"] = False
            return shut

        closed = Document.__new__(Document)
        closed.doc = close(self.doc)
        return closed

    def errors(self, schema, value):
        whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": [schema],
                 "components": self.doc["components"]}
        found = sorted(Draft202012Validator(whole).iter_errors(value), key=lambda e: list(map(str, e.absolute_path)))
        return ["/".join(map(str, e.absolute_path)) + ": " + e.message[:300] for e in found]

    def find_path(self, path):
        """The template a path belongs to, the plainest first, and its parameters."""
        for template in sorted(self.doc["paths"], key=lambda t: t.count("{")):
            pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
            match = re.fullmatch(pattern, path)
            if match:
                return template, {k: urllib.parse.unquote(v) for k, v in match.groupdict().items()}
        return None, {}


def check_structure(document):
    doc = document.doc
    if not re.fullmatch(r"3\.1\.\d+", doc["openapi"]):
        fault("openapi", "is not 3.1")
    used = set()

    def walk(node, where):
        if isinstance(node, list):
            for i, item in enumerate(node):
                walk(item, f"{where}/{i}")
        if not isinstance(node, dict):
            return
        if "$ref" in node and isinstance(node["$ref"], str):
            used.add(node["$ref"])
            try:
                document.resolve(node)
            except (KeyError, TypeError):
                fault(where, f"{node['$ref']} leads nowhere")
        for name, item in node.items():
            walk(item, f"{where}/{name}")

    walk(doc, "#")
    for kind, items in doc["components"].items():
        for name in items:
            by_security = kind == "securitySchemes"
            is_problem = kind == "schemas" and name.startswith("Problem_")  # told to people, too
            if not by_security and not is_problem and f"#/components/{kind}/{name}" not in used:
                fault(f"components/{kind}/{name}", "is used by nothing")
    for name, schema in doc["components"]["schemas"].items():
        try:
            Draft202012Validator.check_schema(schema)
        except Exception as error:  # whatever it is, it is a fault of the document
            fault(f"schemas/{name}", str(error)[:300])
    ids = set()
    for path, item in doc["paths"].items():
        for method, operation in item.items():
            if method not in METHODS:
                continue
            where = f"{method.upper()} {path}"
            if operation["operationId"] in ids:
                fault(where, "operationId is given twice")
            ids.add(operation["operationId"])
            for scheme in operation.get("security", []):
                for name in scheme:
                    if name not in doc["components"]["securitySchemes"]:
                        fault(where, f"no security scheme {name}")
            parameters = [document.resolve(p) for p in item.get("parameters", []) + operation.get("parameters", [])]
            in_path = {p["name"] for p in parameters if p["in"] == "path"}
            if in_path != set(re.findall(r"\{(\w+)\}", path)):
                fault(where, "its path parameters are others than declared")
            for parameter in parameters:
                if parameter["in"] == "path" and not parameter.get("required"):
                    fault(where, f"{parameter['name']} stands in the path and is not required")
                Draft202012Validator.check_schema(document.resolve(parameter["schema"]))
            for status, response in operation["responses"].items():
                if not re.fullmatch(r"[1-5]\d\d|default", status) or not document.resolve(response).get("description"):
                    fault(where, f"answer {status} is malformed")


def check_problem_types(document, sources):
    known = set()
    for schema in document.doc["components"]["schemas"].values():
        constant = schema.get("properties", {}).get("type", {}) if isinstance(schema, dict) else {}
        if isinstance(constant, dict) and str(constant.get("const", "")).startswith("urn:ikkai:problem:"):
            known.add(constant["const"].removeprefix("urn:ikkai:problem:"))
    pattern = re.compile(
        r'(?:(?:\b[45]\d\d|\bstatus),\s*(?:QByteArrayLiteral\()?|forbid\()"([a-z]+(?:-[a-z]+)*)"\)?,\s')
    said = {}
    for path in sorted(pathlib.Path(sources).rglob("*.cpp")):
        for found in pattern.finditer(path.read_text(encoding="utf-8")):
            said.setdefault(found.group(1), path.name)
    if len(said) < 10:
        fault(sources, f"only {len(said)} problem types found: the search is out of date")
    for name in sorted(set(said) - known):
        fault(said[name], f"problem type {name} is not in the document")
    for name in sorted(known - set(said)):
        fault("openapi", f"no source says problem type {name}")


def check_control_routes(document, sources):
    """Every call of the control API is in the document, and the other way round."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(pathlib.Path(sources, "control").glob("*.cpp")))
    real = {(path.rstrip("/") + ("/{}" if path.endswith("/") else ""), method.lower())
            for path, method in re.findall(r'Route\{"([a-z/-]+)",\s*"([A-Z]+)"', text)}
    told = {(re.sub(r"\{\w+\}", "{}", path.removeprefix("/control/")), method)
            for path, item in document.doc["paths"].items() if path.startswith("/control/")
            for method in item if method in METHODS}
    if len(real) < 15:
        fault(sources, f"only {len(real)} control calls found: the search is out of date")
    for path, method in sorted(real - told):
        fault("openapi", f"{method.upper()} /control/{path} is not in the document")
    for path, method in sorted(told - real):
        fault("openapi", f"{method.upper()} /control/{path} is answered by nothing")


def header(headers, name):
    return next((value for key, value in headers.items() if key.lower() == name.lower()), None)


def check_request(document, where, template, item, operation, values, send, status):
    counted["requests"] += 1
    if status in WRONG_REQUEST:
        return
    url = urllib.parse.urlsplit(send["target"])
    query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
    declared = [document.resolve(p) for p in item.get("parameters", []) + operation.get("parameters", [])]
    for parameter in declared:
        places = {"path": values, "query": query}
        name = parameter["name"]
        value = header(send["headers"], name) if parameter["in"] == "header" else places[parameter["in"]].get(name)
        if value is None:
            if parameter.get("required"):
                fault(where, f"{name} is required")
            continue
        schema = document.resolve(parameter["schema"])
        if schema.get("type") == "integer" and re.fullmatch(r"\d+", value):
            value = int(value)
        for error in document.errors(parameter["schema"], value):
            fault(where, f"{name}{error}")
    for name in query:
        if name not in {p["name"] for p in declared if p["in"] == "query"}:
            fault(where, f"query parameter {name} is not in the document")
    body = document.resolve(operation.get("requestBody", {}))
    if not send.get("body"):
        if body.get("required"):
            fault(where, "a body is required")
        return
    if not body:
        fault(where, "a body is sent that the document does not know")
        return
    try:
        sent = json.loads(send["body"])
    except ValueError:
        if status < 400:
            fault(where, "a body that is no JSON was taken")
        return
    for error in document.errors(body["content"]["application/json"]["schema"], sent):
        fault(where, f"request {error}")


def filled(value, types):
    """The golden value with every <any> replaced; one variant for each problem type where the type is open."""
    if isinstance(value, dict) and value.get("type") == "urn:ikkai:problem:<any>":
        return [{**value, "type": name} for name in types]
    return [value]


def check_answer(document, where, responses, answer, whole, types):
    counted["answers"] += 1
    status = str(answer["status"])
    response = responses.get(status, responses.get("default"))
    if response is None:
        fault(where, f"status {status} is not in the document")
        return
    response = document.resolve(response)
    for name, told in response.get("headers", {}).items():
        told = document.resolve(told)
        value = header(answer["headers"], name)
        if value is None:
            if told.get("required") and whole:
                fault(where, f"header {name} is missing")
            continue
        if not value.startswith("<"):
            for error in document.errors(told["schema"], value):
                fault(where, f"header {name}{error}")
    contents = response.get("content")
    body = answer.get("body")
    if not contents or body in (None, ""):
        return
    media = header(answer["headers"], "Content-Type")
    if media not in contents:
        fault(where, f"media type {media} is not in the document")
        return
    if "json" not in media:
        return
    schema = contents[media]["schema"]
    variants = [document.errors(schema, variant) for variant in filled(body, types)]
    if not any(errors == [] for errors in variants):
        for error in min(variants, key=len):
            # A golden answer may leave members out; what it names has to fit.
            if whole or "is a required property" not in error:
                fault(where, f"answer {error}")


def check_exchange(document, where, send, answer, whole, types):
    path = urllib.parse.urlsplit(send["target"]).path
    template, values = document.find_path(path)
    where = f"{where} ({send['method']} {path} -> {answer['status']})"
    components = document.doc["components"]["responses"]
    if template is None:
        if answer["status"] != 404:
            fault(where, "the path is not in the document")
        check_answer(document, where, {"404": components["NotFound"]}, answer, whole, types)
        return
    item = document.doc["paths"][template]
    operation = item.get(send["method"].lower())
    if operation is None:
        if answer["status"] != 405:
            fault(where, "the method is not in the document")
        check_answer(document, where, {"405": components["MethodNotAllowed"]}, answer, whole, types)
        return
    check_request(document, where, template, item, operation, values, send, answer["status"])
    check_answer(document, where, operation["responses"], answer, whole, types)


def report(scenarios, exchanges):
    for line in faults:
        print("FAIL", line)
    print(f"{scenarios} golden scenarios, {exchanges} live exchanges: "
          f"{counted['requests']} requests and {counted['answers']} answers validated, {len(faults)} faults")
    sys.exit(1 if faults or not scenarios or not exchanges else 0)


def main():
    openapi, golden, live, sources = sys.argv[1:5]
    document = Document(openapi)
    check_structure(document)
    if faults:  # what cannot be read cannot be held to anything
        report(0, 0)
    check_problem_types(document, sources)
    check_control_routes(document, sources)
    types = sorted({schema["properties"]["type"]["const"] for schema in document.doc["components"]["schemas"].values()
                    if "const" in schema.get("properties", {}).get("type", {})
                    and str(schema["properties"]["type"]["const"]).startswith("urn:")})
    scenarios = strict_load(golden)
    for scenario in scenarios:
        for i, exchange in enumerate(scenario["exchanges"]):
            check_exchange(document, f"golden: {scenario['name']} [{i}]", exchange["send"], exchange["answer"], False,
                           types)
    exchanges = strict_load(live)
    closed = document.closed()
    for exchange in exchanges:
        check_exchange(closed, "live", exchange["send"], exchange["answer"], True, types)
    report(len(scenarios), len(exchanges))


if __name__ == "__main__":
    main()
