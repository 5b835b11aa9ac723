import type { Change } from '#queries/history/changes.ts';
import { canonicalJson } from '#event-sourcing/executor/request.ts';

type Container = Record<string, unknown> | unknown[];

const cloneJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/**
 * Applies the changes of a history in their order and returns the resulting JSON document; `document` stays unchanged.
 * @throws {Error} when the document does not have the `before` value of a change
 */
export function applyChanges(document: unknown, changes: readonly Change[]): unknown {
  let root = cloneJson(document);
  for (const change of changes) {
    const [name, ...rest] = partsOf(change.path).reverse();
    if (name === undefined) throw new Error('the path of a change must name a member of the document');
    root ??= {};
    const container = rest.reverse().reduce<unknown>((inner, part) => (inner as never)[part], root);
    applyChange(container as Container, name, change);
  }
  return root;
}

/** Splits a JSON Pointer (RFC 6901, section 4). */
function partsOf(pointer: string): string[] {
  if (!pointer.startsWith('/')) throw new Error(`${pointer} is not a JSON Pointer to a member`);
  const parts = pointer.slice(1).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function applyChange(container: Container, name: string, change: Change): void {
  const current = Object.hasOwn(container, name) ? Reflect.get(container, name) : undefined;
  const matches =
    Object.hasOwn(container, name) === 'before' in change && canonicalJson(current) === canonicalJson(change.before);
  if (!matches) {
    throw new Error(`${change.path} is not ${JSON.stringify(change.before)} but ${JSON.stringify(current)}`);
  }
  if (Array.isArray(container)) {
    const index = Number(name);
    const end = 'after' in change ? container.length : container.length - 1;
    if (index > end || (!('after' in change) && index !== end)) throw new Error(`${change.path} is not at the end`);
    if ('after' in change) container[index] = cloneJson(change.after);
    else container.pop();
  } else if ('after' in change) {
    Object.defineProperty(container, name, {
      value: cloneJson(change.after),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else Reflect.deleteProperty(container, name);
}
