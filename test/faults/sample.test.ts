import { expect, test } from '@jest/globals';
import { type Members, ReferenceDocument } from '../support/reference-document.ts';
import { sampleKeyOf } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';

const { startService } = useWorkspace();

/** What the reader of the reference must know: no value fits every sample. */
const WITHOUT_EXAMPLE = [
  'GetRebuild rebuild_id',
  'GetVerification verification_id',
  'VerificationPage token',
  'VerifyMerchant token',
];

test('every GET of the reference answers 2xx on the sample data as it is prefilled, with each key that it takes', async () => {
  const { process, url, adminKey } = await startService({ words: ['--sample'] });
  const merchantKey = sampleKeyOf(process);
  const reference = new ReferenceDocument((await (await fetch(`${url}/openapi.json`)).json()) as Members);
  const refused: string[] = [];
  const incomplete: string[] = [];
  let answered = 0;
  for (const [id, { path, method, content }] of reference.operations) {
    if (method !== 'get') continue;
    const { path: filled, missing } = prefilled(
      path,
      content['parameters'] as readonly unknown[] as readonly Parameter[],
    );
    incomplete.push(...missing.map((name) => `${id} ${name}`));
    if (missing.length > 0) continue;
    const roles = /Keys: (.*)\.$/.exec(content['description'] as string)?.[1]?.split(', ') ?? [];
    const keys = [...(roles.includes('merchant') ? [merchantKey] : []), ...(roles.includes('admin') ? [adminKey] : [])];
    for (const key of keys.length === 0 ? [''] : keys) {
      const response = await fetch(`${url}${filled}`, { headers: key === '' ? {} : { 'X-API-Key': key } });
      const text = await response.text();
      if (response.ok) answered++;
      else refused.push(`${id} ${filled} ${text}`);
    }
  }
  expect(refused).toEqual([]);
  expect(incomplete.toSorted()).toEqual(WITHOUT_EXAMPLE);
  expect(answered).toBeGreaterThan(50);
});

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: string | number;
}

/** Fills the path and the query with the examples, as the page of the reference does. */
function prefilled(path: string, parameters: readonly Parameter[]) {
  const query = new URLSearchParams();
  const missing: string[] = [];
  let filled = path;
  // Parameters that operations share are headers, which are not prefilled.
  for (const { name, in: location, required, example } of parameters.filter(({ $ref }) => $ref === undefined)) {
    if (example === undefined && required === true) missing.push(name);
    if (example === undefined) continue;
    if (location === 'query') query.set(name, String(example));
    else filled = filled.replace(`{${name}}`, encodeURIComponent(example));
  }
  return { path: query.size === 0 ? filled : `${filled}?${query.toString()}`, missing };
}
