import { z } from 'zod';
import type { EventStore } from '../event-log/event-log.ts';
import { OperatorError } from '../shared/errors.ts';
import type { Records } from './records.ts';

/** Name of the value that holds the installation document. Never change it. */
export const INSTALLATION = 'installation';

/** Version of everything that Surety stores: events, read models, records. */
const FORMAT = 1;

const document = z.object({
  format: z.literal(FORMAT),
  secret: z.string().optional(),
  relayStart: z.record(z.string(), z.string()).default({}),
});

/** What all processes of an installation share. A field is absent until a process sets it. */
export interface Installation {
  readonly format: typeof FORMAT;
  /** Hash of the secret that signs the links in mails. */
  readonly secret?: string | undefined;
  /** Name of the checkpoint of public events → its value when the relay was first started, or last reset. */
  readonly relayStart: Readonly<Record<string, string>>;
}

export class FormatMismatch extends OperatorError {
  override readonly name = 'FormatMismatch';
  constructor() {
    super(
      `These stores hold data in another format than this version of Surety (format ${FORMAT}): use the version that wrote them, or empty stores.`,
    );
  }
}

const INITIAL: Installation = { format: FORMAT, relayStart: {} };

export async function hasInstallation(records: Pick<Records, 'getValue'>): Promise<boolean> {
  return (await records.getValue(INSTALLATION)) !== undefined;
}

export async function readInstallation(records: Pick<Records, 'getValue'>): Promise<Installation> {
  return parse(await records.getValue(INSTALLATION));
}

/**
 * Creates the document of a data folder, before its first event.
 * @throws {FormatMismatch} when the log has events and there is no document @throws {StoreUnavailable}
 */
export async function createInstallation(
  records: Pick<Records, 'getValue' | 'replaceValue'>,
  eventStore: Pick<EventStore, 'lastPosition'>,
): Promise<void> {
  if (await hasInstallation(records)) return;
  if ((await eventStore.lastPosition()) !== undefined) throw new FormatMismatch();
  await records.replaceValue(INSTALLATION, undefined, JSON.stringify(INITIAL));
}

/**
 * Changes the document with a conditional write, and repeats after a conflict, so that concurrent processes that set a
 * field all get the first value.
 * @param change returns the new document; its errors are passed on
 * @throws {FormatMismatch}
 * @throws {StoreUnavailable}
 */
export async function updateInstallation(
  records: Pick<Records, 'getRevised' | 'replaceValue'>,
  change: (current: Installation) => Installation,
): Promise<Installation> {
  for (;;) {
    const stored = await records.getRevised(INSTALLATION);
    const changed = change(parse(stored?.value));
    const text = JSON.stringify(document.parse(changed));
    if (text === stored?.value || (await records.replaceValue(INSTALLATION, stored?.revision, text))) return changed;
  }
}

function parse(text: string | undefined): Installation {
  if (text === undefined) return INITIAL;
  try {
    const stored = JSON.parse(text) as { readonly format?: unknown };
    if (stored.format !== FORMAT) throw new FormatMismatch();
    return document.parse(stored);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new Error(`The value ${INSTALLATION} in the records cannot be read`, { cause: error });
  }
}
