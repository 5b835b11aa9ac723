import type { Settings } from '../config.ts';
import type { Logger } from '../runtime/logging.ts';
import { keepAdminKey } from '../security/start-secrets.ts';
import { parseWords } from './arguments.ts';
import { onFolder } from './offline.ts';
import { EXIT, WrongUse } from './outcome.ts';
import { tellAdminKey } from './announcement.ts';

/** `surety setup`: makes the data folder with its stores and secrets. Again it changes nothing. */
export async function runSetup(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { positionals } = parseWords(words, {});
  if (positionals.length > 0) throw new WrongUse(`surety setup takes no ${positionals.join(' ')}.`);
  return await onFolder(settings, log, async ({ commandPorts, startProjector }) => {
    await startProjector();
    if (settings.adminKey === undefined) tellAdminKey(keepAdminKey(settings.dataFolder, commandPorts.randomBytes));
    process.stdout.write(`The data folder ${settings.dataFolder} is set up.\n`);
    return EXIT.done;
  });
}
