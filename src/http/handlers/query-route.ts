import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyQuery, DownloadAnswer, ResourceAnswer } from '../../../queries/query.ts';
import { dayOf } from '../../event-sourcing/time.ts';
import { parseInput } from '../../command-handling/parse-input.ts';
import { hashTag, matchesIfNoneMatch } from '../messages/entity-tags.ts';
import { minPositionOf } from '../messages/headers.ts';
import { openStream } from '../messages/open-stream.ts';
import { parseQuery } from '../messages/query-string.ts';
import { pageOfList } from '../messages/links.ts';
import { requirePosition } from './positions.ts';
import type { Answer } from '../messages/answer.ts';
import type { AuthenticatedCall, AuthenticatedRoute } from '../route.ts';

/** Headers of all answers of queries: only the client may cache them, and must revalidate. */
const READ_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-cache',
  Vary: 'X-API-Key',
};

/** Makes the route that answers with a query. */
export function queryRoute(path: string, query: AnyQuery): AuthenticatedRoute {
  const withoutParameters = query.search.safeParse({});
  return {
    name: query.name,
    summary: query.summary,
    method: 'GET',
    path,
    kind: 'query',
    roles: query.roles,
    wrongRoleCode: 'forbidden',
    reference: {
      path: query.pathParameters,
      search: query.search,
      body: undefined,
      answer: query.response,
      status: 200,
      paged: query.paged,
      showsPaging: query.showsPaging === true,
    },
    handle: async (call, context) => {
      const search =
        call.search === '' && withoutParameters.success
          ? withoutParameters.data
          : parseQuery(query.search, call.search);
      const path = parseInput(query.pathParameters, call.parameters);
      const minPosition = minPositionOf(call.request.headers);
      if (minPosition !== undefined) await requirePosition(minPosition, context);
      const { records, eventStore, now } = context.commandPorts;
      const { readModels, collections } = context;
      const moment = now();
      const answer = await query.answer(
        { path, search },
        {
          reader: call.caller.reader,
          readModels,
          records,
          eventStore,
          collections,
          now: moment,
          today: dayOf(moment),
          nextTurn,
        },
      );
      if (answer.kind === 'resource') return await resourceAnswer(answer, call);
      if (answer.kind === 'download') return await downloadAnswer(answer, call);
      const paging = query.showsPaging === true ? `,"limit":${answer.limit},"offset":${answer.offset}` : '';
      const { headers, body } = pageOfList(call, context.publicUrl, answer, paging);
      return { status: 200, headers: { ...READ_HEADERS, ...headers }, body };
    },
  };
}

async function resourceAnswer({ body, etag }: ResourceAnswer, call: AuthenticatedCall): Promise<Answer> {
  const tag = etag ?? (typeof body === 'string' ? hashTag(body) : undefined);
  if (tag === undefined) throw new Error(`${call.path} streams a resource without an entity tag`);
  if (isCached(tag, call)) return notModified(tag);
  const isHead = call.request.method === 'HEAD';
  return { status: 200, headers: { ...READ_HEADERS, ETag: tag }, body: isHead ? body : await openStream(body) };
}

async function downloadAnswer({ etag, load }: DownloadAnswer, call: AuthenticatedCall): Promise<Answer> {
  if (isCached(etag, call)) return notModified(etag);
  const type = { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment' };
  return { status: 200, headers: { ...READ_HEADERS, ...type, ETag: etag }, body: await load() };
}

function isCached(etag: string, { request }: AuthenticatedCall): boolean {
  const clientTags = request.headers['if-none-match'];
  return clientTags !== undefined && matchesIfNoneMatch(clientTags, etag);
}

function notModified(etag: string): Answer {
  const { 'Content-Type': _, ...headers } = READ_HEADERS;
  return { status: 304, headers: { ...headers, ETag: etag }, body: undefined };
}
