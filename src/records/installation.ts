import { z } from 'zod';
import type { Records } from './records.ts';

/** Names the value in records that holds the document; never changed. */
export const INSTALLATION = 'installation';

/** Values of the version before. The document is made from the first two once, and none of them is read after that. */
export const REPLACED_VALUES = ['stores-mark', 'secret-mark', 'topics-mark'] as const;

const location = z.enum(['embedded', 'server']);

// A field of a newer version survives a change by this one.
const document = z.looseObject({
  log: location.optional(),
  messaging: location.optional(),
  secret: z.string().optional(),
  relayStart: z.record(z.string(), z.string()).default({}),
});

/** What every process of an installation agrees on. A field that is absent was not decided yet. */
export interface Installation {
  /** Where the event log is. Addresses are not kept, because they may change. */
  readonly log?: StoreLocation | undefined;
  /** What carries jobs and public events: this process, or Kafka. */
  readonly messaging?: StoreLocation | undefined;
  /** Hash of the secret that signs the links in mails. */
  readonly secret?: string | undefined;
  /** Name of the checkpoint of public events → its value when the relay was first started, or last set back. */
  readonly relayStart: Readonly<Record<string, string>>;
}

type StoreLocation = z.infer<typeof location>;

/** Reads the document, or what the version before knew of it. @throws {StoreUnavailable} */
export async function readInstallation(records: Pick<Records, 'getValue'>): Promise<Installation> {
  return await parse(await records.getValue(INSTALLATION), records);
}

/**
 * Changes the document by one conditional write, and again from the start if another process was faster: of several that
 * decide a field at once, all get the first value.
 * @param change is called with the stored document; what it throws ends the change
 * @throws {StoreUnavailable}
 */
export async function updateInstallation(
  records: Pick<Records, 'getValue' | 'replaceValue'>,
  change: (current: Installation) => Installation,
): Promise<Installation> {
  for (;;) {
    const stored = await records.getValue(INSTALLATION);
    const changed = change(await parse(stored, records));
    const text = JSON.stringify(document.parse(changed));
    if (text === stored || (await records.replaceValue(INSTALLATION, stored, text))) return changed;
  }
}

async function parse(text: string | undefined, records: Pick<Records, 'getValue'>): Promise<Installation> {
  try {
    return text === undefined ? await fromReplacedValues(records) : document.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new Error(`The value ${INSTALLATION} in the records cannot be read`, { cause: error });
  }
}

async function fromReplacedValues(records: Pick<Records, 'getValue'>): Promise<Installation> {
  const [stores, secret] = await Promise.all(REPLACED_VALUES.map(async (name) => await records.getValue(name)));
  const { log, jobs } = z
    .object({ log: location.optional(), jobs: location.optional() })
    .parse(JSON.parse(stores ?? '{}'));
  return document.parse({ log, messaging: jobs, secret });
}
