import { resolve } from 'node:path';
import { backUpFolder, DATABASES } from '#service/compose/back-up-folder.ts';
import type { Settings } from '#service/config/config.ts';
import { hasFile } from '#service/config/data-folder.ts';
import { ProgressBar } from './import/progress.ts';
import { parseWords } from './arguments.ts';
import { EXIT, OperatorError, WrongUse } from './outcome.ts';

/** `surety backup DIR`: copies what cannot be derived from the data folder, also while a service runs. */
export async function runBackup(words: readonly string[], settings: Settings): Promise<number> {
  const { positionals } = parseWords(words, {});
  const [target, ...rest] = positionals;
  if (target === undefined || target === '' || rest.length > 0) throw new WrongUse('surety backup needs one DIR.');
  const { dataFolder, servers } = settings;
  if (servers !== undefined) {
    throw new OperatorError(
      'surety backup copies a data folder; the addresses of servers must not be set. The runbook says how to back up servers.',
    );
  }
  for (const name of DATABASES) {
    if (!hasFile(dataFolder, name)) throw new OperatorError(`There is no ${name} in the data folder ${dataFolder}.`);
  }
  const bar = new ProgressBar(process.stderr);
  const startedAt = performance.now();
  try {
    await backUpFolder(dataFolder, resolve(target), ({ file, pages, share }) => {
      bar.show({ file, rows: pages, unit: 'pages', seconds: (performance.now() - startedAt) / 1_000, share });
    });
  } catch (error) {
    throw new OperatorError(`The backup to ${target} failed: ${(error as Error).message}.`, { cause: error });
  } finally {
    bar.clear();
  }
  process.stdout.write(
    `${target} has ${DATABASES.join(' and ')} of ${dataFolder} and its secrets. surety verify with SURETY_DATA=${target} checks it.\n`,
  );
  return EXIT.done;
}
