import type { AnyCommand } from '../src/command-handling/command.ts';
import { activateDuePolicy } from './policy/activate-policy.ts';
import { renewDuePolicy } from './policy/renew-due-policy.ts';

/** System commands of the scheduler. They are not part of the API; their names appear in events and histories. */
export const SYSTEM_COMMANDS: readonly AnyCommand[] = [activateDuePolicy, renewDuePolicy];
