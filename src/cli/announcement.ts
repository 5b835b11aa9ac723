import type { Sample } from '../sample/make-sample.ts';
import type { StoredSecret } from '../security/start-secrets.ts';

/** The administrator's key is shown by the start that made it, and never again. */
export function printAdminKey({ value, created, file }: StoredSecret): void {
  if (created) process.stdout.write(`The administrator's key, also in ${file}, is shown this once:\n  ${value}\n`);
}

/** The keys of the sample and one `curl` that works as it stands, alone on its line. */
export function tellSample(sample: Sample, keys: { readonly live: string; readonly test: string }, url: string): void {
  process.stdout.write(
    [
      `Sample data of the merchant ${sample.shortCode} is in. Its keys are shown this once:`,
      `  live  ${keys.live}  (environment ${sample.live.environmentId})`,
      `  test  ${keys.test}  (environment ${sample.test.environmentId})`,
      `The reference of the interface: ${url}/docs/`,
      'Read a policy:',
      `curl -s -H "X-API-Key: ${keys.live}" ${url}/api/v1/policies/${sample.live.policyId}/`,
      '',
    ].join('\n'),
  );
}

/** A later start with data has no secrets to show. */
export function tellWhereKeysAre(url: string): void {
  process.stdout.write(
    [
      'There is data already, and keys are shown once, when they are made. A new key for environment 1:',
      `  echo '{"environment_id": 1}' | npx surety command IssueApiKey - --url ${url}`,
      '',
    ].join('\n'),
  );
}

/** A sample that was broken off too long ago: its quotes have expired. */
export function tellUnfinishedSample(why: string): void {
  process.stdout.write(
    `The sample data that an earlier start began cannot be finished: ${why}. An empty log gets a whole one.\n`,
  );
}
