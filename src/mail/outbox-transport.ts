import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Moment } from '../event-sourcing/time.ts';
import type { ComposedMail, SendResult, MailTransport } from './mail.ts';

/**
 * Writes every mail as a file instead of sending it, for whoever has no mail server: `<time>-<job id>.eml`, whole and synced
 * before it has that name, readable by the owner of the folder alone.
 */
export function outboxTransport({ folder, now }: { folder: string; now: () => Moment }): MailTransport {
  return {
    send: async (mail) => {
      const name = `${now().replaceAll(/[-:.]/g, '')}-${mail.jobId}.eml`;
      try {
        await writeWhole(mail, folder, name);
      } catch {
        return { kind: 'refused', reason: 'not_written', smtpCode: null };
      }
      return await shownForGood(folder);
    },
  };
}

async function writeWhole({ jobId, raw }: ComposedMail, folder: string, name: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // A new folder survives a power cut only once the one above it is synced.
  if (made !== undefined) await synced(dirname(folder));
  // One for each job: the next attempt writes over what a full disk cut short.
  const unfinished = join(folder, `.${jobId}.part`);
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(raw);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(folder, name));
}

/** The name is there; whether it survives a power cut is only known once the folder is synced. */
async function shownForGood(folder: string): Promise<SendResult> {
  try {
    await synced(folder);
    return { kind: 'sent' };
  } catch {
    return { kind: 'unknown' };
  }
}

async function synced(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
