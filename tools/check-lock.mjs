/**
 * Checks that package-lock.json has the hash of every package, and an entry for the builds of every platform: `npm ci`
 * does not verify a package without a hash, and refuses a lock file without the build of its platform. npm omits the
 * builds that the registry in use lacks; `npm install --package-lock-only` with a complete registry adds them.
 */
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const locked = new Set(Object.keys(packages).map((path) => path.replace(/^(.*\/)?node_modules\//, '')));

const problems = Object.entries(packages).flatMap(([path, { integrity, link, optionalDependencies = {} }]) => [
  ...(path.includes('node_modules/') && integrity === undefined && link !== true ? [`${path} has no integrity`] : []),
  ...Object.keys(optionalDependencies)
    .filter((name) => !locked.has(name))
    .map((name) => `${name}, of ${path || 'package.json'}, has no entry`),
]);

for (const problem of problems) console.error(`package-lock.json: ${problem}.`);
process.exitCode = problems.length > 0 ? 1 : 0;
