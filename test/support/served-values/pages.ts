import type { Json } from '#http/reference/openapi/page.ts';
import type { ApiResponse } from '../api-service.ts';

/** More pages than any list of these tests has, so that links in a circle end. */
const MAX_PAGES = 200;

/**
 * Reads a list by pages of one item: forward by `next`, and back by `previous` where it has it. Both must give the
 * items of the whole list, and the header `Link` the same URLs. A list that is requested by POST makes new items with
 * each request, so only its length is compared.
 * @param url ends where a parameter may follow
 * @param read requests a page by its path and query string
 * @returns what is wrong, and the number of pages
 */
export async function followPages(
  url: string,
  { isNew, origin }: { readonly isNew: boolean; readonly origin: string },
  read: (link: string) => Promise<ApiResponse>,
): Promise<{ readonly wrong: readonly string[]; readonly pages: number }> {
  const wrong: string[] = [];
  const follow = async (first: string, member: 'next' | 'previous') => {
    const items: Json[] = [];
    for (let [link, pages] = [first, 1]; ; pages += 1) {
      const { json, headers } = await read(link);
      items.push(...itemsOf(json));
      const found = json?.[member] as string | null | undefined;
      const relation = new RegExp(`<([^>]*)>; rel="${member === 'next' ? 'next' : 'prev'}"`);
      const inHeader = relation.exec(headers.get('link') ?? '')?.[1] ?? null;
      if (inHeader !== (found ?? null)) wrong.push(`${link}: Link has not the URL of ${member}`);
      if (typeof found !== 'string' || pages === MAX_PAGES)
        return { items, pages, last: link, hasBack: 'previous' in json };
      if (!found.startsWith(`${origin}/`)) wrong.push(`${link}: ${member} is not absolute: ${found}`);
      link = found.slice(origin.length);
    }
  };
  const expectItems = (what: string, items: readonly Json[], expected: readonly Json[]): void => {
    const isSame = isNew ? items.length === expected.length : JSON.stringify(items) === JSON.stringify(expected);
    if (!isSame) wrong.push(`${url}: the pages ${what} have ${items.length} items of ${expected.length}, or others`);
  };
  const { items: whole } = await follow(`${url}limit=100`, 'next');
  const forward = await follow(`${url}limit=1`, 'next');
  expectItems('after each other', forward.items, whole);
  if (forward.hasBack)
    expectItems('before each other', (await follow(forward.last, 'previous')).items, whole.toReversed());
  return { wrong, pages: forward.pages };
}

/** Returns the items of a page, which lists nest in different ways. */
function itemsOf({ results }: ApiResponse['json']): readonly Json[] {
  return results.flatMap((one: Json) => {
    if (Array.isArray(one)) return one;
    const { data } = one as { readonly data?: readonly Json[] };
    return Array.isArray(data) ? data : [one];
  });
}
