import type { Json } from '#http/reference/openapi/page.ts';
import { ADMIN_KEY, type ApiRequest, type ApiResponse, type ApiService } from '../api-service.ts';
import type { ReferenceDocument } from '../reference-document.ts';
import { type DocumentedOperation, operationsIn, problemIn } from './document-places.ts';
import { followPages, isList } from './follow-pages.ts';
import { KINDS } from './references.ts';

/** A request, by the operation of the document that it calls. */
interface Call {
  readonly operation: DocumentedOperation;
  readonly method: string;
  readonly url: string;
  readonly request: ApiRequest;
  readonly pathname: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, Json>>;
}

export interface CompletedCall extends Call {
  readonly response: ApiResponse;
}

/**
 * Sends requests for a test and keeps every call. Once for each operation it sends back, beside a call, what only counts at that
 * instant: the `ETag` of a view in `If-None-Match`, that of a resource in `If-Match` of the command that changes it, and the links of pages.
 */
export class Recording {
  /** Sends requests through the recording. */
  readonly service: ApiService;
  readonly operations: readonly DocumentedOperation[];
  /** Stands for every operation in calls with a problem. */
  readonly problem: DocumentedOperation;
  readonly calls: CompletedCall[] = [];
  readonly failures: string[] = [];
  /** Ids of operations, by what was tried with them. */
  readonly tried = {
    /** The `ETag` was sent in `If-None-Match`. */
    unchanged: new Set<string>(),
    /** The `ETag` of the resource was sent in `If-Match`, and the command was executed. */
    matched: new Set<string>(),
    /** The same `ETag` was sent again after the change. */
    changed: new Set<string>(),
    /** `If-Match` was refused. */
    refused: new Set<string>(),
    /** More than one page was followed. */
    paged: new Set<string>(),
  };
  readonly #send: ApiService['send'];

  constructor(service: ApiService, document: ReferenceDocument) {
    this.#send = service.send;
    this.operations = operationsIn(document);
    this.problem = problemIn(document);
    this.service = Object.create(service, {
      send: { value: async (...request: Parameters<ApiService['send']>) => await this.#record(...request) },
    }) as ApiService;
  }

  /** Sends a request that must succeed, and keeps why it did not. */
  async expectSuccess(what: string, ...[method, path, request]: Parameters<ApiService['send']>): Promise<ApiResponse> {
    const response = await this.#send(method, path, request);
    if (response.status >= 300 && !hasNoCertificate(path, response))
      this.#fail(`${what} → ${method} ${path}`, response);
    return response;
  }

  async #record(method: string, url: string, request: ApiRequest = {}): Promise<ApiResponse> {
    const call = this.#callOf(method, url, request);
    if (call === undefined) return await this.#send(method, url, request);
    const { operation } = call;
    const { id, headers, isCommand } = operation;
    const { refused, changed, unchanged, paged } = this.tried;
    const takesIfMatch = headers.includes('If-Match');
    const tag = takesIfMatch && !changed.has(id) ? await this.#tagFor(call) : undefined;
    if (isCommand && !takesIfMatch && !refused.has(id)) await this.#expectIfMatchRefused(call);
    const response = await this.#sendWith(call, tag === undefined ? {} : { 'If-Match': tag });
    const isSuccess = response.status < 300;
    this.calls.push({ ...call, operation: isSuccess ? operation : this.problem, response });
    if (!isSuccess) return response;
    if (tag !== undefined) await this.#expectChanged(call, tag);
    if (headers.includes('If-None-Match') && !unchanged.has(id)) await this.#expectUnchanged(call, response);
    if (isList(operation) && !paged.has(id) && (await followPages(this, operation, method, url, request)))
      paged.add(id);
    return response;
  }

