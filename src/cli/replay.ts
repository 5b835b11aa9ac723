import type { Settings } from '#service/config/config.ts';
import type { StartPosition } from '#processes/runtime/checkpoint.ts';
import type { Logger } from '#service/observability/logging.ts';
import { parseOptions } from './arguments.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { withApplication } from './with-application.ts';

const REPLAY_START = 'start or a position of the log';

export const REPLAY_OPTIONS = {
  from: {
    type: 'string',
    value: 'start|POSITION',
    expects: REPLAY_START,
    help: 'required: all public events, or those after the position',
  },
} as const;

/** `surety replay`: lets the relay send public events again; creates no topics. */
export async function runReplay(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const values = parseOptions('surety replay', words, REPLAY_OPTIONS);
  const from = parseReplayStart(values.from, 'surety replay');
  requireServers(settings, 'surety replay');
  // The role selects the stores that are opened and checked.
  await withApplication({ ...settings, roles: ['relay'] }, log, async (application) => await application.replay(from));
  process.stdout.write(`${replayMessage(from)}\n`);
  return EXIT.done;
}

export function parseReplayStart(text: string | undefined, command: string): Exclude<StartPosition, 'end'> {
  if (text === undefined) throw new WrongUse(`${command} needs --from start, or --from POSITION.`);
  if (text !== 'start' && !/^\d{1,19}$/.test(text)) throw new WrongUse(`${command} --from must be ${REPLAY_START}.`);
  return text === 'start' ? text : BigInt(text);
}

export function requireServers({ servers }: Settings, command: string): void {
  if (servers === undefined)
    throw new OperatorError(`${command} needs servers: without Kafka there are no public events.`);
}

export function replayMessage(from: Exclude<StartPosition, 'end'>): string {
  const which = from === 'start' ? 'All public events' : `The public events after position ${from}`;
  return `${which} are sent again once a relay runs.`;
}
