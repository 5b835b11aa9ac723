import { z } from 'zod';
import type { Settings } from '#service/config/config.ts';
import { parseWords } from './arguments.ts';
import { EXIT, OperatorError, printIndentedJson, WrongUse, writeOut } from './outcome.ts';
import {
  getResponse,
  parseResponse,
  REQUEST_RETRY_MS,
  requireService,
  SERVICE_OPTIONS,
  withClient,
} from './service.ts';
import type { ServiceClient, ServiceResponse } from './service-client.ts';

export const GET_OPTIONS = {
  all: {
    type: 'boolean',
    default: false,
    help: 'follows the next of a list to its end and prints the items of all pages as one list',
  },
  ...SERVICE_OPTIONS,
} as const;

/** `surety get PATH`: prints what a running service responds to a GET, JSON indented and a document as it is; exits with 1 if it is a problem. */
export async function runGet(words: readonly string[], settings: Settings): Promise<number> {
  const { values, positionals } = parseWords(words, GET_OPTIONS);
  const [path, ...rest] = positionals;
  if (path === undefined) throw new WrongUse('surety get needs a PATH of the API.');
  if (rest.length > 0) throw new WrongUse(`surety get takes one PATH; ${rest.join(' ')} is not expected.`);
  const service = requireService('surety get', values, settings);
  return await withClient(service, settings, REQUEST_RETRY_MS, async (client) => {
    if (values.all) return printed(await getAll(client, path));
    const response = await getResponse(client, apiPath(path));
    const isText = response.contentType === '' || /^text\/|[/+](?:x-nd)?json/.test(response.contentType);
    if (isText || response.status >= 300) return printed(response);
    if (process.stdout.isTTY)
      throw new OperatorError(`${path} is ${response.contentType}: redirect the output to a file.`);
    await writeOut(response.bytes);
    return EXIT.done;
  });
}

function printed({ status, text }: Pick<ServiceResponse, 'status' | 'text'>): number {
  printIndentedJson(text);
  return status < 300 ? EXIT.done : EXIT.failed;
}

/** Returns the items of a result: some lists have one result with all items of the page, `[item, …]` or `{data: [item, …]}`. */
function itemsOf(result: unknown): readonly unknown[] {
  if (Array.isArray(result)) return result as readonly unknown[];
  const { data, ...others } = result as { readonly data?: unknown };
  return Array.isArray(data) && Object.keys(others).length === 0 ? (data as readonly unknown[]) : [result];
}

/** Returns the path below the URL of the service. The `next` of a list begins with the public address, which may be another. */
function apiPath(path: string): string {
  return `api/v1/${path.replace(/^(?:[^?]*\/)?api\/v1\//, '').replace(/^\/+/, '')}`;
}

/**
 * Returns a page with the items of all pages as one list, or the first problem.
 * @throws {OperatorError} when a response is no page of a list
 */
async function getAll(client: ServiceClient, path: string): Promise<Pick<ServiceResponse, 'status' | 'text'>> {
  const items: unknown[] = [];
  const read = new Set<string>();
  for (let next: string | null = path; next !== null; ) {
    if (read.has(next)) throw new OperatorError(`${next} is the next of several pages: the list has no end.`);
    read.add(next);
    const response = await getResponse(client, apiPath(next));
    if (response.status >= 300) return response;
    const page = pageSchema.safeParse(parseResponse(client.url, response));
    if (!page.success) throw new OperatorError(`${path} is no list with pages: --all does not apply.`);
    items.push(...page.data.results.flatMap(itemsOf));
    ({ next } = page.data);
  }
  return { status: 200, text: JSON.stringify({ results: items }) };
}

const pageSchema = z.object({ next: z.string().min(1).nullable(), results: z.array(z.unknown()) });