  #callOf(method: string, url: string, request: ApiRequest): Call | undefined {
    const [pathname = '', search] = url.split('?');
    const [found] = this.operations
      .filter((one) => one.method === method)
      .flatMap((operation) => {
        const parameters = matchPath(operation.path, pathname);
        return parameters === undefined ? [] : [{ operation, parameters }];
      })
      // A path without parameters wins, as in the router.
      .toSorted((a, b) => a.operation.parameters.length - b.operation.parameters.length);
    const body = (request.body ?? {}) as Call['body'];
    return found && { ...found, method, url, request, pathname, query: new URLSearchParams(search), body };
  }

  async #sendWith({ method, url, request }: Call, headers: Readonly<Record<string, string>>): Promise<ApiResponse> {
    return await this.#send(method, url, { ...request, headers: { ...request.headers, ...headers } });
  }

  /** Checks that a command that compares no revision refuses `If-Match`. */
  async #expectIfMatchRefused(call: Call): Promise<void> {
    const response = await this.#sendWith(call, { 'If-Match': '*' });
    const fields = response.json?.errors?.map(({ field }: { field: string }) => field);
    if (response.status === 400 && fields?.includes('If-Match')) this.tried.refused.add(call.operation.id);
    else this.#fail(`If-Match: * is not refused by ${call.operation.id}`, response);
  }

  /** Checks that the tag from before the command is refused, if the command has changed anything. */
  async #expectChanged(call: Call, tag: string): Promise<void> {
    const { id } = call.operation;
    this.tried.matched.add(id);
    if (revisionOf(await this.#tagFor(call)) === revisionOf(tag)) return;
    const { 'Idempotency-Key': _, ...headers } = call.request.headers ?? {};
    const again = await this.#sendWith({ ...call, request: { ...call.request, headers } }, { 'If-Match': tag });
    if (again.status === 412) this.tried.changed.add(id);
    else this.#fail(`The ETag from before the change is accepted by ${id}`, again);
  }

  async #expectUnchanged(call: Call, response: ApiResponse): Promise<void> {
    const { id } = call.operation;
    const tag = response.headers.get('etag');
    if (tag === null) return;
    const again = await this.#sendWith(call, { 'If-None-Match': tag });
    if (again.status === 304) this.tried.unchanged.add(id);
    // A running rebuild changes between two reads.
    else if (again.headers.get('etag') !== tag) await this.#expectUnchanged(call, again);
    else this.#fail(`${id} with If-None-Match: ${tag}`, again);
  }

  /** Returns the `ETag` of the single view of the resource that a command names in its path, query string or body. */
  async #tagFor(call: Call): Promise<string> {
    const { operation, body, request } = call;
    const view = viewOf(call);
    if (view === undefined) throw new Error(`${operation.id} takes If-Match, but names no resource with a single view`);
    const environment = textOf(body['environment_id']);
    const search = environment === undefined ? '' : `?environment_id=${environment}`;
    const key = request.key ?? ADMIN_KEY;
    const response = await this.expectSuccess(`the view for ${operation.id}`, 'GET', `${view}${search}`, { key });
    return response.headers.get('etag') ?? '';
  }

  #fail(what: string, { status, text }: ApiResponse): void {
    this.failures.push(`${what}: ${status} ${text.slice(0, 300)}`);
  }
}

function viewOf({ operation, parameters, query, body }: Call): string | undefined {
  for (const { path, hasView, taken = [] } of Object.values(KINDS)) {
    if (hasView !== true) continue;
    const inPath = operation.parameters.find(({ before }) => before === path)?.name;
    const named = taken.map((name) => query.get(name) ?? textOf(body[name]));
    const value = [parameters[inPath ?? ''], ...named].find((one) => one !== undefined);
    if (value !== undefined) return `${path}${encodeURIComponent(value)}`;
  }
  return undefined;
}

/** A policy that waits for its activation is shown, and has no certificate. */
function hasNoCertificate(path: string, { json }: ApiResponse): boolean {
  return path.includes('/certificate') && json?.code === 'not_in_force_yet';
}

/** Returns a member of a body as text; undefined when it has no value, or is structured. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function revisionOf(tag: string): string | undefined {
  return /^"\d+-(\d+)/.exec(tag)?.[1];
}

/** Returns the parameters of a path; undefined when it does not fit. */
function matchPath(template: string, pathname: string): Readonly<Record<string, string>> | undefined {
  const pattern = withoutSlash(template).replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(withoutSlash(pathname));
  if (found === null) return undefined;
  return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]));
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}
