import { dayIn } from '#domain/values/dates.ts';
import type { Json } from '#http/reference/openapi/page.ts';
import { ADMIN_KEY } from '../api-service.ts';
import { type DocumentedOperation, type PathParameter, type ServedMember, valuesAt } from './document-places.ts';
import { TIME_ZONE } from './client.ts';
import { isList } from './follow-pages.ts';
import { type CompletedCall, type Recording, textOf } from './recording.ts';
import { inputsOf, isAlwaysServed, KINDS, kindOf, type ReferenceKind } from './references.ts';

/** The merchant and environment of an API key. */
export interface KeyOwner {
  /** A key of the environment that is not revoked. */
  readonly key: string;
  readonly environmentId: string;
  readonly shortCode: string;
}

/** A value that an operation has served. */
interface Served {
  readonly call: CompletedCall;
  readonly value: string;
  /** Operation and member, for reports. */
  readonly what: string;
}

/** Sends the references of a recording to every read that takes them. */
export class SendBack {
  /** Members and headers of which no response had a value; of a named schema, no response of any operation. */
  readonly neverServed: string[] = [];
  readonly #recording: Recording;
  readonly #owners: ReadonlyMap<string | undefined, KeyOwner>;
  /** Inputs to which a value that was served has gone. */
  readonly #used = new Set<string>();
  /** Requests that were sent, so that a value that several operations served is sent once. */
  readonly #sent = new Set<string>();

  /** @param owners of the merchants' keys */
  constructor(recording: Recording, owners: ReadonlyMap<string | undefined, KeyOwner>) {
    this.#recording = recording;
    this.#owners = owners;
  }

  /** Sends the last value of every reference of every operation, and of their problems. */
  async run(): Promise<void> {
    const { problem } = this.#recording;
    for (const member of problem.served) await this.#sendMember(problem, member);
    for (const operation of this.#recording.operations) {
      for (const member of operation.served) await this.#sendMember(operation, member);
      await this.#sendHeaders(operation);
      await this.#sendToMinPosition(operation);
    }
  }

  /** Returns the inputs of the operations to which no value that was served has gone. */
  neverSent(): readonly string[] {
    const { operations, calls } = this.#recording;
    const served = new Map<string, Set<string>>();
    for (const { operation, response } of calls) {
      for (const member of operation.served) {
        const kind = kindOf(member);
        if (kind === undefined) continue;
        const values = served.get(kind) ?? new Set();
        for (const value of valuesIn(response.text, response.json, member)) values.add(asSent(kind, value));
        served.set(kind, values);
      }
    }
    const wasTaken = (operation: DocumentedOperation, input: string, kinds: readonly string[]): boolean =>
      calls.some((call) => {
        if (call.operation !== operation) return false;
        const given = [call.parameters[input], call.query.get(input), textOf(call.body[input])];
        return kinds.some((kind) => given.some((value) => served.get(kind)?.has(value ?? '')));
      });
    return operations.flatMap((operation) =>
      inputsOf(operation)
        .filter(({ kinds }) => kinds.length > 0)
        .filter(({ name, kinds }) => !this.#used.has(`${operation.id}.${name}`) && !wasTaken(operation, name, kinds))
        .map(({ name }) => `${operation.id}.${name}`),
    );
  }

  async #sendMember(operation: DocumentedOperation, member: ServedMember): Promise<void> {
    const kind = kindOf(member);
    if (kind === undefined) return;
    const what = `${operation.id} ${member.place.join('.')}`;
    const served = this.#lastServed(operation, member, what);
    if (served === undefined) {
      const isExpected = operation !== this.#recording.problem && isAlwaysServed(member);
      if (isExpected && !this.#isServedElsewhere(member)) this.neverServed.push(what);
      return;
    }
    const { path, query = [], header, url } = KINDS[kind] as ReferenceKind;
    for (const read of this.#reads()) {
      const parameter = read.parameters.find(({ before }) => before === path);
      if (parameter !== undefined) await this.#sendInPath(read, parameter, served);
      for (const name of query.filter((one) => read.query.includes(one))) await this.#sendInQuery(read, name, served);
    }
    if (header !== undefined) await this.#sendInHeaders(what, { [header]: served.value });
    if (url === undefined) return;
    const target = new URL(`${url.prefix}${served.value}`, this.#recording.service.url);
    const key = this.#owners.get(served.call.request.key)?.key ?? ADMIN_KEY;
    await this.#recording.expectSuccess(what, url.method, `${target.pathname}${target.search}`, { key });
  }

  /** Returns whether another operation has served the same member of a named schema. */
  #isServedElsewhere({ path }: ServedMember): boolean {
    return this.#recording.calls.some(({ operation, response }) =>
      operation.served.some(
        (member) => member.path === path && valuesIn(response.text, response.json, member).length > 0,
      ),
    );
  }

