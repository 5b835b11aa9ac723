import { z } from 'zod';
import { type MerchantDocument, merchants, merchantSchema } from '#projections/merchants/merchants.ts';
import { documentAt, POINT_IN_TIME_ERRORS } from './history/past-document.ts';
import { describePointInTime, pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { linkedPaging, readPage } from './lists.ts';
import { merchantPath, environmentPath } from './parameters.ts';
import { defineQuery, EVERY_ROLE, isPlatform, type Reader } from './query.ts';
import {
  entityTagOf,
  getMerchantDocument,
  hashOf,
  MERCHANT_ERRORS,
  parseBody,
  requireReadable,
  ENVIRONMENT_ERRORS,
  getEnvironmentDocument,
  getOwnMerchantDocument,
} from './resources.ts';
import {
  type EnvironmentDocument,
  environmentItemSchema,
  environmentSchema,
} from '#projections/environments/environments.ts';
import type { ResourceOf } from '#projections/schema.ts';
import type { ReadModels, StoredDocument } from '#stores/read-models/read-models.ts';

/** Fields that only the merchant itself and the platform may see. */
const HIDDEN_FIELDS = {
  tenant_id: null,
  user: null,
  business_email: null,
  tax_identification_number: null,
  registration_number: null,
  address: null,
};

/** Returns the JSON text of a merchant without the fields that the reader may not see. */
function merchantJson(reader: Reader, merchant: MerchantDocument): string {
  const isShownWhole = isPlatform(reader) || (reader.role === 'merchant' && merchant.tenant_id === reader.merchantId);
  return JSON.stringify(isShownWhole ? merchant : { ...merchant, ...HIDDEN_FIELDS });
}

export const getMerchant = defineQuery({
  name: 'GetMerchant',
  roles: EVERY_ROLE,
  summary:
    'Reads one merchant, as it is, as of a day or as it was known at an instant; private fields are null for the keys of other merchants.',
  description: `The short code is found ignoring case. \`is_active\`: the merchant has verified its e-mail; \`kyc_verified\`: the platform has verified the merchant. Keys work in any case. Private fields are null for the keys of other merchants.

${describePointInTime('merchant')}`,
  errors: [...MERCHANT_ERRORS, ...POINT_IN_TIME_ERRORS],
  pathParameters: merchantPath,
  search: z.strictObject(pointInTimeSearch),
  response: merchantSchema,
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getMerchantDocument(context, path.short_code);
    const { reader } = context;
    if (pointInTime !== undefined) {
      const merchant = await documentAt(context, merchants, stored, pointInTime);
      return { kind: 'resource', body: merchantJson(reader, merchant), etag: undefined };
    }
    const body = merchantJson(reader, parseBody(requireReadable(stored, 'merchant_not_found')) as MerchantDocument);
    const etag = entityTagOf(context, 'merchants', stored, hashOf(body));
    return { kind: 'resource', body, etag };
  },
});

export const listMerchants = defineQuery({
  name: 'ListMerchants',
  roles: EVERY_ROLE,
  summary: 'Lists merchants; private fields are null for the keys of other merchants.',
  description:
    'All merchants, for every key. For keys of other merchants the private fields (`tenant_id`, `user`, `business_email`, `tax_identification_number`, `registration_number`, `address`) are null.',
  errors: [],
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(merchantSchema),
  async respond({ search }, context) {
    return await readPage(context, 'merchants', search, (document) =>
      merchantJson(context.reader, parseBody(document) as MerchantDocument),
    );
  },
});

export const getEnvironment = defineQuery({
  name: 'GetEnvironment',
  summary: 'Reads one environment.',
  description:
    "Returns an environment of the key's merchant, live or test, by its number. Platform keys can read all environments.",
  errors: ENVIRONMENT_ERRORS,
  pathParameters: environmentPath,
  response: environmentSchema,
  async respond({ path }, context) {
    const document = await getEnvironmentDocument(context, path.id);
    const { environment_name, test_mode, client_id, time_zone } = parseBody(document) as EnvironmentDocument;
    const etag = entityTagOf(context, 'environments', document);
    return { kind: 'resource', body: JSON.stringify({ environment_name, test_mode, client_id, time_zone }), etag };
  },
});

export const listMerchantEnvironments = defineQuery({
  name: 'ListMerchantEnvironments',
  summary: 'Lists the environments of a merchant, live and test.',
  description:
    "The environments of the key's merchant, live and test, oldest first. Platform keys can read those of all.",
  errors: MERCHANT_ERRORS,
  pathParameters: merchantPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(environmentItemSchema),
  async respond({ path, search }, context) {
    const { key: merchant } = await getOwnMerchantDocument(context, path.short_code);
    return await readPage(context, 'environments', { ...search, where: { merchant } }, (stored) =>
      JSON.stringify(environmentItemOf(stored)),
    );
  },
});

/** A merchant has a few. */
const MAX_ENVIRONMENTS = 1_000;

/** Returns the environments of a merchant, live and test, oldest first. @throws {StoreUnavailable} */
export async function environmentsOf(
  merchantId: string,
  readModels: Pick<ReadModels, 'find'>,
): Promise<readonly EnvironmentItem[]> {
  const query = { where: { merchant: merchantId }, limit: MAX_ENVIRONMENTS, offset: 0 };
  return (await readModels.find('environments', query)).documents.map(environmentItemOf);
}

type EnvironmentItem = ResourceOf<typeof environmentItemSchema>;

function environmentItemOf(stored: StoredDocument): EnvironmentItem {
  const { merchant_id: _, ...environment } = parseBody(stored) as EnvironmentDocument;
  return { environment_id: Number(stored.key), ...environment };
}
