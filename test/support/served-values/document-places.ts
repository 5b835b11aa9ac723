import type { Json } from '#http/reference/openapi/page.ts';
import type { ReferenceDocument } from '../reference-document.ts';

type Members = Readonly<Record<string, Json>>;

/** A member of a response body. */
export interface ServedMember {
  /** From the root of the body, without the indexes of arrays. */
  readonly place: readonly string[];
  /** From the schema that has a name, else from the operation. */
  readonly path: string;
  readonly format: unknown;
}

export interface PathParameter {
  readonly name: string;
  /** The path in front of it, with `{}` for earlier parameters. */
  readonly before: string;
}

/** An operation as the OpenAPI document describes it. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces, as in the document. */
  readonly path: string;
  readonly parameters: readonly PathParameter[];
  readonly query: readonly string[];
  /** Query parameters that must be given. */
  readonly required: readonly string[];
  readonly headers: readonly string[];
  /** Members of the body of a request. */
  readonly body: readonly string[];
  readonly served: readonly ServedMember[];
  readonly servedHeaders: readonly string[];
  readonly roles: readonly string[];
  /** Runs a command, whatever its method. */
  readonly isCommand: boolean;
}

const MAX_DEPTH = 16;

/** Reads the operations of the document with everything that they take and serve. */
export function operationsIn(document: ReferenceDocument): readonly DocumentedOperation[] {
  return [...document.operations].map(([id, { path, method, content }]) => {
    const parameters = ((content['parameters'] ?? []) as Members[]).map((one) => resolved(document, one));
    const namesIn = (where: string) =>
      parameters.filter((one) => one['in'] === where).map((one) => one['name'] as string);
    const success = successOf(document, content);
    const servedHeaders = Object.keys((success['headers'] ?? {}) as Members);
    return {
      id,
      method: method.toUpperCase(),
      path,
      parameters: pathParametersOf(path),
      query: namesIn('query'),
      required: parameters
        .filter((one) => one['in'] === 'query' && one['required'] === true)
        .map((one) => one['name'] as string),
      headers: namesIn('header'),
      body: bodyOf(document, content),
      served: servedBy(document, success, id),
      servedHeaders,
      roles: (/Keys: ([\w, ]+)\./.exec(content['description'] as string)?.[1] ?? '').split(', '),
      // A POST that waits for a position reads. A page of the feed has a position and a next page; no command has a next page.
      isCommand:
        (method !== 'get' && !namesIn('header').includes('Surety-Min-Position')) ||
        (servedHeaders.includes('Surety-Position') && !servedHeaders.includes('Link')),
    };
  });
}

/** Reads what problems serve, as if one operation answered with all of them. */
export function problemIn(document: ReferenceDocument): DocumentedOperation {
  const served = membersOf(document, { $ref: '#/components/schemas/Problem' }, { place: [], path: '' });
  const takesNothing = { parameters: [], query: [], required: [], headers: [], body: [], roles: [], servedHeaders: [] };
  return { id: 'Problem', method: 'GET', path: '', served, ...takesNothing, isCommand: false };
}

/** Returns the values at a place of a body, which are neither null nor structured. */
export function valuesAt(body: Json | undefined, place: readonly string[]): readonly string[] {
  if (Array.isArray(body)) return body.flatMap((one) => valuesAt(one, place));
  const [name, ...rest] = place;
  if (name === undefined) return typeof body === 'string' || typeof body === 'number' ? [String(body)] : [];
  return typeof body === 'object' && body !== null ? valuesAt((body as Members)[name], rest) : [];
}

function pathParametersOf(path: string): readonly PathParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((found) => ({
    name: found[1] ?? '',
    before: path.slice(0, found.index).replace(/\{\w+\}/g, '{}'),
  }));
}

function bodyOf(document: ReferenceDocument, content: Members): readonly string[] {
  const media = ((content['requestBody'] as Members | undefined)?.['content'] ?? {}) as Members;
  const [first] = Object.values(media) as Members[];
  if (first === undefined) return [];
  return Object.keys((resolved(document, first['schema'] as Members)['properties'] ?? {}) as Members);
}

function successOf(document: ReferenceDocument, content: Members): Members {
  const responses = Object.entries((content['responses'] ?? {}) as Members);
  const found = responses.find(([status]) => Number(status) < 300);
  return found === undefined ? {} : resolved(document, found[1] as Members);
}

function servedBy(document: ReferenceDocument, success: Members, id: string): readonly ServedMember[] {
  const content = (success['content'] ?? {}) as Members;
  // The downloads of a list have the same members as its pages.
  const schemas = (
    content['application/json'] === undefined ? Object.values(content) : [content['application/json']]
  ) as Members[];
  const all = schemas.flatMap(({ schema }) => membersOf(document, schema as Members, { place: [], path: id }));
  return [...new Map(all.map((member) => [member.place.join('.'), member])).values()];
}

function membersOf(
  document: ReferenceDocument,
  given: Members,
  { place, path }: { readonly place: readonly string[]; readonly path: string },
): readonly ServedMember[] {
  if (place.length > MAX_DEPTH) return [];
  const reference = given['$ref'] as string | undefined;
  const at = { place, path: reference === undefined ? path : (reference.split('/').at(-1) ?? '') };
  const schema = resolved(document, given);
  const { properties = {}, items, anyOf = [], format, type } = schema as Record<string, Json>;
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
