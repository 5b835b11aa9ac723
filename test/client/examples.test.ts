import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SuretyClient } from '#client/index.ts';
import { cleanUp, sampleKeyOf, type Service, startService, temporaryFolder } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const client = join(root, 'clients', 'typescript');
const readme = readFileSync(join(client, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
const [BUY, HANDLE_ERRORS, READ_LISTS, FOLLOW, FILES] = ['buy', 'errors', 'lists', 'follow', 'files'];

const folder = temporaryFolder();
const programs = join(folder, 'programs');
const running: ChildProcess[] = [];
let service: Service;
let surety: SuretyClient;
let shortCode: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  expect(spawnSync(process.execPath, [join(root, 'tools', 'build.mjs')])).toMatchObject({ status: 0 });
  service = await startService({ folder: join(folder, 'data'), words: ['--sample'] });
  const key = sampleKeyOf(service.process);
  surety = new SuretyClient({ url: service.url, key });
  shortCode = (await surety.me()).merchant?.short_code ?? '';
  env = { PATH: process.env['PATH'], SURETY_URL: service.url, SURETY_KEY: key };
  mkdirSync(programs);
  writeFileSync(join(programs, 'package.json'), '{"type":"module"}');
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', client];
  expect(spawnSync('npm', install, { cwd: programs, encoding: 'utf8' })).toMatchObject({ status: 0 });
  mkdirSync(join(programs, 'node_modules', '@types'));
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(programs, 'node_modules', '@types', 'node'));
  for (const [index, name] of [BUY, HANDLE_ERRORS, READ_LISTS, FOLLOW, FILES].entries())
    writeFileSync(join(programs, `${name}.ts`), examples[index] ?? '');
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await cleanUp(folder, [service.process]);
});

function start(
  name: string | undefined,
  node = [process.execPath, '--disable-warning=ExperimentalWarning', `${name}.ts`],
): { readonly child: ChildProcess; readonly output: () => string } {
  const [program = '', ...words] = node;
  const child = spawn(program, words, { cwd: programs, env });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  return { child, output: () => text };
}

/** Runs an example to its end, and returns its lines. */
async function run(name: string | undefined, node?: string[]): Promise<readonly string[]> {
  const { child, output } = start(name, node);
  const [code] = await once(child, 'close');
  expect([code, output()]).toEqual([0, output()]);
  return output().trimEnd().split('\n');
}

test.each([
  ['TypeScript 5', join(client, 'node_modules', 'typescript')],
  ['TypeScript of the project', join(root, 'node_modules', 'typescript')],
])('the examples have the types of the client (%s)', (_, compiler) => {
  expect(examples).toHaveLength(5);
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  const files = [BUY, HANDLE_ERRORS, READ_LISTS, FOLLOW, FILES].map((name) => `${name}.ts`);
  const words = [join(compiler, 'bin', 'tsc'), ...options, ...files];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: programs, encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});

test('the first example buys a policy', async () => {
  const [line = ''] = await run(BUY);
  const [policyNumber = '', premium, currency, status] = line.split(' ');
  expect(await surety.policies.get(policyNumber)).toMatchObject({ premium, currency, status: 'active' });
  expect(status).toBe('active');
});

/** The Node of the machine, where it is older than that of the project. */
const olderNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((place) => join(place, 'node'))
  .find((program) => /^v2[0-3]\./.test(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? ''));
const testOnOlderNode = olderNode === undefined ? test.skip : test;

testOnOlderNode(
  `the first example runs on Node 20 to 23${olderNode === undefined ? ' (skipped: there is none on the PATH)' : ''}`,
  async () => {
    writeFileSync(join(programs, 'buy.mjs'), examples[0] ?? '');
    const [line = ''] = await run(BUY, [olderNode ?? '', 'buy.mjs']);
    expect(line).toMatch(/ active$/);
  },
);

test('the second one buys nothing more when it runs again', async () => {
  const [line = ''] = await run(HANDLE_ERRORS);
  expect(line).toMatch(/^bought /);
  expect(await run(HANDLE_ERRORS)).toEqual([line]);
  const found: string[] = [];
  for await (const { policy_number } of surety.merchants.policies(shortCode, { customer_reference: 'order-4711' }))
    found.push(policy_number);
  expect(found).toEqual([line.split(' ')[1]]);
});

test('the third one lists policies', async () => {
  const lines = await run(READ_LISTS);
  const expected: string[] = [];
  for await (const { policy_number, renewal_date } of surety.merchants.policies(shortCode, { status: 'active' }))
    expected.push(`${policy_number} ${renewal_date}`);
  expect(lines).toEqual(expected.slice(0, 10));
  expect(lines).toHaveLength(10);
});

test('the fourth one receives a purchase, and after a kill only of the next one', async () => {
  const first = start(FOLLOW);
  const [before = ''] = await run(BUY);
  const [earlier = ''] = before.split(' ');
  await waitUntil(() => first.output().includes(earlier), first.output);
  const saved = join(programs, 'last-event');
  let last: string | undefined;
  for await (const { id } of surety.events()) last = id;
  await waitUntil(() => readFileSync(saved, 'utf8') === last, first.output);
  first.child.kill('SIGKILL');

  const second = start(FOLLOW);
  const [after = ''] = await run(BUY);
  const [later = ''] = after.split(' ');
  await waitUntil(() => second.output().includes(later), second.output);
  expect(second.output()).not.toContain(earlier);
});

test('the fifth one sends and reads files, and previews a cancellation', async () => {
  const [claim = '', preview = ''] = await run(FILES);
  const [reference = '', sha256] = claim.split(' ');
  expect((await surety.claims.get(reference)).documents).toMatchObject([{ document_name: 'report.pdf', sha256 }]);
  expect(readFileSync(join(programs, 'certificate.pdf'), 'latin1')).toMatch(/^%PDF-/);
  const document = await surety.claims.downloadDocument(reference, sha256 ?? '');
  expect(Buffer.from(await document.arrayBuffer())).toEqual(readFileSync(join(programs, 'certificate.pdf')));
  expect(preview).toMatch(/^a cancellation would return [\d.]+ NGN$/);
  expect((await surety.policies.get('HAR-HEALTH-0001')).cancellation_date).toBeNull();
});
