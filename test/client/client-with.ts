import { SuretyClient } from '#client/index.ts';

export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

export type Answer = Response | Error | (() => Promise<Response>);

export const ok = (body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { headers });

export function problem(status: number, members: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ detail: 'The detail', request_id: 'of the service', ...members }), {
    status,
    headers,
  });
}

/** A client whose requests get these answers, in this order; the last one again and again. */
export function clientWith(...answers: Answer[]): { readonly client: SuretyClient; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const client = new SuretyClient({
    url: 'http://service.example/',
    key: 'sk_live_x',
    callTimeoutMs: 2_000,
    fetch: async (url, { method = '', headers, body, signal }) => {
      const text = await new Response(body ?? null).text();
      sent.push({ url, method, headers: new Headers(headers), body: text });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      return await Promise.race([typeof answer === 'function' ? answer() : (answer as Response).clone(), aborted]);
    },
  });
  return { client, sent };
}
