import { describe, expect, test } from '@jest/globals';
import { emailAddress } from './email.ts';

const isTaken = (text: unknown): boolean => emailAddress.safeParse(text).success;

describe('An e-mail address', () => {
  test.each([
    'ada@customers.example',
    'a&b@x.example',
    'dept/unit@x.example',
    "x{y}!#$%'*+-=?^_`|~z@x.example",
    'first.middle.last@sub.x.example',
    'ADA@X.Example',
    'info@xn--h1alffa9f.xn--p1ai',
    'ада@x.example',
    '吉田@x.example',
    `${'a'.repeat(64)}@x.example`,
    `a@${'b'.repeat(63)}.example`,
    'a@1.example',
  ])('is taken as it is: %s', (text) => {
    expect(emailAddress.parse(text)).toBe(text);
  });

  test.each([
    ['user@münchen.example', 'user@xn--mnchen-3ya.example'],
    ['user@ПОЧТА.рф', 'user@xn--80a1acny.xn--p1ai'],
    ['user@例え。テスト', 'user@xn--r8jz45g.xn--zckzah'],
    ['user@x.exam\u00adple\u200b', 'user@x.example'],
    [' \tada@x.example\n', 'ada@x.example'],
  ])('is stored by the A-labels of its domain, without outer spaces: %j', (text, stored) => {
    expect(emailAddress.parse(text)).toBe(stored);
  });

  test.each([
    '',
    'ada',
    '@x.example',
    'ada@',
    'ada@localhost',
    'a b@x.example',
    'a\u00a0b@x.example',
    'a@b@x.example',
    '.a@x.example',
    'a.@x.example',
    'a..b@x.example',
    '"a b"@x.example',
    'a@[192.0.2.1]',
    'a@192.0.2.1',
    'a(b)@x.example',
    'a<b>@x.example',
    'a,b@x.example',
    'a;b@x.example',
    'a\u0000b@x.example',
    'a\ud800b@x.example',
    '\u200b@x.example',
    'a.\u200b@x.example',
    'a@-x.example',
    'a@x-.example',
    'a@x..example',
    'a@x.example.',
    'a@x_y.example',
    'a@x.example/path',
    'a@é/x.example',
    'a@é%41.example',
    'a@é:80.example',
    'a@é／x.example',
    `${'a'.repeat(65)}@x.example`,
    `${'я'.repeat(33)}@x.example`,
    `a@${'b'.repeat(64)}.example`,
    `a@${'b.'.repeat(124)}example`,
    7,
    null,
  ])('is refused: %j', (text) => {
    expect(isTaken(text)).toBe(false);
  });

  test('has at most 254 octets', () => {
    const domain = (length: number) => `@${'bcd.'.repeat(60).slice(0, length - 9)}.example`;
    const address = (length: number) => 'a'.repeat(10) + domain(length - 10);
    expect([254, 255].map((length) => [address(length).length, isTaken(address(length))])).toEqual([
      [254, true],
      [255, false],
    ]);
  });

  test.each([
    ['atoms', 'a.'.repeat(500_000)],
    ['labels', `a@${'b.'.repeat(500_000)}`],
    ['at signs', '@'.repeat(1_000_000)],
    ['letters', `a@${'é'.repeat(500_000)}`],
  ])('of many %s costs little', (_kind, text) => {
    const before = process.cpuUsage();
    expect(isTaken(text)).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(200);
  });
});
