/** Three calls with the generated TypeScript client. Prints what was answered as one line of JSON. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const client = await import(pathToFileURL(resolve('client/built/index.js')).href);
const { ClaimsApi, Configuration, PoliciesApi, QuotesApi, ResponseError } = client;

const { SURETY_URL: basePath, SURETY_KEY: apiKey, SHORT_CODE: shortCode } = process.env;
const configuration = new Configuration({ basePath, apiKey });
const [quotes, policies, claims] = [QuotesApi, PoliciesApi, ClaimsApi].map((Api) => new Api(configuration));

const calls = {
  async purchase() {
    const additionalInformation = {
      vehicleType: 'Car',
      vehicleMake: 'Honda',
      vehicleYear: 2019,
      vehicleValue: '2000000.00',
      vehicleUsage: 'Private',
      insuranceOptions: 'Comprehensive',
    };
    const requestQuotesRequest = {
      customerMetadata: { firstName: 'Ada', lastName: 'Okafor', email: 'ada@typescript.example' },
      insuranceDetails: { productType: 'Auto', additionalInformation },
    };
    const { results } = await quotes.requestQuotes({ requestQuotesRequest, limit: 1 });
    // The generated client leaves the items of a list within a list as they were sent.
    const purchasePolicyRequest = { quoteCode: results[0][0].quote_code };
    const bought = await policies.purchasePolicy({ purchasePolicyRequest, idempotencyKey: 'typescript' });
    return { policy_id: bought.policyId, premium: bought.premium, status: bought.status };
  },

  async page() {
    const first = await policies.listMerchantPolicies({ shortCode, limit: 2 });
    const after = new URL(first.next).searchParams.get('after');
    const following = await policies.listMerchantPolicies({ shortCode, limit: 2, after });
    return { policy_ids: [...first.results, ...following.results].map(({ policyId }) => policyId) };
  },

  async claim(source, target) {
    const blob = readFileSync(source).toString('base64');
    const submitClaimRequest = {
      policyNumber: 'HAR-HEALTH-0001',
      claimDetails: { claimType: 'hospital', incidentDate: new Date() },
      documents: [{ documentName: 'evidence.bin', evidenceType: null, blob }],
    };
    const { claimId, documents } = await claims.submitClaim({ submitClaimRequest });
    const file = await claims.getClaimDocument({ id: claimId, sha256: documents[0].sha256 });
    writeFileSync(target, Buffer.from(await file.arrayBuffer()));
    const error = await claims.getClaim({ id: 'unknown' }).catch((problem) => problem);
    const { code } = error instanceof ResponseError ? await error.response.json() : {};
    return { claim_id: claimId, code_of_unknown: code };
  },
};

const [name, ...words] = process.argv.slice(2);
try {
  process.stdout.write(`${JSON.stringify(await calls[name](...words))}\n`);
} catch (error) {
  if (error instanceof ResponseError) process.stderr.write(`${await error.response.text()}\n`);
  throw error;
}
