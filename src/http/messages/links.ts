import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { PageAnswer } from '../../../queries/query.ts';

const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Returns whether the peer of a request may say which protocol and host the client used; 0 is the nearest hop. */
export type ProxyTrust = (address: string | undefined, hop: number) => boolean;

/** Compiles a value of Express's setting `trust proxy`. @throws {TypeError} for an address that is none */
export function proxyTrust(setting: boolean | number | string): ProxyTrust {
  return express().set('trust proxy', setting).get('trust proxy fn') as ProxyTrust;
}

/** Where clients reach Surety. */
export interface PublicOrigin {
  /** Without a slash at its end; undefined: the origin of each request. */
  readonly publicUrl: string | undefined;
  /** No proxy is trusted when absent. */
  readonly trustsProxy?: ProxyTrust | undefined;
}

/** Returns the origin that the client called: `publicUrl`, else what a trusted proxy or the `Host` of the request says, else the socket. */
export function originOf({ headers, socket }: IncomingMessage, { publicUrl, trustsProxy }: PublicOrigin): string {
  if (publicUrl !== undefined) return publicUrl;
  const isTrusted = trustsProxy?.(socket.remoteAddress, 0) === true;
  const protocol = isTrusted && firstOf(headers['x-forwarded-proto'])?.toLowerCase() === 'https' ? 'https' : 'http';
  const hosts = [isTrusted ? firstOf(headers['x-forwarded-host']) : undefined, headers.host];
  const host = hosts.find((one) => one !== undefined && HOST.test(one));
  if (host !== undefined) return `${protocol}://${host}`;
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** The first of a list of values: that of the proxy nearest to the client. */
function firstOf(header: string | readonly string[] | undefined): string | undefined {
  return header?.toString().split(',')[0]?.trim();
}

export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
}

/** Absolute links to the pages beside this one; all other parameters stay (`decisions`: Lists). */
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
