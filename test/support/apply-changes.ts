import type { Change } from '../../queries/history/changes.ts';
import { canonicalJson } from '../../src/command-handling/canonical-json.ts';

type Container = Record<string, unknown> | unknown[];

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/**
 * The JSON document after the changes of a history, one after the other; `document` is left as it is. What a change says
 * was there before must be there, or it does not fit.
 * @throws {Error} when a change does not fit
 */
export function withChanges(document: unknown, changes: readonly Change[]): unknown {
  let root = plain(document);
  for (const change of changes) {
    const [name, ...rest] = partsOf(change.path).reverse();
    if (name === undefined) throw new Error('a change is of a part of the document');
    root ??= {};
    const place = rest.reverse().reduce<unknown>((inner, part) => (inner as never)[part], root);
    applyTo(place as Container, name, change);
  }
  return root;
}

/** The parts of a JSON Pointer (RFC 6901, section 4). */
function partsOf(pointer: string): string[] {
  if (!pointer.startsWith('/')) throw new Error(`${pointer} is not a pointer to a part`);
  const parts = pointer.slice(1).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function applyTo(place: Container, name: string, change: Change): void {
  const present = Object.hasOwn(place, name) ? Reflect.get(place, name) : undefined;
  const fits =
    Object.hasOwn(place, name) === 'before' in change && canonicalJson(present) === canonicalJson(change.before);
  if (!fits) {
    throw new Error(`${change.path} is not ${JSON.stringify(change.before)} but ${JSON.stringify(present)}`);
  }
  if (Array.isArray(place)) {
    const index = Number(name);
    const end = 'after' in change ? place.length : place.length - 1;
    if (index > end || (!('after' in change) && index !== end)) throw new Error(`${change.path} is not at the end`);
    if ('after' in change) place[index] = plain(change.after);
    else place.pop();
  } else if ('after' in change) {
    Object.defineProperty(place, name, {
      value: plain(change.after),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else Reflect.deleteProperty(place, name);
}
