import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { PublicRoute, RouteReference, RouteContext } from '../../server/route.ts';
import { gzipSync } from 'node:zlib';
import type { RouteResponse } from '../messages/response.ts';
import { z } from 'zod';
import { hashTag, matchesIfNoneMatch } from '../messages/entity-tags.ts';

export interface PublicContentRoute extends Pick<PublicRoute, 'name' | 'summary' | 'path'> {
  readonly reference: Omit<RouteReference, 'search'>;
}

export function publicRoute({ reference, ...route }: PublicContentRoute, handle: PublicRoute['handle']): PublicRoute {
  return {
    ...route,
    method: 'GET',
    kind: 'public',
    roles: 'anyone',
    reference: { ...reference, search: noParameters },
    handle: async (call, context) => {
      parseQuery(noParameters, call.search);
      return await handle(call, context);
    },
  };
}

/** HTML or a file, which is the same for every request. */
export interface Content {
  readonly headers: RouteResponse['headers'];
  readonly body: string | Uint8Array;
}

interface CachedContentRoute extends Omit<PublicContentRoute, 'reference'> {
  /** Default: that of a file that the API reference does not list. */
  readonly reference?: PublicContentRoute['reference'];
  /** Sends it compressed to clients that accept it. */
  readonly isCompressed?: boolean;
}

/** Makes a route of content that is made once. Browsers ask for it again by its tag. */
export function cachedContent(
  { isCompressed = false, reference = { response: z.string() }, ...route }: CachedContentRoute,
  make: (context: RouteContext) => Content,
): PublicRoute {
  const cache = new WeakMap<RouteContext, { readonly plain: Variant; readonly compressed: Variant | undefined }>();
  return publicRoute({ ...route, reference: { ...reference, hasTag: true } }, ({ request }, context) => {
    let content = cache.get(context);
    if (content === undefined) {
      const { headers, body } = make(context);
      // As bytes, which all responses share.
      const bytes = Buffer.from(body);
      const plain = variantOf(bytes, isCompressed ? { ...headers, Vary: 'Accept-Encoding' } : headers);
      const encoded = { ...plain.headers, 'Content-Encoding': 'gzip' };
      content = { plain, compressed: isCompressed ? variantOf(gzipSync(bytes), encoded) : undefined };
      cache.set(context, content);
    }
    const { plain, compressed } = content;
    const { headers, body, etag } =
      compressed !== undefined && acceptsGzip(request.headers['accept-encoding']) ? compressed : plain;
    const clientTags = request.headers['if-none-match'];
    const isUnchanged = clientTags !== undefined && matchesIfNoneMatch(clientTags, etag);
    return isUnchanged ? { status: 304, headers, body: undefined } : { status: 200, headers, body };
  });
}

interface Variant extends Content {
  readonly body: Buffer;
  readonly etag: string;
}

function variantOf(body: Buffer, headers: Content['headers']): Variant {
  const etag = hashTag(body);
  return { headers: { ...headers, 'Cache-Control': 'no-cache', ETag: etag }, body, etag };
}

/** Browsers send `gzip, deflate, br`; a refusal by `gzip;q=0` counts. */
function acceptsGzip(header: string | string[] = ''): boolean {
  return String(header)
    .split(',')
    .some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(coding));
}
