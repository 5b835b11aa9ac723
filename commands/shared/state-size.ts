import type { ExistingStream } from './require-existing.ts';

/** Bytes of a state as JSON with which it takes nothing that makes it grow again and again: its document has 8 MiB. */
const MAX_STATE_BYTES = 3 * 1024 * 1024;
/** Events with this many characters make no larger state: it has each twice, with up to three bytes a character. */
const SMALL_CHARACTERS = MAX_STATE_BYTES / 6;

/** Sizes of states, which are cached between commands. */
const stateBytes = new WeakMap<object, number>();

/** Returns whether the document of a policy or claim would be too large if it went on growing. */
export function isTooLarge({ state, size }: Pick<ExistingStream<object>, 'state' | 'size'>): boolean {
  if (size <= SMALL_CHARACTERS) return false;
  const bytes = stateBytes.get(state) ?? Buffer.byteLength(JSON.stringify(state));
  stateBytes.set(state, bytes);
  return bytes > MAX_STATE_BYTES;
}
