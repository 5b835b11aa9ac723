import { adminCommands } from '../admin/admin-commands.ts';
import { writesToDataFolder, type Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { pauseUnlessAborted } from '../composition/clocks.ts';
import { dayOf } from '../event-sourcing/time.ts';
import { Refusal } from '../domain/refusals.ts';
import type { Logger } from '../observability/logging.ts';
import { MigrationUnderWay, untilMigration } from '../migration/mark.ts';
import { missingTopicsSentence } from '../processes/public-events/topics.ts';
import { acceptClock } from '../processes/scheduler/clock.ts';
import type { Projector } from '../projector/projector.ts';
import { finishSample } from '../sample/sample-once.ts';
import { quotingWhenCaughtUp } from '../sample/when-caught-up.ts';
import { printAdminKey, tellSample, tellUnfinishedSample, tellWhereKeysAre } from './announcement.ts';
import { parseWords } from './arguments.ts';
import { withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { onStopSignal } from './stop-signals.ts';

/** `surety serve`: runs until it is stopped by a signal. */
export async function runServe(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, {
    sample: { type: 'boolean', default: false },
    'accept-clock': { type: 'boolean', default: false },
  });
  if (positionals.length > 0) throw new WrongUse(`surety serve takes no ${positionals.join(' ')}.`);
  const acceptsClock = values['accept-clock'];
  if (acceptsClock && !settings.roles.includes('scheduler'))
    throw new WrongUse('--accept-clock needs the role scheduler: give it to a process with that role.');
  endAfterUnexpected(log);
  const stop = stopSignal(log);
  requireKeyInCommon(settings);
  let endsForMigration = false;
  await withApplication(
    settings,
    log,
    async (application) => {
      const stopped = new AbortController();
      const { records } = application.commandPorts;
      // Nothing can be moved to a folder that this process holds.
      const migration =
        settings.mongoUrl === undefined ? [] : [untilMigration(records, pauseUnlessAborted, stopped.signal)];
      try {
        const { missingTopics } = await application.setUp();
        // The relay is not ready; everything else works.
        if (missingTopics.length > 0) log.warn({ topics: missingTopics }, missingTopicsSentence(missingTopics));
        if (acceptsClock) log.warn({ clock: await acceptClock(application.commandPorts) }, 'The clock is accepted');
        if (!stop.asked) await start(application, settings, log, settings.sample ?? values.sample);
        await Promise.race([stop.wait, ...migration]);
        endsForMigration = !stop.asked;
      } finally {
        stopped.abort();
      }
      log.info('Surety stops');
    },
    { purpose: 'serve' },
  );
  log.info('Surety has stopped');
  if (endsForMigration) throw new MigrationUnderWay();
  return EXIT.done;
}

/** On servers several processes may serve, and each would create a key of its own. @throws {OperatorError} */
function requireKeyInCommon({ secret, adminKey, mongoUrl }: Settings): void {
  if (mongoUrl === undefined || secret === undefined || adminKey !== undefined) return;
  throw new OperatorError(
    'SURETY_ADMIN_KEY must be set where SURETY_SECRET is: on servers several processes may serve, and each would create a key of its own.',
  );
}

/** Starts the service, and with it the sample, and prints where it is reached. @throws {ProcessNotStarted} @throws {OperatorError} */
async function start(application: Application, settings: Settings, log: Logger, withSample: boolean): Promise<void> {
  const hadEvents = (await application.eventStore.lastPosition()) !== undefined;
  // Before anything that can still end this start: the next one finds the key and does not print it.
  printAdminKey(application.adminKey);
  const { host, roles } = settings;
  const { port, url } = await application.start(async (url) => {
    if (withSample && roles.includes('api')) await tellAboutSample(application, hadEvents, url);
  });
  // Only apis are reached from outside; a mailer has the setting for its links.
  const publicUrl = roles.includes('api') ? settings.publicUrl : undefined;
  process.stdout.write(`Surety serves ${url}\n${publicUrl === undefined ? '' : `It is reached at ${publicUrl}\n`}`);
  const dataFolder = writesToDataFolder(settings) ? settings.dataFolder : undefined;
  log.info({ host, port, publicUrl, dataFolder, roles }, 'Surety serves');
}

/** Makes the sample, or goes on with it, and tells its keys; a sample that can no longer be finished stops no start. */
async function tellAboutSample(application: Application, hadEvents: boolean, url: string): Promise<void> {
  const { commandPorts } = application;
  const projector = await application.startProjector();
  const office = quotingWhenCaughtUp(
    adminCommands(commandPorts),
    async (position) => await levelUpTo(position, projector),
  );
  const start = { hadEvents, today: dayOf(commandPorts.now()), tokenOf: commandPorts.services.verificationToken };
  try {
    const made = await finishSample(office, commandPorts.records, start, (sample, keys) =>
      tellSample(sample, keys, url),
    );
    if (!made) tellWhereKeysAre(url);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tellUnfinishedSample(error.message);
  }
}

/** Longer than the read models of a sample ever need. */
const LEVEL_WITHIN_MS = 60_000;

async function levelUpTo(position: bigint, projector: Projector): Promise<void> {
  if (await projector.waitFor(position, LEVEL_WITHIN_MS)) return;
  throw new OperatorError(
    'The sample cannot be finished: the read models do not follow the log; see the log of this start.',
  );
}

/** Resolves at the first SIGTERM or SIGINT; a later second one ends the process at once. */
function stopSignal(log: Logger): { readonly wait: Promise<void>; readonly asked: boolean } {
  let asked = false;
  const wait = new Promise<void>((resolve) => {
    onStopSignal((signal) => {
      asked = true;
      log.info({ signal }, 'Surety received a stop signal');
      resolve();
    }, EXIT.failed);
  });
  return {
    wait,
    get asked() {
      return asked;
    },
  };
}

/** After an error that nobody caught nothing can be trusted: the stores are made for a sudden end. */
function endAfterUnexpected(log: Logger): void {
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'Surety ends after an unexpected error');
    process.exit(EXIT.failed);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
