import type { Request } from 'express';
import type { PageAnswer } from '../../../queries/query.ts';

const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Returns the origin that the client called: `publicUrl`, else protocol and host of the request as Express reads them (setting `trust
 * proxy`), else the address of the socket.
 */
export function originOf(
  { protocol, host: forwarded, headers, socket }: Pick<Request, 'protocol' | 'host' | 'headers' | 'socket'>,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const scheme = protocol.toLowerCase() === 'https' ? 'https' : 'http';
  const host = [forwarded, headers.host].find((one) => one !== undefined && HOST.test(one));
  if (host !== undefined) return `${scheme}://${host}`;
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
}

/** Returns absolute links to the next and the previous page, with all other parameters of the request. */
export function linksOf(origin: string, pathname: string, search: string, page: PageAnswer): PageLinks {
  const { count, limit, offset } = page;
  const linkTo = (target: number): string => {
    const parameters = new URLSearchParams(search);
    parameters.set('limit', String(limit));
    parameters.set('offset', String(target));
    return new URL(`${origin}${pathname}?${parameters.toString()}`).href;
  };
  return {
    next: offset + limit < count ? linkTo(offset + limit) : null,
    previous: offset > 0 ? linkTo(Math.max(0, offset - limit)) : null,
  };
}

/** The links as a `Link` header (RFC 8288); undefined when there are none. */
export function linkHeader({ next, previous }: PageLinks): string | undefined {
  const links = [next === null ? [] : `<${next}>; rel="next"`, previous === null ? [] : `<${previous}>; rel="prev"`];
  const text = links.flat().join(', ');
  return text === '' ? undefined : text;
}

/** The envelope of a list (specification, Conventions) as JSON text; `more` are further members, each with its comma before. */
export function pageBody({ count, results }: PageAnswer, { next, previous }: PageLinks, more = ''): string {
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`;
  return `{"count":${count},${links},"results":${results}${more}}`;
}
