"""Policies in force by product type, from a topic of Surety: kcat … -t surety.policies.v1 -f '%h\\t%s\\n' | topic_consumer.py DAY..."""
import json, sys
from consumer import apply, in_force

policies, applied = {}, set()
for line in sys.stdin:
    headers, value = line.split("\t", 1)
    headers = dict(header.split("=", 1) for header in headers.split(","))
    if headers["ce_id"] in applied: continue  # Repeats may come out of order.
    applied.add(headers["ce_id"])
    apply(policies, headers["ce_type"], json.loads(value))
for day in sys.argv[1:]: print(day, in_force(policies, day))
