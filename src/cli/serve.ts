import { platformCommands, type PlatformCommands } from './platform-commands.ts';
import { writesToDataFolder, type Settings } from '#service/config/config.ts';
import { type Application, requireFreeAddress } from '#service/compose/application.ts';
import { dayOf } from '#event-sourcing/time.ts';
import { Refusal } from '#domain/refusals.ts';
import type { Logger } from '#service/observability/logging.ts';
import { acceptClock } from '#processes/scheduler/clock.ts';
import type { Projector } from '#read-side/projector.ts';
import { ensureSample, quoteWhenCaughtUp } from './sample/ensure-sample.ts';
import { STAFF } from './sample/staff.ts';
import { ticketUrl } from './sign-in.ts';
import { printAdminKey, printKeyHint, printSample, printTickets, printUnfinishedSample } from './announcement.ts';
import { parseOptions } from './arguments.ts';
import { storesInUse } from '#service/config/addresses.ts';
import { withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { onStopSignal } from './stop-signals.ts';

export const SERVE_OPTIONS = {
  sample: {
    type: 'boolean',
    default: false,
    help: 'creates sample data on an empty event log, and prints its API keys and a curl command',
  },
  'accept-clock': {
    type: 'boolean',
    default: false,
    help: 'accepts the current time once, where the scheduler is paused because its clock jumped',
  },
} as const;

/** `surety serve`: runs until it is stopped by a signal. */
export async function runServe(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const values = parseOptions('surety serve', words, SERVE_OPTIONS);
  const acceptsClock = values['accept-clock'];
  if (acceptsClock && !settings.roles.includes('scheduler'))
    throw new WrongUse('--accept-clock needs the role scheduler: use it with a process that has that role.');
  exitOnUncaughtError(log);
  const stopped = stopSignal(log);
  requireSharedKey(settings);
  await requireFreeAddress(settings);
  await withApplication(
    settings,
    log,
    async (application) => {
      await start(application, settings, log, { acceptsClock, withSample: settings.sample ?? values.sample });
      await Promise.race([stopped, application.failed]);
      log.info('Surety stops');
    },
    { purpose: 'serve' },
  );
  log.info('Surety has stopped');
  return EXIT.done;
}

/** Without a shared key, each service on shared servers would create a different one. @throws {OperatorError} */
function requireSharedKey({ secret, adminKey, servers }: Settings): void {
  if (servers === undefined || secret === undefined || adminKey !== undefined) return;
  throw new OperatorError(
    'SURETY_SECRET is set, so SURETY_ADMIN_KEY must be set too: otherwise each process that shares these servers would create a different key.',
  );
}

/**
 * Starts the service, creates the sample if asked to, and prints the URL.
 * @throws {ProcessNotStarted}
 * @throws {OperatorError}
 */
async function start(
  application: Application,
  settings: Settings,
  log: Logger,
  { acceptsClock, withSample }: { readonly acceptsClock: boolean; readonly withSample: boolean },
): Promise<void> {
  const { host, roles } = settings;
  let hadEvents = true;
  const { port, url } = await application.start({
    afterSetUp: async () => {
      if (acceptsClock) log.warn({ clock: await acceptClock(application.commandPorts) }, 'The clock is accepted');
      hadEvents = (await application.eventStore.lastPosition()) !== undefined;
      // Print the key first: if this start fails later, the next one finds the key and does not print it.
      printAdminKey(application.adminKey);
    },
    beforeReady: async (url) => {
      if (withSample && roles.includes('api'))
        await createSample(application, log, hadEvents, { url, publicUrl: settings.publicUrl ?? url });
    },
  });
  // A process without the role api uses the setting only for links in mails.
  const publicUrl = roles.includes('api') ? settings.publicUrl : undefined;
  const { eventLog, readModels, messages } = storesInUse(settings);
  const stores = `event log: ${eventLog}; read models and records: ${readModels}; messages: ${messages}`;
  process.stdout.write(
    `Surety serves ${url} (${stores})\n${publicUrl === undefined ? '' : `It is reached at ${publicUrl}\n`}`,
  );
  const dataFolder = writesToDataFolder(settings) ? settings.dataFolder : undefined;
  log.info({ host, port, publicUrl, dataFolder, roles, eventLog, readModels, messages }, 'Surety serves');
}

/** Creates or completes the sample and prints its keys. The service starts even if the sample cannot be completed. */
async function createSample(
  application: Application,
  log: Logger,
  hadEvents: boolean,
  { url, publicUrl }: { readonly url: string; readonly publicUrl: string },
): Promise<void> {
  const { commandPorts } = application;
  const projector = await application.startProjector();
  const commands = quoteWhenCaughtUp(
    platformCommands(commandPorts, 'sample'),
    async (position) => await waitForProjector(position, projector),
  );
  const tokenOf = commandPorts.services.verificationToken;
  const start = { hadEvents, today: dayOf(commandPorts.now()), tokenOf, log };
  try {
    const printed = await ensureSample(commands, commandPorts.records, start, (sample, keys) =>
      printSample(sample, keys, url),
    );
    if (!printed) printKeyHint(url);
    printTickets(await issueTickets(commands, publicUrl));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    printUnfinishedSample(error.message);
  }
}

/** Issues tickets for the persons of the sample; none where the log has another book, or a person was removed. */
async function issueTickets(commands: PlatformCommands, url: string): Promise<(readonly [string, string])[]> {
  const tickets: (readonly [string, string])[] = [];
  for (const { name, role, email } of STAFF) {
    const outcome = await commands.run('IssueTicket', { email }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    if (outcome !== undefined) tickets.push([`${name} (${role})`, ticketUrl(url, String(outcome.result.ticket))]);
  }
  return tickets;
}

const SAMPLE_PROJECTION_TIMEOUT_MS = 60_000;

async function waitForProjector(position: bigint, projector: Projector): Promise<void> {
  if (await projector.waitFor(position, SAMPLE_PROJECTION_TIMEOUT_MS)) return;
  throw new OperatorError(
    'The sample cannot be completed: the read models do not catch up with the event log. See the log output of this process.',
  );
}

/** Resolves with the first stop signal; a second signal exits at once. */
async function stopSignal(log: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    onStopSignal((signal) => {
      log.info({ signal }, 'Surety received a stop signal');
      resolve();
    }, EXIT.failed);
  });
}

/** After an uncaught error the state of the process is unknown, and the stores survive a sudden exit. */
function exitOnUncaughtError(log: Logger): void {
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'Surety ends after an unexpected error');
    process.exit(EXIT.failed);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
