import type { Logger } from 'pino';
import { type Route, runsCommand } from '../route.ts';

export interface RequestEntry {
  readonly requestId: string;
  readonly method: string;
  readonly route: Route | undefined;
  readonly status: number;
  readonly ms: number;
  readonly keyId: string | null | undefined;
  readonly more: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Logs commands and refusals at `info`, faults at `error`, other reads and pages at `debug`. Refusals because of an outage of a store are
 * logged at `debug`, because `OutageLog` counts them.
 */
export function logRequest(log: Logger, entry: RequestEntry): void {
  const level = levelOf(entry);
  if (!log.isLevelEnabled(level)) return;
  const { requestId, method, route, status, ms, keyId, more } = entry;
  log[level](
    {
      request_id: requestId,
      method: methodName(method),
      route: route?.path,
      status,
      ms: Math.round(ms * 10) / 10,
      key_id: keyId ?? undefined,
      ...more,
    },
    'request',
  );
}

function levelOf({ route, status, more }: RequestEntry): 'debug' | 'info' | 'error' {
  if (status >= 500 && status !== 503) return 'error';
  if (route?.kind === 'page' || more?.['store'] !== undefined) return 'debug';
  return status >= 400 || (route !== undefined && runsCommand(route)) ? 'info' : 'debug';
}

function methodName(method: string): string {
  return method.length <= 16 ? method : 'other';
}
