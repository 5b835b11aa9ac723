import { expect, test } from '@jest/globals';
import { runSurety } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';

const workspace = useWorkspace();
const { startService } = workspace;

test('a start with sample data prints a ticket of each of its persons, and surety sign-in prints another', async () => {
  const service = await startService({ words: ['--sample'] });
  const { url } = service;
  /** Returns who signs in with the address of a ticket, at a service. */
  const nameOf = async (address: string, at = url): Promise<unknown> => {
    const [page, ticket] = address.trim().split('#ticket=');
    expect(page).toBe(`${at}/console/`);
    const opened = await fetch(`${at}/api/v1/session/`, {
      method: 'POST',
      body: JSON.stringify({ ticket }),
      headers: { 'Content-Type': 'application/json', Origin: at, 'X-Surety-Console': '1' },
    });
    if (opened.status !== 204) return ((await opened.json()) as { readonly code: string }).code;
    const Cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const me = await fetch(`${at}/api/v1/me`, { headers: { Cookie } });
    const { person, role } = (await me.json()) as { readonly person: { readonly name: string }; readonly role: string };
    return `${person.name} (${role})`;
  };
  const printed = [...service.process.stdout.matchAll(/^ {2}(\w+ \w+ \(\w+\)) +(\S+#ticket=\S+)$/gm)];
  expect(printed.map(([, name]) => name)).toEqual([
    'Ngozi Umeh (merchant)',
    'Tunde Bakare (claims)',
    'Amina Sule (insurer)',
    'Femi Cole (admin)',
  ]);
  for (const [, name, address = ''] of printed) expect(await nameOf(address)).toBe(name);
  expect(await nameOf(printed[0]?.[2] ?? '')).toBe('ticket_invalid');

  const { folder } = workspace;
  const signIn = async (words: readonly string[]) => await runSurety(['sign-in', ...words], { folder, settings: {} });
  const byService = await signIn(['femi.cole@surety.example']);
  expect(await nameOf(byService.stdout)).toBe('Femi Cole (admin)');
  const unknown = await signIn(['nobody@surety.example']);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no such person')]);
  expect((await signIn([])).code).toBe(2);

  await service.process.stop();
  const byFolder = await signIn(['femi.cole@surety.example']);
  const again = await startService();
  expect(await nameOf(byFolder.stdout.replace(/^http:\/\/[^/]+/, again.url), again.url)).toBe('Femi Cole (admin)');
  expect((await signIn(['nobody@surety.example', '--url', again.url])).stderr).toContain('There is no such person');
});
