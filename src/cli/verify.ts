import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS } from '../../projections/registry.ts';
import { describeServers, type Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { ProgressBar } from '../import/progress.ts';
import { readReached } from '../projector/reached.ts';
import { type Verification, verifyReadModels } from '../projector/verify.ts';
import { type ContentVerification, verifyContents } from '../projector/verify-contents.ts';
import { FILES } from '../data-folder.ts';
import type { Logger } from '../observability/logging.ts';
import { parseWords } from './arguments.ts';
import { asTool, failureToReach, withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';

interface Findings {
  readonly documents: Verification;
  readonly contents: ContentVerification;
}

/** `surety verify`: proves the read models by recomputation. */
export async function runVerify(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, { json: { type: 'boolean', default: false } });
  if (positionals.length > 0) throw new WrongUse(`surety verify takes no ${positionals.join(' ')}.`);
  // Nothing is made here: a new folder would verify as well as any.
  if (settings.eventStoreUrl === undefined && !existsSync(join(settings.dataFolder, FILES.eventLog))) {
    const servers = describeServers(settings);
    const why = servers === undefined ? '' : `: ${servers}`;
    throw new OperatorError(`There is no event log in the data folder ${settings.dataFolder}${why}.`);
  }
  const findings = await withApplication(asTool(settings), log, verify, { purpose: 'read' });
  const mending =
    settings.mongoUrl === undefined
      ? `Deleting ${FILES.readModels} mends the documents: the next start makes them anew from the log.`
      : 'A rebuild mends the documents: the runbook tells how.';
  const flawless = findings.documents.differences.length + findings.contents.differences.length === 0;
  process.stdout.write(`${values.json ? asJson(findings) : asText(findings, mending)}\n`);
  return flawless ? EXIT.done : EXIT.failed;
}

/** Brings the read models level with the log, as every start does, and compares what is then served. @throws {OperatorError} */
async function verify(application: Application): Promise<Findings> {
  const { eventStore, readModels, commandPorts } = application;
  const projector = await application.startProjector();
  const head = await eventStore.lastPosition();
  const failure = head === undefined ? undefined : await failureToReach(projector, head);
  // This process writes nothing from here on, and how far the collections are is stored.
  await projector.stop();
  if (failure !== undefined) throw new OperatorError(`The read models are stalled: ${failure}.`);
  const bar = new ProgressBar(process.stderr);
  const started = performance.now();
  const documents = await verifyReadModels({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    reached: await readReached(readModels),
    onProgress: ({ collection, events, share }) => {
      const seconds = (performance.now() - started) / 1_000;
      bar.show({ file: collection, rows: events, seconds, share, unit: 'events' });
    },
  });
  const contents = await verifyContents(readModels, commandPorts.records);
  bar.clear();
  return { documents, contents };
}

function asJson({ documents, contents }: Findings): string {
  const { upTo, compared, movedOn, differences } = documents;
  const counts = { up_to: upTo === undefined ? null : upTo.toString(), compared, moved_on: movedOn };
  return JSON.stringify({ ...counts, differences, contents });
}

function asText({ documents, contents }: Findings, mending: string): string {
  const { upTo, compared, movedOn, differences } = documents;
  const lines = differences.map(({ collection, key, what }) => {
    const flaw = typeof what === 'string' ? what : `differs in ${what.join(', ')}`;
    return `${collection} ${key}: ${flaw}`;
  });
  for (const { claim, sha256, what } of contents.differences)
    lines.push(`content ${sha256} of claim ${claim}: ${what}`);
  const [wrong, wrongContents] = [differences.length, contents.differences.length];
  const since =
    movedOn === 0 ? '' : ` (${counted(movedOn, 'document')} had gone on since: up to their own newest event)`;
  lines.push(
    `${counted(compared, 'document')} compared with the log up to position ${upTo ?? 0}${since}: ${verdict(wrong)}.`,
    `${counted(contents.compared, 'content')} of claim documents compared with their SHA-256: ${verdict(wrongContents)}.`,
  );
  if (wrong > 0) lines.push(mending);
  return lines.join('\n');
}

function verdict(wrong: number): string {
  return wrong === 0 ? 'no difference' : counted(wrong, 'difference');
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