  /** Each key reads what it was served. A platform key also reads what a merchant was served, limited by the environment. */
  async #sendInPath(read: DocumentedOperation, parameter: PathParameter, served: Served): Promise<void> {
    const pathname = this.#pathnameOf(read, served, { [parameter.name]: served.value });
    if (pathname === undefined) return;
    this.#used.add(`${read.id}.${parameter.name}`);
    const send = async (key: string, more: Record<string, string> = {}): Promise<void> =>
      await this.#sendOnce(served.what, `${pathname}${this.#searchOf(read, more)}`, key);
    const owner = this.#owners.get(served.call.request.key);
    const isOwn = owner !== undefined && read.roles.includes('merchant') && parameter.before !== '/api/v1/merchants/';
    await send(isOwn ? owner.key : ADMIN_KEY);
    // A list of a merchant shows what is in all of its environments.
    if (!isOwn || !read.query.includes('environment_id') || isList(served.call.operation)) return;
    this.#used.add(`${read.id}.environment_id`);
    await send(ADMIN_KEY, { environment_id: owner.environmentId });
  }

  async #sendInQuery(read: DocumentedOperation, name: string, served: Served): Promise<void> {
    const pathname = name === 'environment_id' ? undefined : this.#pathnameOf(read, served, {});
    if (pathname === undefined) return;
    this.#used.add(`${read.id}.${name}`);
    const owner = read.roles.includes('merchant') ? this.#owners.get(served.call.request.key) : undefined;
    const key = owner?.key ?? ADMIN_KEY;
    await this.#sendOnce(served.what, `${pathname}${this.#searchOf(read, { [name]: served.value })}`, key);
  }

  async #sendOnce(what: string, path: string, key: string): Promise<void> {
    if (this.#sent.has(`${key} ${path}`)) return;
    this.#sent.add(`${key} ${path}`);
    await this.#recording.expectSuccess(what, 'GET', path, { key });
  }

  /** Sends the headers that an operation has served. */
  async #sendHeaders(operation: DocumentedOperation): Promise<void> {
    const call = this.#recording.calls.findLast((one) => one.operation === operation);
    const values = new Map([
      ['X-Request-Id', call?.response.headers.get('x-request-id')],
      ...(operation.servedHeaders.includes('Surety-Position')
        ? [['Surety-Min-Position', call?.response.headers.get('surety-position')] as const]
        : []),
    ]);
    const headers: Record<string, string> = {};
    for (const [name, value] of values) {
      if (typeof value === 'string') headers[name] = value;
      else this.neverServed.push(`${operation.id} ${name}`);
    }
    await this.#sendInHeaders(`${operation.id} ${Object.keys(headers).join(', ')}`, headers);
  }

  async #sendInHeaders(what: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const key = headers['X-API-Key'] === undefined ? ADMIN_KEY : undefined;
    const response = await this.#recording.expectSuccess(what, 'GET', '/api/v1/products', { key, headers });
    const [sent, received] = [headers['X-Request-Id'], response.headers.get('x-request-id')];
    if (sent !== undefined && sent !== received)
      this.#recording.failures.push(`${what}: ${sent} comes back as ${received}`);
  }

  async #sendToMinPosition(operation: DocumentedOperation): Promise<void> {
    const call = this.#recording.calls.findLast((one) => one.operation === operation);
    const position = this.#recording.calls.findLast(({ response }) => response.headers.has('surety-position'));
    if (!operation.headers.includes('Surety-Min-Position') || call === undefined || position === undefined) return;
    const key = this.#owners.get(call.request.key)?.key ?? ADMIN_KEY;
    const headers = { 'Surety-Min-Position': position.response.headers.get('surety-position') ?? '' };
    const path = `${call.pathname}?${call.query.toString()}`;
    const { body } = call.request;
    const request = { key, headers, ...(body === undefined ? {} : { body }) };
    await this.#recording.expectSuccess(`${operation.id} Surety-Min-Position`, operation.method, path, request);
  }

  #reads(): readonly DocumentedOperation[] {
    return this.#recording.operations.filter(({ isCommand, roles }) => !isCommand && roles[0] !== '');
  }

  #lastServed(operation: DocumentedOperation, member: ServedMember, what: string): Served | undefined {
    for (const call of this.#recording.calls.toReversed()) {
      if (call.operation !== operation) continue;
      const value = valuesIn(call.response.text, call.response.json, member).at(-1);
      if (value !== undefined) return { call, value, what };
    }
    return undefined;
  }

  /** Returns the path of a read about the resource of a call; undefined when the exchange does not name all of it. */
  #pathnameOf(read: DocumentedOperation, { call }: Served, given: Record<string, string>): string | undefined {
    const values = read.parameters.map(({ name, before }) => {
      const same = call.operation.parameters.find((one) => one.before === before)?.name;
      if (given[name] !== undefined) return given[name];
      if (same !== undefined) return call.parameters[same];
      if (before === '/api/v1/merchants/' && isList(read)) return this.#owners.get(call.request.key)?.shortCode;
      const beside = call.operation.served.filter((member) => KINDS[kindOf(member) ?? '']?.path === before);
      return beside.flatMap((member) => valuesIn(call.response.text, call.response.json, member)).at(-1);
    });
    if (values.includes(undefined)) return undefined;
    return read.path.replace(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? ''));
  }

  /** Returns the query string, with what the read requires from the request that succeeded before. */
  #searchOf(read: DocumentedOperation, given: Record<string, string>): string {
    const example = this.#recording.calls.findLast(({ operation }) => operation === read)?.query;
    const required = Object.fromEntries(read.required.map((name) => [name, example?.get(name) ?? '']));
    return `?${new URLSearchParams({ ...required, ...given }).toString()}`;
  }
}

function valuesIn(text: string, json: Json | undefined, { place }: ServedMember): readonly string[] {
  if (json !== undefined || !text.startsWith('{')) return valuesAt(json, place);
  const lines = text.trimEnd().split('\n');
  return lines.flatMap((line) => valuesAt(JSON.parse(line) as Json, place));
}

/** The start of a term is sent as a day: where it is served as an instant, that of the time zone of the environment. */
function asSent(kind: string, value: string): string {
  return kind === 'start' && value.includes('T') ? dayIn(TIME_ZONE, value) : value;
}
