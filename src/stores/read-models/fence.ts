import { SafeError } from '../shared/errors.ts';

export interface Fence {
  /** The token of the leader's lease: a smaller token than the stored one is rejected. */
  readonly token: number;
}

/** A greater fencing token is stored: stop writing. Usually another process has become the leader. */
export class WriterFenced extends SafeError {
  override readonly name = 'WriterFenced';
  readonly token: number;
  constructor(what: string, token: number) {
    super(`${what} is now written by another process`);
    this.token = token;
  }
}
