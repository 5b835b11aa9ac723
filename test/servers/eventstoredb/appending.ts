import { setTimeout as pause } from 'node:timers/promises';

import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';

import type { EventLog, ExpectedRevision, NewEvent } from './event-log.ts';
import type { AppendFault, Faults } from './faults.ts';
import {
  appendResponse,
  exhausted,
  expectedOf,
  newEventOf,
  notReady,
  sizeOnDisk,
  streamNameOf,
  timedOut,
  tooLarge,
} from './messages.ts';

export interface AppendDependencies {
  readonly log: EventLog;
  readonly faults: Faults;
  /** Closes every connection. */
  cut(): void;
}

interface Request {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

/** Handles the call `Append`: options first, then the events, one message each. */
export async function handleAppend(
  dependencies: AppendDependencies,
  call: ServerReadableStream<AppendReq, AppendResp>,
  reply: sendUnaryData<AppendResp>,
): Promise<void> {
  dependencies.faults.calls.append += 1;
  try {
    const request = await receive(call, dependencies.faults.largestAppend);
    if (request === undefined) return;
    const answered = await executeWithRetries(dependencies, request, dependencies.faults.next());
    if (answered !== undefined) reply(null, answered);
  } catch (error) {
    reply(error as Error);
  }
}

/** Reads the request; undefined when the client disconnects before its end. @throws {ServiceError} */
async function receive(
  call: ServerReadableStream<AppendReq, AppendResp>,
  largestAppend: number,
): Promise<Request | undefined> {
  let options: AppendReq.Options | undefined;
  const events: NewEvent[] = [];
  for await (const message of call as AsyncIterable<AppendReq>) {
    const proposed = message.getProposedMessage();
    if (proposed === undefined) options = message.getOptions();
    else events.push(newEventOf(proposed));
  }
  if (options === undefined || call.cancelled) return undefined;
  if (events.reduce((sum, event) => sum + sizeOnDisk(event), 0) > largestAppend) throw tooLarge(largestAppend);
  return { stream: streamNameOf(options.getStreamIdentifier()), expected: expectedOf(options), events };
}

/** Appends the events; undefined when no response is sent. @throws {ServiceError} */
async function executeWithRetries(
  { log, faults, cut }: AppendDependencies,
  { stream, expected, events }: Request,
  fault: AppendFault | undefined,
): Promise<AppendResp | undefined> {
  if (faults.notReady || fault?.kind === 'not_ready') throw notReady();
  if (fault?.kind === 'cut_before') {
    cut();
    return undefined;
  }
  if (fault?.kind === 'under_way') log.delay(fault.ms);
  const outcome = fault?.kind === 'lost' ? { kind: 'dropped' as const } : await log.append(stream, expected, events);
  if (outcome.kind === 'dropped') {
    // The timer does not keep the process alive after the test.
    await pause(faults.commitTimeoutMs, undefined, { ref: false });
    throw timedOut();
  }
  if (fault?.kind === 'exhausted') throw exhausted();
  if (fault?.kind === 'late') await pause(fault.ms);
  if (fault?.kind === 'cut_after') {
    cut();
    return undefined;
  }
  return appendResponse(stream, expected, outcome, outcome.kind !== 'known' || faults.reportsPositionOfRepeats);
}
