import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Settings } from '#service/config/config.ts';
import { outboxOf } from '#processes/mails/outbox-transport.ts';
import { parseOptions } from './arguments.ts';
import { escapeControls, EXIT, JSON_OPTION, OperatorError, printJson } from './outcome.ts';

export const MAILS_OPTIONS = { json: JSON_OPTION } as const;

interface Mail {
  readonly file: string;
  readonly date: string | undefined;
  readonly to: readonly (string | undefined)[];
  readonly subject: string | undefined;
  readonly links: readonly string[];
}

/** `surety mails`: lists the mails in the outbox of the data folder, oldest first, each with the links in its text. */
export async function runMails(words: readonly string[], { dataFolder, smtpUrl }: Settings): Promise<number> {
  const { json } = parseOptions('surety mails', words, MAILS_OPTIONS);
  if (smtpUrl !== undefined) throw new OperatorError('SMTP_URL is set: mails are sent, and not written to the outbox.');
  if (!existsSync(dataFolder))
    throw new OperatorError(`There is no data folder ${dataFolder}: set SURETY_DATA to the folder of the service.`);
  const folder = outboxOf(dataFolder);
  // Names begin with the time.
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.eml'))
        .sort()
    : [];
  const mails: Mail[] = [];
  for (const name of files) mails.push(await readMail(join(folder, name)));
  if (json) printJson(JSON.stringify({ mails }));
  else process.stdout.write(escapeControls(mails.map(describe).join('')));
  return EXIT.done;
}

/** @throws {OperatorError} */
async function readMail(file: string): Promise<Mail> {
  const { date, to = [], subject, text = '' } = await PostalMime.parse(bytesOf(file));
  return { file, date, to: to.map(({ address }) => address), subject, links: text.match(/https?:\/\/\S+/g) ?? [] };
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OperatorError(`The mail ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

function describe({ date, to, subject, links }: Mail): string {
  return `${date ?? '-'}  ${to.join(', ')}  ${subject ?? '-'}\n${links.map((link) => `  ${link}\n`).join('')}`;
}
