import type { Json } from './page.ts';
import type { Schema } from './schemas.ts';

/** Values of texts by the name of their member, where the schema has no example. */
const BY_NAME: Readonly<Record<string, string>> = {
  address: '12 Marina Road, Lagos',
  api_key: 'sk_live_k1a2b3c4d5e6f7_not-a-real-key',
  asyncapi: '3.0.0',
  beneficiary_name: 'Chidi Okafor',
  blob: 'VHJlYXRtZW50IG9mIGEgdG9ybiBjbGF3OiAxMiw1MDAuMDAgTkdO',
  business_email: 'insurance@acme-bank.example',
  by: 'web shop',
  ce_sequence: '0000000003',
  ce_traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  claim_id: '579db168-a144-5897-b695-4d855516fa73',
  claim_reference_number: 'CLAIM-ACM-20E3-20260310-0015',
  claims: '/api/v1/customers/b88fa058-22c9-51f7-9ea9-cdfcc300d50a/claims/',
  claim_type: 'illness',
  collection: 'policies',
  collections: 'policies',
  content_type: 'application/pdf',
  coverage: 'Own damage, Theft',
  coverage_description: 'Own damage up to the limit',
  coverage_details: 'Own damage, Theft',
  coverage_id: 'COV_VBYCV17JNH2H',
  coverage_name: 'Own damage',
  coverage_type: 'Collision',
  currency: 'NGN',
  customer_address: '12 Marina Road, Lagos',
  customer_email: 'chinwe.eze@customer.example',
  customer_id: 'b88fa058-22c9-51f7-9ea9-cdfcc300d50a',
  customer_name: 'Chinwe Eze',
  customer_phone: '+2340000001003',
  customer_reference: 'C-0003',
  description: 'Own damage, theft and third-party liability.',
  device_make: 'Lenovo',
  device_model: 'ThinkPad',
  device_type: 'Laptop',
  document_name: 'invoice.txt',
  email: 'chinwe.eze@customer.example',
  environment_name: 'Production',
  event_type: 'PolicyRenewed.v1',
  evidence_type: 'invoice',
  full_name: 'Chinwe Eze',
  group: 'Auto',
  incident_description: 'Torn claw, treated today',
  insurer: 'Baobab General Insurance',
  key_id: 'LX4EtLFZ23Z8',
  label: 'web shop',
  leader: 'surety-1 4711',
  merchant: 'Acme Microfinance Bank',
  merchant_name: 'Acme Microfinance Bank',
  merchant_short_code: 'ACM-20E3',
  message: 'Done',
  name: 'Comprehensive Motor',
  notes: 'Papers are complete',
  number: 'LAG-FXYSYCAQGH',
  openapi: '3.1.1',
  path: '/auto_renew',
  phone_number: '+2340000000300',
  pointers: '/body/policy_number',
  policies: '/api/v1/customers/b88fa058-22c9-51f7-9ea9-cdfcc300d50a/policies/',
  policy_id: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210',
  policy_number: 'LAG-FXYSYCAQGH',
  policy_status: 'active',
  policy_type: 'Auto',
  product: 'Comprehensive Motor',
  product_id: '6a06ef58-9ab3-5d50-9b60-0d00c3a6cc03',
  product_name: 'Comprehensive Motor',
  product_plan: 'Comprehensive',
  product_type: 'Auto',
  provider: 'Baobab General Insurance',
  provider_id: '1a78dc16-56f5-5684-8a55-0fe7364a9e20',
  provider_name: 'Baobab General Insurance',
  purchase_id: 'PUR-1439577f-a797-8000-b1c3-1ceff536a16c',
  quote_code: 'Quo_3q8ok_05d6f000',
  reason: 'The customer asked for it',
  reference: 'TR-0007',
  registration_number: 'RC-000001',
  relationship: 'brother',
  resource: 'policies/c530ddb5-2b6b-5b7a-ae28-8fa4b289d210',
  sha256: 'f52d7e90f1ae97194c7c5d83c2dda11b356055a60b76c298c0a1dbf75b67c986',
  share_percent: '60.00',
  short_code: 'ACM-20E3',
  status: 'active',
  stream: 'policy-c530ddb5-2b6b-5b7a-ae28-8fa4b289d210',
  summary: 'Automatic renewal was switched on',
  support_email: 'help@baobab-general.example',
  tax_identification_number: '00000000-0001',
  text: 'The claimant sends the invoice on Monday',
  tier_name: 'Advanced',
  time_zone: 'UTC',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  transactions: '/api/v1/customers/b88fa058-22c9-51f7-9ea9-cdfcc300d50a/transactions/',
  type: 'PolicyRenewed.v1',
  user: 'insurance@acme-bank.example',
  version: '1.0.0',
};

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '7fb983fd-9985-5416-8f27-feb16a1cc8b2',
  date: '2026-03-10',
  'date-time': '2026-03-10T09:30:00.000Z',
  email: 'chinwe.eze@customer.example',
  uri: 'https://surety.example/api/v1/',
};

/** Texts, of which the first that the pattern of a schema allows is taken. */
const BY_PATTERN = ['1250.00', '42', '2026-03-10 09:30:00', 'text'];

type Resolve = (reference: string) => Schema;

/**
 * Makes an example of what a schema describes: by the example of each member, else by its name, else by its format. It
 * has all members.
 * @param resolve returns the schema that a reference names
 */
export function exampleOfSchema(schema: Schema, resolve: Resolve, name = ''): Json {
  const [own] = (schema.examples ?? []) as readonly Json[];
  if (own !== undefined) return own;
  if (schema.$ref !== undefined) return exampleOfSchema(resolve(schema.$ref), resolve, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0] as Json;
  const branch = schema.anyOf?.find(({ type }) => type !== 'null');
  if (branch !== undefined) return exampleOfSchema(branch, resolve, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([member, inner]) => [
          member,
          exampleOfSchema(inner as Schema, resolve, member),
        ]),
      );
    case 'array':
      return [exampleOfSchema((schema.items ?? {}) as Schema, resolve, name)];
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? 1);
    case 'boolean':
      return true;
    default:
      return {};
  }
}

function textOf({ format, pattern = '' }: Schema, name: string): string {
  const byName = BY_NAME[name];
  const byFormat = BY_FORMAT[format ?? ''];
  // A name may have values of several formats, such as `id`.
  if (byFormat !== undefined && (byName === undefined || byName.length !== byFormat.length)) return byFormat;
  const allowed = new RegExp(pattern, 'u');
  return [byName, ...BY_PATTERN].find((text) => text !== undefined && allowed.test(text)) ?? '';
}
