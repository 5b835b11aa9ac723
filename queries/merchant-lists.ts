import type { z } from 'zod';
import { ownerOf } from '../projections/owner.ts';
import { cursorPaging } from './cursor-lists.ts';
import { testModeOf, worldChoice } from './lists.ts';
import type { QueryContext } from './query.ts';
import { getOwnMerchantDocument } from './resources.ts';

/** The parameters of every list of a merchant, besides its filters. */
export const merchantListSearch = { ...cursorPaging, ...worldChoice };

/**
 * Returns the owner of the documents that a list of a merchant shows: of the world of the key, or that a platform key chooses.
 * @throws {Refusal} `invalid_request` when a merchant asks for the other world; `merchant_not_found`, also for another merchant
 */
export async function ownerOfList(
  context: QueryContext,
  shortCode: string,
  search: { readonly test_mode?: z.output<typeof worldChoice.test_mode> },
): Promise<string> {
  const testMode = testModeOf(context.reader, search);
  const { key } = await getOwnMerchantDocument(context, shortCode);
  return ownerOf({ merchant_id: key, test_mode: testMode });
}
