import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Settings } from '../config.ts';

export type { Logger };

/**
 * The log, on stderr, so that stdout is free for what was asked for: JSON lines, or readable lines on a terminal
 * (`decisions`: Running). Keys and authorisation never reach it, wherever they stand.
 */
export function createLogger(settings: Pick<Settings, 'logLevel'>): Logger {
  const options = {
    level: settings.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['*.authorization', '*["x-api-key"]', '*.api_key', '*.token'], censor: '[kept out]' },
  };
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: true }));
  return pino(options, pretty({ destination: 2, sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss' }));
}
