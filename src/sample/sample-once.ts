import type { AdminCommands } from '../admin/admin-commands.ts';
import type { Day } from '../event-sourcing/time.ts';
import type { Records } from '../records/records.ts';
import { makeSample, type Sample, type TokenOf } from './make-sample.ts';

/** Name of the value that remembers a sample which has begun: its day, or that it is done. */
const STATE = 'sample';
const DONE = 'done';

export interface SampleStart {
  /** The event store was not empty when this process started. */
  readonly hadEvents: boolean;
  readonly today: Day;
  readonly tokenOf: TokenOf;
}

export type TellKeys = (sample: Sample, keys: { readonly live: string; readonly test: string }) => void;

/**
 * Makes the sample on an empty event store, or goes on with one that was broken off before its keys were told: then with the
 * day on which it began, so that every command is the one it was. The keys are made last and told at once.
 * @returns whether keys were told
 * @throws {Refusal} when too much time has passed since it began: its quotes have expired
 */
export async function finishSample(
  office: AdminCommands,
  records: Pick<Records, 'getValue' | 'setValue'>,
  { hadEvents, today, tokenOf }: SampleStart,
  tell: TellKeys,
): Promise<boolean> {
  const begun = await records.getValue(STATE);
  if (begun === DONE || (begun === undefined && hadEvents)) return false;
  const day = begun ?? today;
  if (begun === undefined) await records.setValue(STATE, day);
  const sample = await makeSample(office, day, tokenOf);
  const keys = {
    live: await issueKey(office, sample.live.environmentId, 'Sample, live'),
    test: await issueKey(office, sample.test.environmentId, 'Sample, test'),
  };
  tell(sample, keys);
  await records.setValue(STATE, DONE);
  return true;
}

async function issueKey(office: AdminCommands, environmentId: number, label: string): Promise<string> {
  const { result } = await office.run('IssueApiKey', { environment_id: environmentId, label });
  return String(result.api_key);
}
