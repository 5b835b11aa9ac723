"""Policies in force by product type, from the feed of Surety alone: consumer.py STATE_FILE DAY... [--from-start]"""
import collections, json, os, sys, urllib.error, urllib.request

def apply(policies, event_type, data):
    _, category, kind, version = event_type.split(".")
    if (category, version) != ("policy", "v1"): return
    if kind in ("purchased", "imported"):
        new = {"product": data["product_type"], "waits": data.get("waits", False), "end": "9999", "terms": {}}
        policies[data["policy_id"]] = new
    policy = policies[data["policy_id"]]
    if kind in ("purchased", "imported", "term_imported", "renewed"):
        policy["terms"][data["term_id"]] = [data["effective_from"], data["effective_through"]]
    elif kind == "term_withdrawn":
        del policy["terms"][data["returned"]["term_id"]]
    elif kind in ("cancelled", "declined", "reinstated"):
        policy["end"] = {"cancelled": data.get("effective_on"), "declined": "", "reinstated": "9999"}[kind]
    elif kind == "activated" and data["cause"] == "back_office":
        policy["waits"], moved = False, data["moved_term"]  # A policy that waits has one term.
        if moved: policy["terms"] = {term: [moved["effective_from"], moved["effective_through"]] for term in policy["terms"]}

def in_force(policies, day):
    covering = [p for p in policies.values() if not p["waits"] and day <= p["end"]
                and any(first <= day <= last for first, last in p["terms"].values())]
    return json.dumps(collections.Counter(policy["product"] for policy in covering), sort_keys=True)

if __name__ == "__main__":
    (file, *days), key = [word for word in sys.argv[1:] if word != "--from-start"], os.environ["SURETY_KEY"]
    state = json.load(open(file)) if os.path.exists(file) and "--from-start" not in sys.argv else {"start": "after=0", "policies": {}}
    url, page = os.environ["SURETY_URL"] + "/api/v1/events/?limit=" + os.environ.get("LIMIT", "1000") + "&" + state["start"], None
    while page != []:
        try: response = urllib.request.urlopen(urllib.request.Request(url, headers={"X-API-Key": key}))
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            sys.exit(print(problem["detail"], file=sys.stderr) or (3 if problem["code"] == "cursor_unknown" else 1))
        page, url = json.load(response), response.headers["Link"].split(">")[0].lstrip("<")
        for event in page: apply(state["policies"], event["type"], event["data"])
        if page: state["start"] = "lastEventId=" + page[-1]["id"]
        with open(file + ".new", "w") as new: json.dump(state, new)  # Cursor and policies together: no event counts twice.
        os.replace(file + ".new", file)
    for day in days: print(day, in_force(state["policies"], day))
