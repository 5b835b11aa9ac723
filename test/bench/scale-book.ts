import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '#domain/values/dates.ts';
import { createMerchantIn, type Merchant, runSurety } from './service.ts';

/** Files of an import. */
export interface ScaleBook {
  readonly policiesFile: string;
  readonly claimsFile: string;
  readonly rows: number;
}

/**
 * Events that an import appends per policy of this book, about: number and two terms, half a customer, a quarter of a
 * claim.
 */
const EVENTS_PER_POLICY = 4.75;
const POLICIES_PER_CUSTOMER = 2;
const TERMS_PER_POLICY = 2;
const LINES_PER_WRITE = 5_000;

/**
 * Writes a book of about so many events. The same seed gives the same book: two policies a customer, two terms a
 * policy, of which the second contains today, and a claim for a quarter of the policies.
 */
export function writeScaleBook(folder: string, events: number, today: string, seed: number): ScaleBook {
  const policies = Math.round(events / EVENTS_PER_POLICY);
  let random = seed;
  const upTo = (most: number): number => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((random / 2 ** 32) * (most + 1));
  };
  const claims: string[] = [];
  const policiesFile = join(folder, 'policies.csv');
  write(
    policiesFile,
    'policy_number,product_name,customer_reference,customer_name,customer_email,term_from,term_through,premium',
    function* () {
      for (let number = 0; number < policies; number++) {
        const customer = Math.floor(number / POLICIES_PER_CUSTOMER);
        const from = addDays(today, -30 - upTo(300));
        const holder = `S-${number},Scale Motor,C-${customer},Holder ${customer},c${customer}@customers.example`;
        yield `${holder},${addDays(from, -365)},${addDays(from, -1)},${100 + upTo(900)}.00`;
        yield `${holder},${from},${addDays(from, 364)},${100 + upTo(900)}.00`;
        if (number % 4 === 0) claims.push(`L-${number},S-${number},theft,${from},${from},${upTo(500)}.00,pending`);
      }
    },
  );
  const claimsFile = join(folder, 'claims.csv');
  const columns = 'claim_reference_number,policy_number,claim_type,incident_date,filed_on,claim_amount,claim_status';
  write(claimsFile, columns, () => claims);
  return { policiesFile, claimsFile, rows: TERMS_PER_POLICY * policies + claims.length };
}

function write(file: string, heading: string, lines: () => Iterable<string>): void {
  const handle = openSync(file, 'w');
  let pending = [heading];
  const flush = (): void => {
    writeSync(handle, `${pending.join('\n')}\n`);
    pending = [];
  };
  for (const line of lines()) if (pending.push(line) >= LINES_PER_WRITE) flush();
  if (pending.length > 0) flush();
  closeSync(handle);
}

/**
 * Creates a merchant in the data folder and imports such a book for it; returns also the seconds and the peak memory of
 * the import.
 */
export async function importScaleBook(
  { folder, data }: { readonly folder: string; readonly data: string },
  ...book: readonly [events: number, today: string, seed: number]
): Promise<Merchant & { readonly seconds: number; readonly peakMib: number }> {
  const merchant = await createMerchantIn(data);
  const { policiesFile, claimsFile } = writeScaleBook(folder, ...book);
  const options = ['--environment', String(merchant.environmentId), '--provider', 'Insurer', '--refused', folder];
  const start = performance.now();
  const { peakMib } = await runSurety(data, ['import', '--json', ...options, policiesFile, claimsFile]);
  return { ...merchant, seconds: (performance.now() - start) / 1_000, peakMib };
}
