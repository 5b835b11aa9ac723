import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { publicReasonOf } from '#projections/working-document.ts';
import type { LogFault, LogReport, VerificationProgress } from '#queries/verifications.ts';
import { decode, typeOf } from '#domain/events.ts';
import { rawRecordedAt } from '#event-sourcing/codec.ts';
import type { Position, StoredEvent } from '#stores/event-log/event-log.ts';
import type { EventIndex, Neighbours, RawLogReader } from '#stores/event-log/unchecked-log.ts';
import type { DocumentReader } from '#stores/read-models/read-models.ts';
import { StoreDamaged } from '#stores/shared/store-unavailable.ts';

export interface VerifyLogOptions {
  readonly log: RawLogReader;
  /** Empty. */
  readonly index: EventIndex;
  /** Lets the stores check their files; returns what they find. */
  readonly checkFiles: () => readonly string[];
  /** Lets other work run between two pages. Default: a turn of the event loop. */
  readonly nextTurn?: (() => Promise<void>) | undefined;
  readonly onProgress?: ((progress: VerificationProgress) => void) | undefined;
}

const PAGE = 1_000;
const MAX_NAMED = 1_000;

/**
 * Reads every event of the log up to its end at the start, and checks that the codec decodes it, that none is missing,
 * that ids are unique, and that revisions and times of recording rise in every stream. The memory that it needs does
 * not grow with the log.
 * @throws {StoreUnavailable}
 */
export async function verifyLog(options: VerifyLogOptions): Promise<LogReport> {
  const { log, index, checkFiles, nextTurn = turnOfLoop, onProgress } = options;
  const report = new Report();
  try {
    const head = (await log.lastPosition()) ?? 0n;
    const showProgress = (): void => {
      const position = report.upTo ?? 0n;
      const share = head === 0n ? 1 : Number(position) / Number(head);
      onProgress?.({ step: 'log', count: report.events, share, position: String(position), head: String(head) });
    };
    showProgress();
    // Before SQLite blocks this thread.
    await nextTurn();
    for (const reason of checkFiles()) report.add('file', reason, {});
    // Ends where the events no longer advance, because a damaged file may return them in any order.
    for (let after: Position | undefined; ; after = report.upTo) {
      const page = await log.readAll({ after, limit: PAGE });
      const events = page.filter(({ position }) => position <= head);
      for (const event of events) report.check(event, log.isGapless);
      index.add(events.map(toIndexed));
      showProgress();
      await nextTurn();
      if (report.upTo === undefined || report.upTo <= (after ?? 0n) || report.upTo >= head) break;
    }
    if ((report.upTo ?? 0n) < head)
      report.add('missing', `reading ends at position ${report.upTo ?? 0n}, but the newest event is at ${head}`, {});
    for (const { event, earlier } of index.repeatedIds())
      report.add('repeated_id', `its id is also that of the event at position ${earlier}`, event);
    for (const neighbours of index.outOfOrder()) report.addMisplaced(neighbours);
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
    report.add('file', `${error.message}; what follows position ${report.upTo ?? 0n} was not read`, {});
  }
  return report.result();
}

/**
 * Returns the fault of a log that does not have the newest event that the read models reflect, so that it has lost its
 * end; undefined where it has it.
 * @throws {StoreUnavailable}
 */
export async function findTruncation(
  readModels: Pick<DocumentReader, 'checkpoint'>,
  log: Pick<RawLogReader, 'readAt'>,
): Promise<LogFault | undefined> {
  const { position, eventId } = (await readModels.checkpoint()) ?? {};
  if (position === undefined || (await log.readAt(position))?.id === eventId) return undefined;
  const reason = `the read models reflect the event ${eventId} at position ${position}, which the log does not have`;
  return { what: 'missing', reason, position: String(position), ...NO_EVENT };
}

const NO_EVENT = { event_id: null, stream: null, revision: null };

export function withFault(report: LogReport, fault: LogFault): LogReport {
  return { ...report, faults: report.faults + 1, first_faults: [...report.first_faults, fault] };
}

class Report {
  events = 0;
  upTo: Position | undefined;
  readonly #counts = { unknownTypes: 0, others: 0 };
  readonly #first: LogFault[] = [];

  check(event: StoredEvent, isGapless: boolean): void {
    const next = (this.upTo ?? 0n) + 1n;
    if (event.position < next) this.add('misplaced', `it comes after position ${this.upTo}`, event);
    else if (isGapless && event.position > next)
      this.add('missing', `nothing is stored at ${rangeOf('position', next, event.position - 1n)}`, { position: next });
    this.events += 1;
    this.upTo = event.position;
    try {
      decode(event);
    } catch (error) {
      const isKnown = event.isAltered === true || typeOf(event) !== undefined;
      this.add(isKnown ? 'unreadable' : 'unknown_type', publicReasonOf(error), event);
    }
  }

  addMisplaced({ event, previous }: Neighbours): void {
    const next = (previous?.revision ?? -1) + 1;
    if (event.revision > next) {
      this.add('missing', `its stream lacks ${rangeOf('revision', next, event.revision - 1)}`, event);
    } else if (event.revision < next) {
      this.add('misplaced', `it comes after revision ${next - 1} at position ${previous?.position}`, event);
    } else {
      const before = `before its predecessor at position ${previous?.position} (${previous?.recordedAt})`;
      this.add('misplaced', `it was recorded at ${event.recordedAt}, ${before}`, event);
    }
  }

  add(
    what: LogFault['what'],
    reason: string,
    { position, id, stream, revision }: Partial<Pick<StoredEvent, 'position' | 'id' | 'stream' | 'revision'>>,
  ): void {
    const counter = what === 'unknown_type' ? 'unknownTypes' : 'others';
    if (this.#counts[counter]++ >= MAX_NAMED) return;
    const isThere = id !== undefined && stream !== undefined && revision !== undefined;
    const event = isThere ? { event_id: id, stream, revision } : NO_EVENT;
    this.#first.push({ what, reason, position: position?.toString() ?? null, ...event });
  }

  result(): LogReport {
    const { unknownTypes, others } = this.#counts;
    const up_to = this.upTo?.toString() ?? null;
    return { events: this.events, up_to, faults: unknownTypes + others, first_faults: this.#first };
  }
}

function rangeOf(what: string, first: bigint | number, last: bigint | number): string {
  return first === last ? `${what} ${first}` : `${what}s ${first} to ${last}`;
}

function toIndexed(event: StoredEvent) {
  const { position, id, stream, revision } = event;
  return { position, id, stream, revision, recordedAt: rawRecordedAt(event) };
}
