import type { Json } from '#http/reference/openapi/page.ts';
import type { Members, ReferenceDocument } from '../reference-document.ts';
import { textOf } from '../reference-examples.ts';

/** A member of a response body. */
export interface ServedMember {
  /** From the root of the body, without the indexes of arrays. */
  readonly place: readonly string[];
  /** From the schema that has a name, else from the operation. */
  readonly path: string;
  readonly format: unknown;
}

/** An operation as the OpenAPI document describes it. */
export type DocumentedOperation = ReturnType<typeof operationsIn>[number];

const MAX_DEPTH = 16;
/** Stands for every operation in what problems serve. */
const PROBLEM = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } };

/** Reads the operations of the document with everything that they take and serve. */
export function operationsIn(document: ReferenceDocument) {
  const problem = [
    'Problem',
    { path: '', method: 'get', content: { responses: { 200: PROBLEM } } as Members },
  ] as const;
  return [problem, ...document.operations].map(([id, { path, method, content }]) => {
    const parameters = ((content['parameters'] ?? []) as Members[]).map((one) => resolved(document, one));
    const namesIn = (where: string, isMeant: (one: Members) => boolean = () => true) =>
      parameters.filter((one) => one['in'] === where && isMeant(one)).map((one) => textOf(one['name']));
    const headers = namesIn('header');
    const responses = Object.entries((content['responses'] ?? {}) as Members);
    const success = resolved(document, (responses.find(([status]) => Number(status) < 300)?.[1] ?? {}) as Members);
    const servedHeaders = Object.keys((success['headers'] ?? {}) as Members);
    return {
      id,
      method: method.toUpperCase(),
      /** With parameters in braces, as in the document. */
      path,
      /** Parameters of the path, each with the path in front of it, with `{}` for earlier parameters. */
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(({ 1: name = '', index }) => ({
        name,
        before: path.slice(0, index).replace(/\{\w+\}/g, '{}'),
      })),
      query: namesIn('query'),
      required: namesIn('query', (one) => one['required'] === true),
      headers,
      served: servedBy(document, success, id),
      servedHeaders,
      roles: /Keys: ([\w, ]+)\./.exec(textOf(content['description']))?.[1]?.split(', ') ?? [],
      // A POST that waits for a position reads. A page of the feed has a position and a next page; no command has a
      // next page.
      isCommand:
        (method !== 'get' && !headers.includes('Surety-Min-Position')) ||
        (servedHeaders.includes('Surety-Position') && !servedHeaders.includes('Link')),
    };
  });
}

/** Returns the values at a place of a body, which are neither null nor structured. */
export function valuesAt(body: Json | undefined, place: readonly string[]): readonly string[] {
  if (Array.isArray(body)) return body.flatMap((one) => valuesAt(one, place));
  const [name, ...rest] = place;
  if (name === undefined) return typeof body === 'string' || typeof body === 'number' ? [String(body)] : [];
  return typeof body === 'object' && body !== null ? valuesAt((body as Members)[name], rest) : [];
}

function servedBy(document: ReferenceDocument, success: Members, id: string): readonly ServedMember[] {
  const content = (success['content'] ?? {}) as Record<string, Members>;
  // The downloads of a list have the same members as its pages.
  const { 'application/json': json } = content;
  const media = json === undefined ? Object.values(content) : [json];
  const all = media.flatMap(({ schema }) => membersOf(document, schema as Members, { place: [], path: id }));
  return [...new Map(all.map((member) => [member.place.join('.'), member])).values()];
}

function membersOf(
  document: ReferenceDocument,
  given: Members,
  { place, path }: Pick<ServedMember, 'place' | 'path'>,
): readonly ServedMember[] {
  if (place.length > MAX_DEPTH) return [];
  const reference = given['$ref'] as string | undefined;
  const at = { place, path: reference === undefined ? path : (reference.split('/').at(-1) ?? '') };
  const { properties = {}, items, anyOf = [], format, type } = resolved(document, given) as Record<string, Json>;
  const inside = [
    ...(anyOf as Members[]).flatMap((one) => membersOf(document, one, at)),
    ...(typeof items === 'object' && items !== null ? membersOf(document, items as Members, at) : []),
    ...Object.entries(properties as Members).flatMap(([name, member]) =>
      membersOf(document, member as Members, { place: [...place, name], path: `${at.path}.${name}` }),
    ),
  ];
  const isValue = [type].flat().some((one) => one === 'string' || one === 'integer');
  return isValue ? [{ place, path: at.path, format }, ...inside] : inside;
}

function resolved(document: ReferenceDocument, value: Members): Members {
  const reference = value['$ref'] as string | undefined;
  return reference === undefined ? value : (document.at(...reference.slice(2).split('/')) ?? {});
}
