/**
 * Measures `surety verify --url` on a data folder, and `GET` of a policy while it runs:
 * `node test/bench/verify.ts FOLDER`. No other process may use the folder. Run by hand; no test depends on the times.
 */
import { performance } from 'node:perf_hooks';
import { freePort } from '../support/free-port.ts';
import { ADMIN_KEY, runSurety, startService } from './service.ts';
import { describeCost, measureBeside } from './steady-gets.ts';

const [folder = './data'] = process.argv.slice(2);
const service = await startService(folder, await freePort(), { LOG_LEVEL: 'warn' });

async function verify(): Promise<void> {
  let out = '';
  const cost = await describeCost(
    service,
    async () => ({ out } = await runSurety(folder, ['verify', '--url', service.url])),
  );
  process.stdout.write(`verified in ${cost}: ${out}`);
}

await verify();
await measureBeside(service, 'verifications', verify);
await fetch(`${service.url}/api/v1/admin/verifications/`, { method: 'POST', headers: { 'x-api-key': ADMIN_KEY } });
const stopping = performance.now();
await service.stop();
process.stdout.write(`stopped in ${(performance.now() - stopping).toFixed(0)} ms during a verification\n`);
