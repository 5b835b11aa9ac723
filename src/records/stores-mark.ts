import { z } from 'zod';
import { keepFirst } from './first-value.ts';
import type { Records } from './records.ts';

/** Names the value in the records that tells where the log and the jobs of their installation lie; never changed. */
export const STORES_MARK = 'stores-mark';

const place = z.enum(['embedded', 'server']);
const places = z.strictObject({ log: place, jobs: place });

/** Where the stores of an installation lie beside its records. It says nothing of addresses, which may change. */
export type StorePlaces = Readonly<z.infer<typeof places>>;

/** What the records say of it; undefined when nobody has said it yet. */
export async function readPlaces(records: Pick<Records, 'getValue'>): Promise<StorePlaces | undefined> {
  const mark = await records.getValue(STORES_MARK);
  return mark === undefined ? undefined : parsed(mark);
}

/** Says it where nobody has; resolves with what holds from now on. */
export async function keepPlaces(
  records: Pick<Records, 'getValue' | 'setValue' | 'takeLease' | 'readLease'>,
  said: StorePlaces,
): Promise<StorePlaces> {
  return parsed(await keepFirst(records, STORES_MARK, text(said)));
}

/** Says it whatever was said before. */
export async function changePlaces(records: Pick<Records, 'setValue'>, said: StorePlaces): Promise<void> {
  await records.setValue(STORES_MARK, text(said));
}

function parsed(mark: string): StorePlaces {
  try {
    return places.parse(JSON.parse(mark));
  } catch (error) {
    throw new Error(`The named value ${STORES_MARK} in the records cannot be read`, { cause: error });
  }
}

function text({ log, jobs }: StorePlaces): string {
  return JSON.stringify({ log, jobs });
}
