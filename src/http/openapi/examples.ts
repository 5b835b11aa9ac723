import answers from './answers.json' with { type: 'json' };
import type { Json, OperationPage, RequestExample } from './page.ts';

/** Answers of the documented examples, by operation; a test records them from a running service and compares them with it. */
export const RECORDED: Readonly<Record<string, Json>> = answers;

const REFERENCE = /\{([A-Za-z/]+)((?:\.\w+)+)\}/g;

/** The example of a request with its references filled from these answers. @throws {Error} when one leads nowhere */
export function exampleOf(page: OperationPage | undefined, from: Readonly<Record<string, Json>>): RequestExample {
  return filled((page?.request ?? {}) as Json, from) as RequestExample;
}

/** The example with the recorded answers; none while what it refers to is still to be recorded. */
export function documentedExample(page: OperationPage | undefined): RequestExample {
  try {
    return exampleOf(page, RECORDED);
  } catch {
    return {};
  }
}

function filled(value: Json, from: Readonly<Record<string, Json>>): Json {
  if (typeof value === 'string') return filledText(value, from);
  if (Array.isArray(value)) return value.map((item) => filled(item, from));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, from)]));
}

/** A text that is a reference as a whole becomes what it refers to, whatever its type. */
function filledText(text: string, from: Readonly<Record<string, Json>>): Json {
  const [whole] = text.matchAll(REFERENCE);
  if (whole?.[0] === text) return memberOf(whole, from);
  return text.replace(REFERENCE, (...parts) => {
    const member = memberOf(parts as unknown as RegExpExecArray, from);
    return typeof member === 'string' ? member : JSON.stringify(member);
  });
}

function memberOf([text, operation = '', path = '']: RegExpExecArray, from: Readonly<Record<string, Json>>): Json {
  const found = path
    .slice(1)
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], from[operation]);
  if (found === undefined) throw new Error(`${text} leads nowhere`);
  return found as Json;
}
