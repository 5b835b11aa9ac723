import type { Sample } from './sample/create-sample.ts';
import type { StoredSecret } from '#service/security/start-secrets.ts';

export function printAdminKey({ value, created, file }: StoredSecret): void {
  if (created) process.stdout.write(`The administrator's key, also in ${file}, is shown only once:\n  ${value}\n`);
}

export function printSample(sample: Sample, keys: { readonly live: string; readonly test: string }, url: string): void {
  process.stdout.write(
    [
      `The sample data of merchant ${sample.shortCode} is ready. Its keys are shown only once:`,
      `  live  ${keys.live}  (environment ${sample.live.environmentId})`,
      `  test  ${keys.test}  (environment ${sample.test.environmentId})`,
      `Console: ${url}/console/`,
      `API reference: ${url}/docs/`,
      'Read a policy:',
      `curl -s -H "X-API-Key: ${keys.live}" ${url}/api/v1/policies/${sample.live.policyId}/`,
      '',
    ].join('\n'),
  );
}

export function printKeyHint(url: string): void {
  process.stdout.write(
    [
      'The store already has data, and existing keys cannot be shown again. To issue a new key for environment 1:',
      `  echo '{"environment_id": 1, "label": "my laptop"}' | npx surety command IssueApiKey - --url ${url}`,
      '',
    ].join('\n'),
  );
}

/** Prints for each person of the sample the address to sign in with. */
export function printTickets(tickets: readonly (readonly [role: string, url: string])[]): void {
  if (tickets.length === 0) return;
  const lines = tickets.map(([role, url]) => `  ${role.padEnd(22)}  ${url}`);
  process.stdout.write(['Sign in to the console, once and within an hour:', ...lines, ''].join('\n'));
}

export function printUnfinishedSample(reason: string): void {
  process.stdout.write(
    `The sample data of an earlier start cannot be completed: ${reason}. Start with an empty data folder for a complete sample.\n`,
  );
}
