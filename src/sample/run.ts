/** Runs a command of the sample; `step` names it, so that a sample that was broken off is gone on with. */
export type Run = (step: string, name: string, body: object) => Promise<Readonly<Record<string, unknown>>>;
