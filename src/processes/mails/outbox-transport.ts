import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Instant } from '#event-sourcing/time.ts';
import type { ComposedMail, SendResult, MailTransport } from './mail.ts';

/** Returns the folder of the mails that are not sent, because no mail server is set. */
export function outboxOf(dataFolder: string): string {
  return join(dataFolder, 'outbox');
}

/**
 * Writes every mail as a file instead of sending it: `<time>-<job id>.eml`, readable only by the owner of the folder.
 * The file gets its name after it was written completely and synced.
 */
export function outboxTransport({ folder, now }: { folder: string; now: () => Instant }): MailTransport {
  return {
    send: async (mail) => {
      const name = `${now().replaceAll(/[-:.]/g, '')}-${mail.jobId}.eml`;
      try {
        await writeMail(mail, folder, name);
      } catch {
        return { status: 'refused', reason: 'not_written', smtpCode: null };
      }
      return await syncName(folder);
    },
  };
}

async function writeMail({ jobId, raw }: ComposedMail, folder: string, name: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  // A new folder survives a power cut only after its parent was synced.
  if (created !== undefined) await syncFolder(dirname(folder));
  // One name per job, so the next attempt overwrites a file that was cut short by a full disk.
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

/** Without the sync it is unknown whether the new name survives a power cut. */
async function syncName(folder: string): Promise<SendResult> {
  try {
    await syncFolder(folder);
    return { status: 'sent' };
  } catch {
    return { status: 'unknown' };
  }
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
