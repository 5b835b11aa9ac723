/**
 * The types of the application whose commands the executor runs. The application merges its own into it, once
 * (`commands/command.ts`).
 */
export interface Application {}

/** The environment in which a command acts. */
export type Environment = Application['environment'];
/** What limits who sends a command, besides the role. */
export type Rights = Application['rights'];
/** What commands use besides the stores. */
export type Services = Application['services'];
/** An event that reserves a value. */
export type ReservedEvent = Application['reservation'];
