"""Three calls with the generated Python client. Prints what was answered as one line of JSON."""

import json
import os
import sys
from datetime import datetime, timezone
from io import BytesIO
from urllib.parse import parse_qs, urlparse

from surety_client import AuthenticatedClient
from surety_client.api.claims import get_claim, get_claim_document, submit_claim
from surety_client.api.policies import list_merchant_policies, purchase_policy
from surety_client.api.quotes import request_quotes
from surety_client.models import Problem, PurchasePolicyRequest, RequestQuotesRequest, SubmitClaimFilesBody
from surety_client.types import File

client = AuthenticatedClient(
    base_url=os.environ["SURETY_URL"],
    token=os.environ["SURETY_KEY"],
    auth_header_name="X-API-Key",
    prefix="",
)


def purchase():
    request = RequestQuotesRequest.from_dict(
        {
            "customer_metadata": {"first_name": "Ada", "last_name": "Okafor", "email": "ada@python.example"},
            "insurance_details": {
                "product_type": "Auto",
                "additional_information": {
                    "vehicle_type": "Car",
                    "vehicle_make": "Honda",
                    "vehicle_year": 2019,
                    "vehicle_value": "2000000.00",
                    "vehicle_usage": "Private",
                    "insurance_options": "Comprehensive",
                },
            },
        }
    )
    quotes = expect(request_quotes.sync(client=client, body=request, limit=1))
    order = PurchasePolicyRequest(quote_code=quotes.results[0][0].quote_code)
    policy = expect(purchase_policy.sync(client=client, body=order, idempotency_key="python"))
    return {"policy_id": str(policy.policy_id), "premium": policy.premium, "status": policy.status}


def page():
    of = os.environ["SHORT_CODE"]
    first = expect(list_merchant_policies.sync(of, client=client, limit=2))
    after = parse_qs(urlparse(first.next_).query)["after"][0]
    following = expect(list_merchant_policies.sync(of, client=client, limit=2, after=after))
    return {"policy_ids": [str(policy.policy_id) for policy in first.results + following.results]}


def claim(source, target):
    with open(source, "rb") as file:
        content = file.read()
    form = SubmitClaimFilesBody.from_dict(
        {
            "policy_number": "HAR-HEALTH-0001",
            "claim_details": {
                "claim_type": "hospital",
                "incident_date": datetime.now(timezone.utc).date().isoformat(),
            },
        }
    )
    form.documents = [File(payload=BytesIO(content), file_name="evidence.bin", mime_type="application/octet-stream")]
    filed = expect(submit_claim.sync(client=client, body=form))
    downloaded = expect(get_claim_document.sync(str(filed.claim_id), filed.documents[0].sha256, client=client))
    with open(target, "wb") as file:
        file.write(downloaded.payload.read())
    unknown = get_claim.sync("unknown", client=client)
    return {"claim_id": str(filed.claim_id), "code_of_unknown": str(unknown.code)}


def expect(answer):
    if answer is None or isinstance(answer, Problem):
        sys.exit(f"refused: {answer}")
    return answer


print(json.dumps({"purchase": purchase, "page": page, "claim": claim}[sys.argv[1]](*sys.argv[2:])))
