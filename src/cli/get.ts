import type { Settings } from '#service/config/config.ts';
import { parseWords } from './arguments.ts';
import { EXIT, OperatorError, printIndentedJson, WrongUse, writeOut } from './outcome.ts';
import type { Api } from '#client/api.ts';
import { SuretyError } from '#client/errors.ts';
import { problemIn, REQUEST_RETRY_MS, requireService, SERVICE_OPTIONS, withClient } from './service.ts';

export const GET_OPTIONS = {
  all: {
    type: 'boolean',
    default: false,
    help: 'follows the next of a list to its end and prints the items of all pages as one list',
  },
  ...SERVICE_OPTIONS,
} as const;

/**
 * `surety get PATH`: prints what a running service responds to a GET, JSON indented and a document as it is; exits with
 * 1 if it is a problem.
 */
export async function runGet(words: readonly string[], settings: Settings): Promise<number> {
  const { values, positionals } = parseWords(words, GET_OPTIONS);
  const [path, ...rest] = positionals;
  if (path === undefined) throw new WrongUse('surety get needs a PATH of the API.');
  if (rest.length > 0) throw new WrongUse(`surety get takes one PATH; ${rest.join(' ')} is not expected.`);
  const service = requireService('surety get', values, settings);
  return await withClient(service, settings, REQUEST_RETRY_MS, async (api) => {
    try {
      if (values.all) printIndentedJson(JSON.stringify({ results: await getAll(api, path) }));
      else await printOne(api, path);
      return EXIT.done;
    } catch (error) {
      printIndentedJson(problemIn(error));
      return EXIT.failed;
    }
  });
}

async function printOne({ http }: Api, path: string): Promise<void> {
  const response = await http.open({ method: 'GET', path: apiPath(path), accept: '*/*' });
  const type = response.headers.get('content-type') ?? '';
  const isText = type === '' || /^text\/|[/+](?:x-nd)?json/.test(type);
  if (!isText && process.stdout.isTTY) {
    await response.body?.cancel();
    throw new OperatorError(`${path} is ${type}: redirect the output to a file.`);
  }
  const bytes = await response.bytes().catch((error: Error) => {
    throw new OperatorError(`The response breaks off: ${error.message}.`, { cause: error });
  });
  if (isText) printIndentedJson(Buffer.from(bytes).toString());
  else await writeOut(bytes);
}

/** Returns the items of a result: a list may have one result with all items of the page, `{data: [item, …]}`. */
function itemsOf(result: object): readonly unknown[] {
  const { data, ...others } = result as { readonly data?: unknown };
  return Array.isArray(data) && Object.keys(others).length === 0 ? (data as readonly unknown[]) : [result];
}

/** Returns the path with its query. The `next` of a list begins with the public address, which may be another. */
function apiPath(path: string): string {
  return `/api/v1/${path.replace(/^(?:[^?]*\/)?api\/v1\//, '').replace(/^\/+/, '')}`;
}

/** Returns the items of all pages of a list. @throws {OperatorError} when it is none */
async function getAll(api: Api, path: string): Promise<readonly unknown[]> {
  const { pathname, searchParams } = new URL(apiPath(path), 'http://service');
  const items: unknown[] = [];
  try {
    // Every list has these pages. What is no list refuses a limit.
    const query = { limit: undefined, ...Object.fromEntries(searchParams) };
    const pages = api.pages(pathname as '/api/v1/policies/', {}, query);
    for await (const page of pages) items.push(...page.flatMap(itemsOf));
    return items;
  } catch (error) {
    if (!(error instanceof SuretyError) || error.status !== 200) throw error;
    throw new OperatorError(`${path} is no list with pages: --all does not apply.`, { cause: error });
  }
}
