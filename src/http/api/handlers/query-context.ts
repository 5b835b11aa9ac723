import type { ServerResponse } from 'node:http';
import type { PortfolioRequest } from '#queries/portfolio/portfolio.ts';
import type { AnyQuery, QueryContext } from '#queries/query.ts';
import { feedAccess } from '../../feed/feed-response.ts';
import type { AuthenticatedCall, RouteContext } from '../../server/route.ts';
import { tooManyBytes } from '../bodies/body-memory.ts';
import { RequestAborted } from '../bodies/read-body.ts';
import { minPositionOf } from '../messages/headers.ts';
import { basePathOf } from '../messages/links.ts';
import { requireRole } from '../middleware/authentication.ts';
import { identify } from '../session/identify.ts';
import { turnsOf } from './next-turn.ts';
import { requireBuilt, requirePosition } from './positions.ts';

/** @throws {Refusal} `read_models_building`, `position_not_reached` */
export async function queryContextOf(
  query: AnyQuery,
  call: AuthenticatedCall,
  context: RouteContext,
): Promise<QueryContext> {
  if (query.readsOnlyLog !== true) requireBuilt(context);
  const minPosition = minPositionOf(call.request.headers);
  if (minPosition !== undefined) await requirePosition(minPosition, context);
  const queryContext = new RequestContext(call, context);
  // Many reads that are asked for at once must not hold the event loop.
  await queryContext.nextTurn();
  return queryContext;
}

/** Makes each part when a query asks for it, because most queries use few of them. */
class RequestContext implements QueryContext {
  readonly reader: QueryContext['reader'];
  readonly readModels: QueryContext['readModels'];
  readonly now: QueryContext['now'];
  readonly #call: AuthenticatedCall;
  readonly #context: RouteContext;

  constructor(call: AuthenticatedCall, context: RouteContext) {
    this.reader = call.caller.reader;
    this.readModels = context.readModels;
    this.now = context.commandPorts.now();
    this.#call = call;
    this.#context = context;
  }

  get key() {
    return keyOf(this.#call.caller);
  }

  get basePath() {
    return basePathOf(this.#context.publicUrl);
  }

  get records() {
    return this.#context.commandPorts.records;
  }

  get eventStore() {
    return this.#context.commandPorts.eventStore;
  }

  get collections() {
    return this.#context.collections;
  }

  get nextTurn() {
    return turnsOf(this.#call.response, this.#call.caller.id);
  }

  get latestRecordedAt() {
    return async () => (await this.readModels.checkpoint())?.latestRecordedAt;
  }

  get publicEvents() {
    return feedAccess(this.#call, this.#context, () => signalOf(this.#call.response));
  }

  get rebuild() {
    return this.#context.projector.status().rebuild;
  }

  async replay<T>(read: () => Promise<T>) {
    return await this.#context.replayLimit.run(this.#call.caller.id, read);
  }

  async runPortfolio(portfolio: PortfolioRequest) {
    return await this.#context.runPortfolio(portfolio, signalOf(this.#call.response));
  }

  async renderCertificate(certificate: string) {
    const { response, caller } = this.#call;
    const { bodyMemory, certificateLimit, renderCertificate } = this.#context;
    if (!bodyMemory.holderFor(response, caller.id)(certificate.length)) throw tooManyBytes();
    const merchant = caller.reader.role === 'merchant' ? caller.reader.merchantId : caller.id;
    return await certificateLimit.run(merchant, async () => await renderCertificate(certificate, signalOf(response)));
  }

  async checkKey() {
    const { request, route, parameters: params, search: query } = this.#call;
    const caller = await identify(request, this.#context);
    requireRole(route, caller, { params, query });
  }
}

/** Returns the key of a request as queries see it. */
export function keyOf({
  actor,
  label,
  person,
  authority,
  access,
  expiresAt,
}: AuthenticatedCall['caller']): QueryContext['key'] {
  return { keyId: actor.keyId, label, person, authority, access, expiresAt };
}

/** Returns a signal that aborts when the client closes the connection before the end of the response. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new RequestAborted());
  response.once('close', abort);
  if (response.closed) abort();
  return controller.signal;
}
