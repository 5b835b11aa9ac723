import type { RefusalCode } from '#domain/refusals.ts';
import { Refusal as CodedRefusal } from '#event-sourcing/refusal.ts';
import type { ProblemText } from './conflict-texts.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

/** How a refusal is reported: as a problem (RFC 9457), and in the list of codes. */
export interface ProblemType extends ProblemText {
  readonly status: number;
}

type KeyOf<Codes> = Codes extends unknown ? keyof Codes : never;
export type ProblemCode = KeyOf<(typeof PROBLEM_TEXTS)[keyof typeof PROBLEM_TEXTS]>;

/** Every problem, by status. */
export const PROBLEM_TYPES = Object.fromEntries(
  Object.entries<Readonly<Record<string, ProblemText>>>(PROBLEM_TEXTS).flatMap(([status, texts]) =>
    Object.entries(texts).map(([code, text]) => [code, { status: Number(status), ...text }]),
  ),
) as Readonly<Record<ProblemCode, ProblemType>> satisfies Readonly<Record<RefusalCode, ProblemType>>;

export const PROBLEM_CODES = Object.keys(PROBLEM_TYPES) as readonly ProblemCode[];

/** Refuses a request with one of the codes of Surety, or with one that only HTTP has. */
export type Refusal = CodedRefusal<ProblemCode>;
export const Refusal: new (...parameters: ConstructorParameters<typeof CodedRefusal<ProblemCode>>) => Refusal =
  CodedRefusal;

/** Returns whether the error is a refusal after which the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && PROBLEM_TYPES[error.code]?.retryAfter !== undefined;
}
