import { z } from 'zod';
import type { Records } from './records.ts';

/** Name of the value that holds the installation document. Never change it. */
export const INSTALLATION = 'installation';

/** Names of values from before the installation document, which is initialised from the first two. */
export const REPLACED_VALUES = ['stores-mark', 'secret-mark', 'topics-mark'] as const;

const location = z.enum(['embedded', 'server']);

// Keeps fields of newer releases.
const document = z.looseObject({
  log: location.optional(),
  messaging: location.optional(),
  secret: z.string().optional(),
  relayStart: z.record(z.string(), z.string()).default({}),
});

/** Settings that all processes of an installation share. A field is absent until a process sets it. */
export interface Installation {
  /** Location of the event log. The address is not stored, because it may change. */
  readonly log?: StoreLocation | undefined;
  /** Carrier of jobs and public events: this process (`embedded`) or Kafka. */
  readonly messaging?: StoreLocation | undefined;
  /** Hash of the secret that signs the links in mails. */
  readonly secret?: string | undefined;
  /** Name of the checkpoint of public events → its value when the relay was first started, or last reset. */
  readonly relayStart: Readonly<Record<string, string>>;
}

type StoreLocation = z.infer<typeof location>;

/** Reads the document, or its initial value from older values. @throws {StoreUnavailable} */
export async function readInstallation(records: Pick<Records, 'getValue'>): Promise<Installation> {
  return await parse(await records.getValue(INSTALLATION), records);
}

/**
 * Changes the document with a conditional write, and repeats after a conflict, so that concurrent processes that set a field all get the
 * first value.
 * @param change returns the new document; its errors are passed on
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
