import type { AnyCommand } from '../src/command-handling/command.ts';
import { activateDuePolicy } from './policy/activate-due-policy.ts';
import { renewDuePolicy } from './policy/renew-due-policy.ts';

/**
 * What Surety does by itself when its time has come. Nobody can send these: the back office does not list them, and their
 * names stand in the log and in histories only.
 */
export const SYSTEM_COMMANDS: readonly AnyCommand[] = [activateDuePolicy, renewDuePolicy];
