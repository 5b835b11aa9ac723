import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUp, sampleKeyOf, type Service, startService, temporaryFolder } from '../support/service-process.ts';
import { LANGUAGES, run } from './languages.ts';

let folder: string;
let service: Service;
let merchantKey: string;
let shortCode: string;

beforeAll(async () => {
  folder = temporaryFolder();
  service = await startService({ folder: join(folder, 'data'), words: ['--sample'] });
  merchantKey = sampleKeyOf(service.process);
  shortCode = /merchant ([A-Z]{3}-[0-9A-F]{4})/.exec(service.process.stdout)?.[1] ?? '';
});

afterAll(async () => await cleanUp(folder, [service.process]));

/** Reads what the client reports from the service itself. */
async function read(path: string): Promise<ReturnType<typeof JSON.parse>> {
  return await (await service.request(path, { headers: { 'x-api-key': merchantKey } })).json();
}

for (const { name, missing, build, callsService = true } of LANGUAGES) {
  const title = `A ${name} client that is generated from the API document`;
  const describeIfPossible = missing === undefined ? describe : describe.skip;
  describeIfPossible(missing === undefined ? title : `${title} (skipped: ${missing})`, () => {
    let place: string;
    let program: Awaited<ReturnType<typeof build>>;

    beforeAll(async () => {
      place = join(folder, name);
      mkdirSync(place);
      writeFileSync(join(place, 'openapi.json'), await (await service.request('/openapi.json')).text());
      program = await build(place);
    });

    const call = async (...words: readonly string[]): Promise<ReturnType<typeof JSON.parse>> => {
      if (program === undefined) throw new Error(`the ${name} client has no program`);
      const settings = { SURETY_URL: service.url, SURETY_KEY: merchantKey, SHORT_CODE: shortCode };
      const { stdout } = await run([...program, ...words], place, settings);
      return JSON.parse(stdout);
    };

    test('compiles', () => expect(existsSync(join(place, 'client'))).toBe(true));
    if (!callsService) return;

    test('requests a quote and buys it', async () => {
      const bought = await call('purchase');
      expect(bought).toMatchObject({ status: 'active', premium: expect.stringMatching(/^\d+\.\d\d$/) });
      expect(await read(`/api/v1/policies/${bought.policy_id}/`)).toMatchObject(bought);
    });

    test('reads two pages of a list', async () => {
      const { policy_ids } = await call('page');
      const { results } = await read(`/api/v1/merchants/${shortCode}/policies/?limit=4`);
      expect(policy_ids).toEqual((results as { readonly policy_id: string }[]).map(({ policy_id }) => policy_id));
    });

    test('files a claim with a document, downloads this byte for byte, and knows the code of a problem', async () => {
      const content = Buffer.concat([Buffer.from('\r\n--\0\xff\r\n', 'latin1'), randomBytes(100_000)]);
      const [source, target] = [join(place, 'source'), join(place, 'target')];
      writeFileSync(source, content);
      const { claim_id, code_of_unknown } = await call('claim', source, target);
      expect(readFileSync(target).equals(content)).toBe(true);
      expect(code_of_unknown).toBe('claim_not_found');
      const { documents } = await read(`/api/v1/claims/${claim_id}/`);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(documents).toMatchObject([{ document_name: 'evidence.bin', evidence_type: null, sha256 }]);
    });
  });
}
