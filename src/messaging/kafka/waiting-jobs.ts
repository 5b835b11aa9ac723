import type { Moment } from '../../domain/dates.ts';

interface Waiting {
  readonly due: Moment | undefined;
}

/** Jobs by when they are due. */
export class WaitingJobs<Job extends Waiting> {
  /** The last is due first. */
  readonly #jobs: Job[] = [];

  add(job: Job): void {
    let [from, to] = [0, this.#jobs.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isLater(this.#jobs[middle], job)) from = middle + 1;
      else to = middle;
    }
    this.#jobs.splice(from, 0, job);
  }

  first(): Job | undefined {
    return this.#jobs.at(-1);
  }

  removeFirst(): void {
    this.#jobs.pop();
  }
}

function isLater(one: Waiting | undefined, other: Waiting): boolean {
  return (one?.due ?? '') > (other.due ?? '');
}
