import type { PlatformCommands } from '../platform-commands.ts';
import type { Day } from '#event-sourcing/time.ts';
import type { Logger } from '#service/observability/logging.ts';
import type { Records } from '#stores/records/records.ts';
import { createSample, type Sample, SAMPLE_CONTENT, type TokenOf } from './create-sample.ts';

export const SAMPLE_STATE = 'sample';
const DONE = 'done';

interface SampleStart {
  /** The event store was not empty when this process started. */
  readonly hadEvents: boolean;
  readonly today: Day;
  readonly tokenOf: TokenOf;
  readonly log: Pick<Logger, 'info'>;
}

type PrintSample = (sample: Sample, keys: { readonly live: string; readonly test: string }) => void;

/**
 * Creates the sample on an empty event store, or completes one that was interrupted before its keys were printed. It is
 * completed as of its first day, so that every command is the same. The keys are issued last and printed at once.
 * @returns true if keys were printed
 * @throws {Refusal} when an interrupted sample is too old and its quotes have expired
 */
export async function ensureSample(
  commands: PlatformCommands,
  records: Pick<Records, 'getValue' | 'setValue'>,
  { hadEvents, today, tokenOf, log }: SampleStart,
  print: PrintSample,
): Promise<boolean> {
  const startedOn = await records.getValue(SAMPLE_STATE);
  if (startedOn === DONE || (startedOn === undefined && hadEvents)) return false;
  const day = startedOn ?? today;
  log.info(SAMPLE_CONTENT, 'Creating the sample data');
  if (startedOn === undefined) await records.setValue(SAMPLE_STATE, day);
  const sample = await createSample(commands, day, tokenOf);
  const keys = {
    live: await issueKey(commands, sample.live.environmentId, 'Sample, live'),
    test: await issueKey(commands, sample.test.environmentId, 'Sample, test'),
  };
  print(sample, keys);
  await records.setValue(SAMPLE_STATE, DONE);
  return true;
}

async function issueKey(commands: PlatformCommands, environmentId: number, label: string): Promise<string> {
  const { result } = await commands.run('IssueApiKey', { environment_id: environmentId, label });
  return String(result.api_key);
}

/**
 * Wraps the commands of the platform so that quotes are requested only after the read models reflect all earlier
 * commands. Otherwise a new product would be missing, and the idempotency key of the request would repeat quotes
 * without it.
 */
export function quoteWhenCaughtUp(
  commands: PlatformCommands,
  waitFor: (position: bigint) => Promise<void>,
): PlatformCommands {
  let last = 0n;
  return {
    ...commands,
    run: async (name, body, key) => {
      if (name === 'RequestQuotes') await waitFor(last);
      const outcome = await commands.run(name, body, key);
      if (outcome.position > last) last = outcome.position;
      return outcome;
    },
  };
}
