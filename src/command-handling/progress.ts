import type { Moment } from '../event-sourcing/time.ts';

/** What outlives an attempt: a command that is run again goes on from it. */
export class Progress {
  readonly commandId: string;
  readonly mayBeRepeated: boolean;
  readonly decidedAt: Moment;
  readonly numbers = new Map<string, number>();
  keyRecorded: boolean;
  /** Position of the last thing written so far. */
  position: bigint | undefined;

  constructor(commandId: string, mayBeRepeated: boolean, decidedAt: Moment, keyRecorded: boolean) {
    this.commandId = commandId;
    this.mayBeRepeated = mayBeRepeated;
    this.decidedAt = decidedAt;
    this.keyRecorded = keyRecorded;
  }

  wrote(position: bigint): void {
    if (this.position === undefined || position > this.position) this.position = position;
  }
}
