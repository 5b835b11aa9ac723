import { create as contentDisposition } from 'content-disposition';
import type { AnyQuery, BlobResponse, DownloadRow, ResourceResponse } from '#queries/query.ts';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { type DownloadFormat, downloadFormatOf } from '../messages/download-formats.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyRulesOf } from '../bodies/command-body.ts';
import { RequestAborted } from '../bodies/read-body.ts';
import { hashTag, matchesIfNoneMatch } from '../messages/entity-tags.ts';
import { noParameters, parseParts, parseQuery } from '../messages/query-string.ts';
import { pageOfList, pageWithCursor } from '../messages/links.ts';
import { feedResponse } from '../../feed/feed-response.ts';
import { queryContextOf } from './query-context.ts';
import { openStream, type RouteResponse } from '../messages/response.ts';
import type { AuthenticatedCall, AuthenticatedRoute, RouteContext, RouteReference } from '../../server/route.ts';

/** Headers of all responses of queries: only the client may cache them, and must revalidate. */
const READ_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-cache',
  Vary: 'X-API-Key',
};

const VARY_BY_FORMAT = `${READ_HEADERS.Vary}, Accept`;

export function queryRoute(
  path: string,
  query: AnyQuery,
  { mediaType, ...options }: Pick<AuthenticatedRoute, 'forbiddenHint'> & Pick<RouteReference, 'mediaType'> = {},
): AuthenticatedRoute {
  const { name, summary, roles, pathParameters, download } = query;
  const withoutParameters = query.search.safeParse({});
  return {
    name,
    summary,
    method: 'GET',
    path,
    kind: 'query',
    roles,
    wrongRoleCode: 'forbidden',
    ...options,
    reference: { ...referenceOf(query), mediaType, isDownloadable: download !== undefined },
    handle: async (call, context) => {
      const format = download && downloadFormatOf(call.request);
      const path = parseInput(pathParameters, call.parameters);
      if (download !== undefined && format !== undefined) {
        const search = parseQuery(download.search, call.search);
        await beginDownload(call, context);
        const queryContext = await queryContextOf(query, call, context);
        const rows = await download.rows({ path, search }, queryContext);
        return await downloadResponse(format, download.headings, rows, call);
      }
      const search =
        call.search === '' && withoutParameters.success
          ? withoutParameters.data
          : parseQuery(query.search, call.search);
      const result = await query.respond({ path, search }, await queryContextOf(query, call, context));
      if (result.kind === 'resource') return await resourceResponse(result, call);
      if (result.kind === 'blob') return await blobResponse(result, call);
      if (result.kind === 'feed') return feedResponse(result, call, context);
      const varies = download === undefined ? undefined : { Vary: VARY_BY_FORMAT };
      if (result.kind === 'cursor_page') {
        const { headers, body } = pageWithCursor(call, context.publicUrl, result);
        return { status: 200, headers: { ...READ_HEADERS, ...varies, ...headers }, body };
      }
      const paging = query.showsPaging === true ? `,"limit":${result.limit},"offset":${result.offset}` : '';
      const { headers, body } = pageOfList(call, context.publicUrl, result, paging);
      return { status: 200, headers: { ...READ_HEADERS, ...varies, ...headers }, body };
    },
  };
}

function referenceOf(query: AnyQuery): RouteReference {
  const { pathParameters, example } = query;
  return { ...query, path: pathParameters, example: example && { query: example.search } };
}

/** Makes the route of a query whose parameters are the body of a POST, so that no URL and no log contains them. */
export function bodyQueryRoute(path: string, query: AnyQuery): AuthenticatedRoute {
  const { name, summary, roles, pathParameters, search } = query;
  return {
    name,
    summary,
    method: 'POST',
    path,
    kind: 'query',
    roles,
    wrongRoleCode: 'forbidden',
    body: () => bodyRulesOf(inputSchemaOf(search)),
    reference: {
      ...referenceOf(query),
      example: { body: query.example?.search },
      search: noParameters,
      body: search,
    },
    handle: async (call, context) => {
      const { path, input } = await parseParts({
        path: () => parseInput(pathParameters, call.parameters),
        parameters: () => parseQuery(noParameters, call.search),
        input: () => parseInput(search, call.body),
      });
      const result = await query.respond({ path, search: input }, await queryContextOf(query, call, context));
      if (result.kind !== 'resource') throw new Error(`${call.path} responds with a ${result.kind}`);
      const incomplete = result.isIncomplete === true ? { 'Surety-Incomplete': 'true' } : undefined;
      return {
        status: 200,
        headers: { ...READ_HEADERS, 'Cache-Control': 'no-store', ...incomplete },
        body: result.body,
      };
    },
  };
}

/** Counts a download until its response is closed. @throws {Refusal} `busy` @throws {RequestAborted} */
async function beginDownload({ response, caller }: AuthenticatedCall, { downloadLimit }: RouteContext): Promise<void> {
  const end = await downloadLimit.begin(caller.id);
  response.once('close', end);
  if (!response.closed) return;
  end();
  throw new RequestAborted();
}

async function downloadResponse(
  format: DownloadFormat,
  headings: readonly string[],
  rows: AsyncIterable<DownloadRow>,
  call: AuthenticatedCall,
): Promise<RouteResponse> {
  const body = { chunks: () => format.chunks(headings, rows) };
  const headers = {
    ...READ_HEADERS,
    'Content-Type': format.contentType,
    'Content-Disposition': contentDisposition(`${nameOf(call.path)}.${format.extension}`),
    Vary: VARY_BY_FORMAT,
  };
  return { status: 200, headers, body: call.request.method === 'HEAD' ? body : await openStream(body) };
}

/** Returns the last part of a path, which names what is listed. */
function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

async function resourceResponse(
  { body, etag, identity }: ResourceResponse,
  call: AuthenticatedCall,
): Promise<RouteResponse> {
  const hashed = typeof body === 'string' ? body : identity;
  const tag = etag ?? (hashed === undefined ? undefined : hashTag(hashed));
  if (tag === undefined) throw new Error(`${call.path} streams a resource without an entity tag`);
  if (isCached(tag, call)) return notModified(tag);
  const isHead = call.request.method === 'HEAD';
  return { status: 200, headers: { ...READ_HEADERS, ETag: tag }, body: isHead ? body : await openStream(body) };
}

async function blobResponse(
  { etag, load, fileName, contentType }: BlobResponse,
  call: AuthenticatedCall,
): Promise<RouteResponse> {
  if (isCached(etag, call)) return notModified(etag);
  const type = { 'Content-Type': contentType, 'Content-Disposition': contentDisposition(fileName) };
  return { status: 200, headers: { ...READ_HEADERS, ...type, ETag: etag }, body: await load() };
}

function isCached(etag: string, { request }: AuthenticatedCall): boolean {
  const clientTags = request.headers['if-none-match'];
  return clientTags !== undefined && matchesIfNoneMatch(clientTags, etag);
}

function notModified(etag: string): RouteResponse {
  const { 'Content-Type': _, ...headers } = READ_HEADERS;
  return { status: 304, headers: { ...headers, ETag: etag }, body: undefined };
}
