import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Json } from '../../src/http/openapi/page.ts';

type Members = Readonly<Record<string, Json>>;

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^https?:\/\/\S+$/,
  'uri-reference': /^\S+$/,
};

/** The OpenAPI document as a client reads it, with a validator that is independent of the zod schemas. */
export class ReferenceDocument {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly content: Members;

  constructor(content: Members) {
    this.content = content;
    for (const [name, pattern] of Object.entries(FORMATS)) this.#ajv.addFormat(name, pattern);
    this.#ajv.addFormat('base64', true);
    this.#ajv.addSchema(content, 'document');
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

function formatError({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || '(root)'} ${message} ${JSON.stringify(params)}`;
}
