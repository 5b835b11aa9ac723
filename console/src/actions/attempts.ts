import type { Me } from '../../../clients/typescript/src/index.ts';

/** A command that was sent and perhaps executed: what it needs to be sent again, the same. */
export interface Attempt {
  readonly key: string;
  readonly body: object;
  readonly ifMatch?: string | undefined;
}

const PREFIX = 'surety.attempt ';

/** Attempts whose documents are too large for the storage of the tab last as long as the page. */
const large = new Map<string, Attempt>();

/** Names the form of a command about something, of the person who is signed in, in the environment that is shown. */
export function formIdOf(me: Me, command: string, about: string): string {
  return `${prefixOf(me)}${me.environment?.id} ${command} ${about}`;
}

function prefixOf({ person, key_id }: Me): string {
  return `${PREFIX}${person?.person_id ?? key_id} `;
}

/** Returns the attempt that has had no answer, also after a reload of the page. */
export function unansweredAttempt(formId: string): Attempt | undefined {
  const stored = sessionStorage.getItem(formId);
  return stored === null ? large.get(formId) : (JSON.parse(stored) as Attempt);
}

/** Keeps an attempt until its answer has come. */
export function keepAttempt(formId: string, attempt: Attempt): void {
  large.set(formId, attempt);
  try {
    sessionStorage.setItem(formId, JSON.stringify(attempt));
  } catch {
    // The storage is full: what is in memory serves until the page is closed.
  }
}

/** Forgets an attempt, and not one that the form has made since. */
export function dropAttempt(formId: string, { key }: Attempt): void {
  if (unansweredAttempt(formId)?.key !== key) return;
  large.delete(formId);
  sessionStorage.removeItem(formId);
}

/** Forgets the attempts of all but this person: their bodies have personal data. */
export function dropAttempts(me?: Me): void {
  const isForgotten = (name: string): boolean =>
    name.startsWith(PREFIX) && (me === undefined || !name.startsWith(prefixOf(me)));
  for (const name of [...large.keys()].filter(isForgotten)) large.delete(name);
  for (const name of Object.keys(sessionStorage).filter(isForgotten)) sessionStorage.removeItem(name);
}
