import type { Settings } from '../config.ts';
import type { HttpServer } from '../http/server.ts';
import { OperatorError } from '../operator-error.ts';
import { isSystemError } from './system-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; PORT names another port',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no host of that name',
};

/** Listens on the configured address and returns the port. @throws {OperatorError} when the address cannot be used */
export async function listen(server: HttpServer, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  try {
    return await server.listen(port, host);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const reason = REASONS[error.code] ?? error.message;
    throw new OperatorError(`Surety cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
  }
}

/** Returns the URL of a listening process for clients on the same machine. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
