import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createMerchant } from '../support/merchant-fixture.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

describe('Generated requests', () => {
  test('no read has an internal error on arbitrary paths, queries and headers', async () => {
    const paths = service.http.routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.dictionary(fc.string(), fc.string()),
        fc.string({ unit: 'grapheme-ascii' }),
        async (path, id, search, header) => {
          const value = encodeURIComponent(id).replaceAll('.', '%2E');
          const real = path.replaceAll(/:\w+/g, () => value);
          const parameters = new URLSearchParams(search).toString();
          const response = await service.send('GET', `${real}${parameters && `?${parameters}`}`, {
            key: acme.live.key,
            headers: { 'If-None-Match': header, 'X-Request-Id': header, Accept: header },
          });
          expect([real, parameters, response.status < 500]).toEqual([real, parameters, true]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
