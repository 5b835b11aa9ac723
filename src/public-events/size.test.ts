import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { importClaimInput } from '#commands/claim/import-claim.ts';
import { importPolicyTermInput } from '#commands/policy/import-row.ts';
import { productFields } from '#commands/product/product-fields.ts';
import { providerFields } from '#commands/provider/register-provider.ts';
import { MerchantUpdated } from '#domain/merchant/merchant.ts';
import { PRODUCT_TYPES, ProductUpdated } from '#domain/product/product.ts';
import { ProviderUpdated } from '#domain/provider/provider.ts';
import { PUBLIC_EVENTS } from './translate.ts';

/**
 * The relay stops at a message that the broker rejects as too large. So no public event may become that large: each
 * free text in it is as long as the commands allow.
 */
const LONGEST: Readonly<Record<string, number>> = {
  policy_number: longestOf(importPolicyTermInput, 'policy_number'),
  claim_reference_number: longestOf(importClaimInput, 'claim_reference_number'),
  name: Math.max(longestOf(z.object(productFields), 'name'), longestOf(z.object(providerFields), 'name')),
  provider_name: Math.max(
    longestOf(z.object(providerFields), 'name'),
    longestOf(importPolicyTermInput, 'provider_name'),
  ),
  product_name: Math.max(longestOf(z.object(productFields), 'name'), longestOf(importPolicyTermInput, 'product_name')),
  product_type: Math.max(...PRODUCT_TYPES.map((name) => name.length)),
  // `premium_out_of_range`.
  reason: 20,
  // Three capital letters, and three, a dash and four more.
  currency: 3,
  short_code: 8,
  // The public id of a key.
  key_id: 40,
};
/** The names of all fields that can change, each once. */
const LONGEST_LIST = Math.max(
  ...[MerchantUpdated, ProviderUpdated, ProductUpdated].map(
    ({ schema }) => Object.keys(schema.shape.changes.shape).join('","').length * 2,
  ),
);
/** Dates, ids, amounts and words of a list. */
const LONGEST_OTHER = 40;
/** `\u0000` is the longest that a letter of a free text becomes in JSON. */
const BYTES_OF_A_LETTER = 6;
/** More terms that have not begun than any policy has. */
const MOST_TERMS = 500;
const HEADERS = { ce_id: 36, ce_source: 10, ce_type: 60, ce_time: 24, ce_subject: 36, traceparent: 55, others: 100 };

/** A topic takes a MiB (`surety setup` sees to it). */
const MAX_BYTES = 1_000_000;

interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

function longestOf(input: z.ZodType, field: string): number {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
  const longest = properties[field]?.maxLength;
  if (longest === undefined) throw new Error(`${field} has no longest`);
  return longest;
}

/** Bytes of the longest value that a field may have. */
function bytesOf(name: string, schema: JsonSchema): number {
  if (schema.anyOf !== undefined) return Math.max(...schema.anyOf.map((one) => bytesOf(name, one)));
  if (schema.properties !== undefined) return bytesOfAll(schema.properties);
  if (schema.type === 'array')
    return schema.items?.properties === undefined ? LONGEST_LIST : MOST_TERMS * bytesOfAll(schema.items.properties);
  const isFree = [schema.enum, schema.format, schema.pattern].every((bound) => bound === undefined);
  if (schema.type !== 'string' || !isFree) return LONGEST_OTHER;
  const longest = LONGEST[name];
  if (longest === undefined) throw new Error(`${name} may be of any length: say here how long it can become`);
  return longest * BYTES_OF_A_LETTER;
}

function bytesOfAll(properties: NonNullable<JsonSchema['properties']>): number {
  return Object.entries(properties).reduce((sum, [name, one]) => sum + name.length + bytesOf(name, one) + 6, 2);
}

test.each(PUBLIC_EVENTS.map((definition) => [definition.type, definition] as const))(
  'the longest %s that commands allow fits into the default message size of a broker',
  (_type, { schema }) => {
    const { properties = {} } = z.toJSONSchema(schema) as JsonSchema;
    const headers = Object.values(HEADERS).reduce((sum, bytes) => sum + bytes, 0);
    expect(headers + bytesOfAll(properties)).toBeLessThan(MAX_BYTES);
  },
);
