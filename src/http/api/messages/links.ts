import type { Request } from 'express';
import type { CursorPageResponse, PageResponse } from '#queries/query.ts';

const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

export type OriginRequest = Pick<Request, 'protocol' | 'host' | 'headers' | 'socket'>;

/**
 * Returns the origin of the request: `publicUrl`, else protocol and host as Express determines them (setting
 * `trust proxy`), else the address of the socket.
 */
export function originOf(
  { protocol, host: forwarded, headers, socket }: OriginRequest,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const scheme = protocol.toLowerCase() === 'https' ? 'https' : 'http';
  const host = [forwarded, headers.host].find(
    (one) => one !== undefined && HOST.test(one) && URL.canParse(`${scheme}://${one}`),
  );
  if (host !== undefined) return `${scheme}://${host}`;
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * Returns the path below which the service is reached: that of `publicUrl`, without a slash at the end; empty without
 * one.
 */
export function basePathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

interface ListRequest {
  readonly request: OriginRequest;
  readonly pathname: string;
  readonly search: string;
}

type Link = Readonly<Record<string, string | undefined>>;

/** Returns the absolute URL of another page: that of the request with these parameters in place of its cursors. */
export function linkToPage(
  { request, pathname, search }: ListRequest,
  publicUrl: string | undefined,
  link: Link,
): string {
  const parameters = new URLSearchParams(search);
  for (const cursor of ['lastEventId', 'after', 'before']) parameters.delete(cursor);
  for (const [name, value] of Object.entries(link)) if (value !== undefined) parameters.set(name, value);
  return new URL(`${originOf(request, publicUrl)}${pathname}?${parameters.toString()}`).href;
}

/**
 * Makes the JSON body of a page of a list and its header `Link` (RFC 8288).
 * @param more further members of the body as JSON, each with a leading comma
 */
export function pageOfList(
  list: ListRequest,
  publicUrl: string | undefined,
  { count, limit, offset, cursors, hasMore = offset + limit < count, results }: PageResponse,
  more = '',
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const linkTo = (target: number, cursor: Link): string =>
    linkToPage(list, publicUrl, { limit: String(limit), offset: String(target), ...cursor });
  const next = hasMore ? linkTo(offset + limit, { after: cursors?.last }) : null;
  // Without a full page before this one, the previous page overlaps this one, so its cursor would be wrong.
  const before = offset < limit ? undefined : cursors?.first;
  const previous = offset > 0 ? linkTo(Math.max(0, offset - limit), { before }) : null;
  const links = [next === null ? [] : `<${next}>; rel="next"`, previous === null ? [] : `<${previous}>; rel="prev"`];
  const link = links.flat().join(', ');
  const members = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`;
  return {
    headers: link === '' ? {} : { Link: link },
    body: `{"count":${count},${members},"results":${results}${more}}`,
  };
}

export function pageWithCursor(
  list: ListRequest,
  publicUrl: string | undefined,
  { limit, next: after, results }: CursorPageResponse,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  if (after === null) return { headers: {}, body: `{"next":null,"results":${results}}` };
  const next = linkToPage(list, publicUrl, { limit: String(limit), after });
  return { headers: { Link: `<${next}>; rel="next"` }, body: `{"next":${JSON.stringify(next)},"results":${results}}` };
}
