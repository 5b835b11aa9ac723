/**
 * Adds all platform builds to package-lock.json for packages that ship one package per platform.
 *
 * npm omits builds that the configured registry does not have (a mirror may lack those of other systems), and `npm ci` then
 * refuses the lock file on such a system. Run `node tools/complete-lock.mjs` after `npm install`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const SYSTEMS = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openharmony', 'openbsd', 'netbsd', 'aix', 'sunos'];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'arm', 'wasm32'];

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const { '': root, ...packages } = lock.packages;
let added = 0;

for (const [path, parent] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (packages[`node_modules/${name}`] !== undefined || packages[`${path}/node_modules/${name}`] !== undefined)
      continue;
    const entry = platformEntry(name, version, parent);
    if (entry === undefined) continue;
    packages[`node_modules/${name}`] = entry;
    added += 1;
  }
}

if (added > 0) {
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: { '': root, ...sorted } }, null, 2)}\n`);
}
process.stdout.write(`${added} entries added\n`);

/** Returns the entry as npm would write it, without the hash; undefined unless it is an exact version of a platform build. */
function platformEntry(name, version, parent) {
  const parts = name.split('/').at(-1).split('-');
  const os = SYSTEMS.find((system) => parts.includes(system));
  const cpu = PROCESSORS.find((processor) => parts.includes(processor));
  if (os === undefined || cpu === undefined || !/^\d/.test(version)) return undefined;
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(parent.license ? { license: parent.license } : {}),
    optional: true,
    os: [os],
    ...(os === 'linux' ? { libc: [name.includes('musl') ? 'musl' : 'glibc'] } : {}),
    ...(parent.engines ? { engines: parent.engines } : {}),
  };
}
