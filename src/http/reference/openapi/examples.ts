import responses from './responses.json' with { type: 'json' };
import type { Json, OperationPage, RequestExample } from './page.ts';

/** Responses of the documented examples, by operation. A test records them from a running service. */
export const RECORDED: Readonly<Record<string, Json>> = responses;

const REFERENCE = /\{([A-Za-z/]+)((?:\.\w+)+)\}/g;

/** Returns the example request of an operation, with references resolved from recorded responses. @throws {Error} for an unknown reference */
export function exampleOf(page: OperationPage | undefined, from: Readonly<Record<string, Json>>): RequestExample {
  return resolve((page?.request ?? {}) as Json, from) as RequestExample;
}

/** Returns the example request with references resolved from recorded responses; empty if one is not recorded yet. */
export function documentedExample(page: OperationPage | undefined): RequestExample {
  try {
    return exampleOf(page, RECORDED);
  } catch {
    return {};
  }
}

function resolve(value: Json, from: Readonly<Record<string, Json>>): Json {
  if (typeof value === 'string') return resolveText(value, from);
  if (Array.isArray(value)) return value.map((item) => resolve(item, from));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, from)]));
}

/** Resolves references in a text. A text that consists of one reference becomes its value, of any type. */
function resolveText(text: string, from: Readonly<Record<string, Json>>): Json {
  const [whole] = text.matchAll(REFERENCE);
  if (whole?.[0] === text) return memberOf(whole, from);
  return text.replace(REFERENCE, (...parts) => {
    const member = memberOf(parts as unknown as RegExpExecArray, from);
    return typeof member === 'string' ? member : JSON.stringify(member);
  });
}

function memberOf([text, operation = '', path = '']: RegExpExecArray, from: Readonly<Record<string, Json>>): Json {
  const member = path
    .slice(1)
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], from[operation]);
  if (member === undefined) throw new Error(`${text} refers to nothing`);
  return member as Json;
}
