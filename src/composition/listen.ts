import type { Settings } from '../config.ts';
import type { HttpServer } from '../http/server.ts';
import { CannotDo } from '../runtime/cannot-do.ts';
import { isSystemError } from '../runtime/system-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no host of that name',
};

/** Listens where the settings say; resolves with the port. @throws {CannotDo} when that is not possible */
export async function listen(server: HttpServer, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  try {
    return await server.listen(port, host);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const reason = REASONS[error.code] ?? error.message;
    throw new CannotDo(`Surety cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
  }
}
