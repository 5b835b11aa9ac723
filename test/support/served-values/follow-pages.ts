import type { Json } from '#http/reference/openapi/page.ts';
import type { ApiRequest, ApiResponse, ApiService } from '../api-service.ts';
import type { DocumentedOperation } from './document-places.ts';

interface PageReader {
  readonly service: Pick<ApiService, 'url'>;
  readonly failures: string[];
  expectSuccess(what: string, ...request: Parameters<ApiService['send']>): Promise<ApiResponse>;
}

/** Returns whether an operation serves a list by pages. */
export function isList({ served }: DocumentedOperation): boolean {
  return served.some(({ place }) => place.join('.') === 'next');
}

/** More pages than any list of these tests has, so that links in a circle end. */
const MAX_PAGES = 200;

/**
 * Reads a list again by pages of one item: forward by `next`, and back by `previous`. Both must give the items of the whole list, and the
 * header `Link` the same URLs. A list that is requested by POST makes new items with each request, so only its length is compared.
 * @returns whether there was more than one page
 */
export async function followPages(
  reader: PageReader,
  operation: DocumentedOperation,
  method: string,
  url: string,
  request: ApiRequest,
): Promise<boolean> {
  const { 'Idempotency-Key': _, ...headers } = request.headers ?? {};
  const read = async (link: string): Promise<ApiResponse> =>
    await reader.expectSuccess(`a page of ${operation.id}`, method, link, { ...request, headers });
  const whole = await read(withLimit(url, '100'));
  const forward = await follow(reader, read, withLimit(url, '1'), 'next');
  const isNewEachTime = method !== 'GET';
  const expectItems = (what: string, pages: readonly ApiResponse[], expected: readonly Json[]): void => {
    const items = pages.flatMap(({ json }) => itemsOf(json));
    const same = isNewEachTime ? items.length === expected.length : JSON.stringify(items) === JSON.stringify(expected);
    if (!same)
      reader.failures.push(
        `${operation.id}: the pages ${what} have ${items.length} items of ${expected.length}, or others`,
      );
  };
  expectItems('after each other', forward.pages, itemsOf(whole.json));
  if (operation.served.some(({ place }) => place.join('.') === 'previous') && forward.pages.length > 1) {
    const back = await follow(reader, read, forward.last, 'previous');
    expectItems('before each other', back.pages, itemsOf(whole.json).toReversed());
  }
  return forward.pages.length > 1;
}

async function follow(
  { service, failures }: PageReader,
  read: (link: string) => Promise<ApiResponse>,
  first: string,
  member: 'next' | 'previous',
): Promise<{ readonly pages: readonly ApiResponse[]; readonly last: string }> {
  const pages: ApiResponse[] = [];
  for (let link = first; ; ) {
    const page = await read(link);
    pages.push(page);
    const url = page.json?.[member] as string | null | undefined;
    const inHeader = new RegExp(`<([^>]*)>; rel="${member === 'next' ? 'next' : 'prev'}"`).exec(
      page.headers.get('link') ?? '',
    );
    if ((inHeader?.[1] ?? null) !== (url ?? null)) failures.push(`${link}: Link has not the URL of ${member}`);
    if (typeof url !== 'string' || pages.length === MAX_PAGES) return { pages, last: link };
    if (!url.startsWith(`${service.url}/`)) failures.push(`${link}: ${member} is not absolute: ${url}`);
    link = url.slice(service.url.length);
  }
}

function withLimit(url: string, limit: string): string {
  const [pathname = '', search] = url.split('?');
  const parameters = new URLSearchParams(search);
  for (const name of ['offset', 'after', 'before']) parameters.delete(name);
  parameters.set('limit', limit);
  return `${pathname}?${parameters.toString()}`;
}

/** Returns the items of a page, which lists nest in different ways. */
function itemsOf(body: Json): readonly Json[] {
  const { results } = body as unknown as { readonly results: readonly Json[] };
  return results.flatMap((one) => {
    if (Array.isArray(one)) return one;
    const { data } = one as { readonly data?: readonly Json[] };
    return Array.isArray(data) ? data : [one];
  });
}
