import type { Json } from '#http/reference/openapi/page.ts';
import { closedSchema, formatError, schemaValidator } from './closed-schema.ts';

export type Members = Readonly<Record<string, Json>>;

/** The OpenAPI document as a client reads it, with a validator that is independent of the zod schemas. */
export class ReferenceDocument {
  readonly #ajv = schemaValidator();
  readonly content: Members;

  constructor(content: Members) {
    this.content = content;
    this.#ajv.addSchema(closedSchema(content) as object, 'document');
  }

  /** The operations by their id. */
  get operations(): ReadonlyMap<string, { readonly path: string; readonly method: string; readonly content: Members }> {
    return new Map(
      Object.entries(this.content['paths'] as Members).flatMap(([path, methods]) =>
        Object.entries(methods as Members).map(([method, operation]) => {
          const content = operation as Members & { readonly operationId: string };
          return [content.operationId, { path, method, content }] as const;
        }),
      ),
    );
  }

  /** Returns the value at a path; follows `$ref`. */
  at(...path: readonly string[]): Members | undefined {
    const found = path.reduce<Json | undefined>((value, name) => (value as Members | undefined)?.[name], this.content);
    const reference = (found as { $ref?: string } | undefined)?.$ref;
    return reference === undefined ? (found as Members | undefined) : this.at(...reference.slice(2).split('/'));
  }

  /** Returns the schemas in a part of the document and in what it refers to, except in examples. */
  schemasIn(part: Json, found = new Set<Members>()): readonly Members[] {
    if (Array.isArray(part)) for (const item of part) this.schemasIn(item, found);
    else if (typeof part === 'object' && part !== null && !found.has(part)) {
      const { $ref, example: _, examples: __, ...members } = part;
      if (typeof $ref === 'string') this.schemasIn(this.at(...$ref.slice(2).split('/')) as Json, found);
      if (['type', 'anyOf', 'oneOf'].some((name) => name in part)) found.add(part);
      for (const member of Object.values(members)) this.schemasIn(member, found);
    }
    return [...found];
  }

  /** Validates a value against the schema at a path; returns the errors. */
  errors(value: unknown, ...path: readonly string[]): readonly string[] {
    const pointer = path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).map(encodeURIComponent);
    const id = `document#/${pointer.join('/')}`;
    const validate = this.#ajv.getSchema(id);
    if (validate === undefined) throw new Error(`no schema at ${id}`);
    return validate(value) === true ? [] : (validate.errors ?? []).map(formatError);
  }

  /** Returns the path of a response in the document. */
  responsePath(path: string, method: string, status: number): readonly string[] | undefined {
    const location = ['paths', path, method, 'responses', String(status)];
    const found = location.reduce<Json | undefined>(
      (value, name) => (value as Members | undefined)?.[name],
      this.content,
    );
    if (found === undefined) return undefined;
    const reference = (found as { $ref?: string }).$ref;
    return reference === undefined ? location : reference.slice(2).split('/');
  }
}
