import { ImportStopped, refusedWith, type RowOutcome, type TakeRow } from './take-row.ts';

/** What is needed of a client of the running service. */
export interface CommandPoster {
  postCommand(
    name: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly replayed: boolean; readonly text: string }>;
}

/** Takes rows over on a running service; to send a row again is safe, because its command id derives from it. */
export function takeOverHttp(client: CommandPoster): TakeRow {
  return async (command, body) => outcomeOf(await client.postCommand(command, body));
}

function outcomeOf(answer: { readonly status: number; readonly replayed: boolean; readonly text: string }): RowOutcome {
  if (answer.status === 200 || answer.status === 201) return { kind: answer.replayed ? 'already' : 'taken' };
  const problem = problemIn(answer.text);
  if (problem === undefined)
    throw new ImportStopped(`The service answers ${answer.status} and nothing that Surety would.`);
  if (answer.status >= 500) throw new ImportStopped(`The service answers ${answer.status}: ${problem.detail}.`);
  return refusedWith(problem.code, problem.detail);
}

function problemIn(text: string): { readonly code: string; readonly detail: string } | undefined {
  try {
    const { code, detail } = JSON.parse(text) as { code?: unknown; detail?: unknown };
    return typeof code === 'string' ? { code, detail: typeof detail === 'string' ? detail : code } : undefined;
  } catch {
    return undefined;
  }
}
