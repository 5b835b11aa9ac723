import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS } from '../../projections/registry.ts';
import { describeServers, type Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { ProgressBar } from '../import/progress.ts';
import { readPublishedPosition } from '../projector/published-position.ts';
import { type Verification, verifyReadModels } from '../projector/verify.ts';
import { type ContentVerification, verifyContents } from '../projector/verify-contents.ts';
import { FILES } from '../data-folder.ts';
import type { Logger } from '../observability/logging.ts';
import { parseWords } from './arguments.ts';
import { asTool, stallBefore, withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';

interface Findings {
  readonly documents: Verification;
  readonly contents: ContentVerification;
}

/** `surety verify`: compares the read models with a recomputation from the log. */
export async function runVerify(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, { json: { type: 'boolean', default: false } });
  if (positionals.length > 0) throw new WrongUse(`surety verify takes no argument ${positionals.join(' ')}.`);
  // Do not create a data folder: an empty one would always pass.
  if (settings.eventStoreUrl === undefined && !existsSync(join(settings.dataFolder, FILES.eventLog))) {
    const servers = describeServers(settings);
    const hint = servers === undefined ? '' : `: ${servers}`;
    throw new OperatorError(`There is no event log in the data folder ${settings.dataFolder}${hint}.`);
  }
  const findings = await withApplication(asTool(settings), log, verify, { purpose: 'read' });
  const repairHint =
    settings.mongoUrl === undefined
      ? `To repair the documents, delete ${FILES.readModels}: the next start rebuilds them from the log.`
      : 'To repair the documents, rebuild the read models (see the runbook).';
  const isEqual = findings.documents.differences.length + findings.contents.differences.length === 0;
  process.stdout.write(`${values.json ? asJson(findings) : asText(findings, repairHint)}\n`);
  return isEqual ? EXIT.done : EXIT.failed;
}

/** Waits until the read models have caught up with the log and compares them. @throws {OperatorError} when they are stalled */
async function verify(application: Application): Promise<Findings> {
  const { eventStore, readModels, commandPorts } = application;
  const projector = await application.startProjector();
  const head = await eventStore.lastPosition();
  const failure = head === undefined ? undefined : await stallBefore(projector, head);
  // After the stop this process writes nothing more, and the positions of the collections are stored.
  await projector.stop();
  if (failure !== undefined) throw new OperatorError(`The read models are stalled: ${failure}.`);
  const bar = new ProgressBar(process.stderr);
  const started = performance.now();
  const documents = await verifyReadModels({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    publishedPosition: await readPublishedPosition(readModels),
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
  const { upTo, compared, advancedCount, differences } = documents;
  const counts = { up_to: upTo === undefined ? null : upTo.toString(), compared, moved_on: advancedCount };
  return JSON.stringify({ ...counts, differences, contents });
}

function asText({ documents, contents }: Findings, repairHint: string): string {
  const { upTo, compared, advancedCount, differences } = documents;
  const lines = differences.map(({ collection, key, what }) => {
    const difference = typeof what === 'string' ? what : `differs in ${what.join(', ')}`;
    return `${collection} ${key}: ${difference}`;
  });
  for (const { claim, sha256, what } of contents.differences)
    lines.push(`content ${sha256} of claim ${claim}: ${what}`);
  const [wrong, wrongContents] = [differences.length, contents.differences.length];
  const since =
    advancedCount === 0
      ? ''
      : ` (${formatCount(advancedCount, 'document')} changed meanwhile and compared up to their newest event)`;
  lines.push(
    `${formatCount(compared, 'document')} compared with the log up to position ${upTo ?? 0}${since}: ${verdict(wrong)}.`,
    `${formatCount(contents.compared, 'content')} of claim documents compared with their SHA-256: ${verdict(wrongContents)}.`,
  );
  if (wrong > 0) lines.push(repairHint);
  return lines.join('\n');
}

function verdict(wrong: number): string {
  return wrong === 0 ? 'no difference' : formatCount(wrong, 'difference');
}

function formatCount(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
