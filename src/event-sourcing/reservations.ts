import { z } from 'zod';
import { actorSchema, defineEvent, markPersonal } from './event.ts';
import { normalise, sha256 } from './identifiers.ts';
import { instant } from './time.ts';

/** Returns the stream that reserves a value. It is appended with "no stream", so only one owner gets it, and never released. */
export function reservationStream(kind: string, scope: string, value: string): string {
  return `${kind}-${scope}-${sha256(normalise(value))}`;
}

/** What an application adds to the reservation of a value. */
interface ReservationOptions<Kind extends string, Environment extends z.ZodType> {
  /** Kinds of values, each with its own category of streams. Stored in events: kinds are added and never removed. */
  readonly kinds: readonly Kind[];
  readonly environment: Environment;
  /** The person to whom the personal data in the input of a command belong. */
  readonly person: string;
}

/**
 * Declares the reservation of a value. The event has the input of the command and its metadata the name and id, so that another
 * process can finish the command with the same ids. The input can contain personal fields.
 */
export function defineValueReserved<Kind extends string, Environment extends z.ZodType>({
  kinds,
  environment,
  person,
}: ReservationOptions<Kind, Environment>) {
  return defineEvent('ValueReserved.v1', {
    kind: z.enum(kinds),
    scope: z.string(),
    value: z.string(),
    /** Stream of the resource that has the value. */
    target: z.string(),
    /** Time of the command's decision; its completion uses the same. */
    decidedAt: instant,
    actor: actorSchema,
    /** Environment of the command; null for platform commands without one. */
    environment: environment.nullable(),
    /** Input of the command, with the SHA-256 of contents that are in records. */
    input: markPersonal(z.json(), person),
  });
}
