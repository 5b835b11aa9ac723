import type { Moment } from '../event-sourcing/time.ts';

/** State of a command that its attempts share. */
export class Progress {
  readonly commandId: string;
  readonly mayBeRepeated: boolean;
  readonly decidedAt: Moment;
  readonly numbers = new Map<string, number>();
  keyRecorded: boolean;
  /** Position of the last append. */
  position: bigint | undefined;

  constructor(commandId: string, mayBeRepeated: boolean, decidedAt: Moment, keyRecorded: boolean) {
    this.commandId = commandId;
    this.mayBeRepeated = mayBeRepeated;
    this.decidedAt = decidedAt;
    this.keyRecorded = keyRecorded;
  }

  advanceTo(position: bigint): void {
    if (this.position === undefined || position > this.position) this.position = position;
  }
}
