import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addDays, dayAfter, isDay, dayIn, LAST_DAY, localTime, startOfDay, timeZone, UTC } from './dates.ts';
import { dayOf, instant, laterOf } from '#event-sourcing/time.ts';

const days = fc
  .date({ min: new Date('1000-01-01T00:00:00Z'), max: new Date('9990-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('days', () => {
  test('can be added and subtracted, and sort as text', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 1000 }), (from, count) => {
        const to = addDays(from, count);
        expect(isDay(to)).toBe(true);
        expect(addDays(to, -count)).toBe(from);
        expect(from <= to).toBe(true);
      }),
    );
  });

  test.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2023-12-31', 1, '2024-01-01'],
    ['2026-03-01', 365, '2027-03-01'],
    ['2024-03-01', -1, '2024-02-29'],
  ])('%s and %i days are %s', (from, count, to) => {
    expect(addDays(from, count)).toBe(to);
  });

  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-1-1',
    '26-01-01',
    '2026-01',
    '2026',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
    'today',
    '+012026-01-01',
    '0000-01-01',
    '0001-01-01',
    '0004-02-29',
    '0999-12-31',
    '1000-02-29',
    '-001-01-01',
  ])('%j is not a day', (text) => {
    expect(isDay(text)).toBe(false);
  });

  test('are followed by the next one, but for the last', () => {
    const year = Array.from({ length: 366 }, (_, index) => addDays('2024-01-01', index));
    expect(year.map(dayAfter)).toEqual([...year.slice(1), '2025-01-01']);
    fc.assert(fc.property(days, (day) => expect(dayAfter(day)).toBe(addDays(day, 1))));
    expect(dayAfter(LAST_DAY)).toBeNull();
  });

  test('every day of the calendar is a day', () => {
    fc.assert(fc.property(days, (text) => expect(isDay(text)).toBe(true)));
  });
});

describe('instants', () => {
  test('have a UTC day', () => {
    expect(dayOf('2026-03-01T23:59:59.999Z')).toBe('2026-03-01');
    expect(startOfDay('2026-03-01', UTC)).toBe('2026-03-01T00:00:00.000Z');
  });

  test('have seconds in a timeline', () => {
    expect(localTime('2026-03-01T23:59:59.999Z', UTC)).toBe('2026-03-01 23:59:59');
  });

  test('compare as text', () => {
    expect(laterOf('2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z')).toBe('2026-03-01T00:00:00.001Z');
    expect(laterOf('2026-03-01T00:00:00.000Z', '')).toBe('2026-03-01T00:00:00.000Z');
  });

  test.each([
    ['2026-03-01T00:00:00.000Z', true],
    ['2026-03-01T00:00:00Z', false],
    ['2026-03-01T00:00:00.000000Z', false],
    ['2026-03-01T01:00:00.000+01:00', false],
  ])('written as %s can be stored: %p', (text, stored) => {
    expect(instant.safeParse(text).success).toBe(stored);
  });
});

describe('time zones', () => {
  test.each([
    ['America/New_York', '2026-03-02T01:00:00.000Z', '2026-03-01 20:00:00'],
    ['Africa/Lagos', '2026-03-01T23:30:00.000Z', '2026-03-02 00:30:00'],
    ['Pacific/Kiritimati', '2026-03-01T10:00:00.000Z', '2026-03-02 00:00:00'],
    ['Pacific/Pago_Pago', '2026-03-01T10:59:59.000Z', '2026-02-28 23:59:59'],
  ])('give local time in %s', (zone, instant, local) => {
    expect(localTime(instant, zone)).toBe(local);
    expect(dayIn(zone, instant)).toBe(local.slice(0, 10));
  });

  test.each([
    ['2026-07-01', 'Africa/Lagos', '2026-06-30T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Paris', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Paris', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Paris', '2026-10-25T23:00:00.000Z'],
    ['2028-02-29', 'Pacific/Kiritimati', '2028-02-28T10:00:00.000Z'],
    ['9999-12-31', 'Pacific/Kiritimati', '9999-12-30T10:00:00.000Z'],
    ['2026-03-01', 'Pacific/Pago_Pago', '2026-03-01T11:00:00.000Z'],
    // Midnight does not exist on this day: the clock skips from 00:00 to 01:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ])('begin the day %s in %s at %s', (day, zone, start) => {
    expect(startOfDay(day, zone)).toBe(start);
  });

  test('begin every day with its first second', () => {
    const zones = fc.constantFrom('America/New_York', 'Africa/Lagos', 'Pacific/Kiritimati', 'Pacific/Pago_Pago');
    const around = fc
      .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2040-12-31T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(around, zones, (day, zone) => {
        const start = startOfDay(day, zone);
        expect(dayIn(zone, start)).toBe(day);
        expect(dayIn(zone, new Date(Date.parse(start) - 1000).toISOString()) < day).toBe(true);
      }),
    );
  });

  test.each(['UTC', 'Africa/Lagos', 'America/Argentina/Ushuaia'])('have IANA names: %s', (name) => {
    expect(timeZone.safeParse(name).success).toBe(true);
  });

  test.each(['', '+01:00', 'Mars/Olympus', 'africa/lagos ', 'Z', 'x'.repeat(70)])('are not named %j', (name) => {
    expect(timeZone.safeParse(name).success).toBe(false);
  });
});
