import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SMALL_BOOK } from '../book/books.ts';
import { type ImportReport, importBook, importWords } from '../book/import-process.ts';
import { refusedRows } from '../book/source.ts';
import { countEventsOf, logPosition, readTotals } from '../book/stores.ts';
import { runSurety, type Service } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';
import { freePort } from '../support/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

const place = useWorkspace();
let refusedFolder: string;

beforeEach(() => {
  refusedFolder = join(place.base, 'refused');
});

async function serve(port: number): Promise<Service> {
  return await place.startService({ settings: { PORT: String(port), LOG_LEVEL: 'error' } });
}

describe('an import on a running service', () => {
  test('continues with correct counts after a kill and restart of the service', async () => {
    const port = await freePort();
    const first = await serve(port);
    const environmentId = Number((await first.createEnvironment()).environment_id);
    const words = [...importWords(SMALL_BOOK, { refusedFolder, environmentId }), '--url', first.url];
    const importing = place.spawn(words);
    await waitUntil(() => logPosition(place.folder) >= 1_000 || !importing.isRunning);
    expect(importing.isRunning).toBe(true);
    await first.process.kill();
    const second = await serve(port);
    const { code, stdout, stderr } = await importing.exited;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [policies, claims] = (JSON.parse(stdout) as ImportReport).files;
    const { policiesTotals, claimsTotals } = SMALL_BOOK;
    expect(policies).toMatchObject({ read: policiesTotals.read, refused: policiesTotals.refused });
    expect(claims).toMatchObject({ read: claimsTotals.read, refused: claimsTotals.refused });

    // The outcome of a row is the same over HTTP.
    const [wrong] = refusedRows(SMALL_BOOK.policiesFile, refusedFolder).filter(
      ({ reason }) => reason === 'invalid_row',
    );
    expect(wrong?.detail).toMatch(/^[a-z_]+: must /);

    const again = await importBook(SMALL_BOOK, { folder: place.folder, refusedFolder, environmentId }, [
      '--url',
      `${second.url}/`,
    ]);
    expect(again.files.map(({ taken }) => taken)).toEqual([0, 0]);
    expect((await second.process.stop()).code).toBe(0);
    expect(await readTotals(place.folder)).toEqual(SMALL_BOOK.totals);
  });

  test('stops before the first row for an unknown environment or a forbidden key', async () => {
    const service = await serve(0);
    const environmentId = Number((await service.createEnvironment()).environment_id);
    const nowhere = importWords(SMALL_BOOK, { refusedFolder, environmentId: 77 });
    expect(await runSurety([...nowhere, '--url', service.url], { folder: place.folder })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no environment 77; create it with the command CreateEnvironment.\n',
    });
    const issued = await service.run('IssueApiKey', { environment_id: environmentId, label: 'till' });
    const words = [...importWords(SMALL_BOOK, { refusedFolder, environmentId }), '--url', service.url];
    const asMerchant = await runSurety(words, { folder: place.folder, settings: { SURETY_ADMIN_KEY: 'x'.repeat(40) } });
    expect(asMerchant).toMatchObject({
      code: 1,
      stderr: `The service at ${service.url} does not accept this key as the key of an administrator.\n`,
    });
    expect(issued['api_key']).toMatch(/^sk_live_/);
    // Other events that the service appends at the same time are not rows.
    expect(countEventsOf(place.folder, 'IssueApiKey')).toBe(1);
    expect(countEventsOf(place.folder, 'ImportPolicyTerm', 'ImportClaim')).toBe(0);
  });
});
